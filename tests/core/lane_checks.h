// lane_checks.h: the checks of lane.h, one for each width.
#pragma once
const char *lane_checks_1(void);
const char *lane_checks_4(void);
const char *lane_checks_8(void);
const char *lane_checks_16(void);

// The rotations nearest to some matrices, as 9 floats each: gentle ones, flat ones, ones that are inside out, and nothing, side by side in the lanes.
enum
{
    LANE_TURNS = 64,
};
void lane_turns_1(float (*out)[9]);
void lane_turns_4(float (*out)[9]);
void lane_turns_8(float (*out)[9]);
void lane_turns_16(float (*out)[9]);
