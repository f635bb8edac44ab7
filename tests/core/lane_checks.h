// lane_checks.h: the checks of lane.h, one for each width.
#pragma once
const char *lane_checks_1(void);
const char *lane_checks_4(void);
const char *lane_checks_8(void);
const char *lane_checks_16(void);
