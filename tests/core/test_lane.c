// lane.h at every width that this build and this processor have.
#include "support/support.h"

#include "core/lane_checks.h"
#include "backend/cpu/lanes.h"

static void check(int lanes, const char *(*checks)(void))
{
    if (!lanes_of(lanes))
    {
        print_message("%d lanes: not here\n", lanes);
        return;
    }
    const char *wrong = checks();
    if (wrong)
        fail_msg("%d lanes: %s is wrong", lanes, wrong);
}

static void every_width(void **state)
{
    (void)state;
    check(1, lane_checks_1);
#if defined(PL_LANES_4)
    check(4, lane_checks_4);
#endif
#if defined(PL_LANES_8)
    check(8, lane_checks_8);
#endif
#if defined(PL_LANES_16)
    check(16, lane_checks_16);
#endif
}

static void check_turns(int lanes, void (*turns)(float (*)[9]))
{
    float wanted[LANE_TURNS][9], got[LANE_TURNS][9];
    if (!lanes_of(lanes))
        return;
    lane_turns_1(wanted);
    turns(got);
    for (int i = 0; i < LANE_TURNS; i++)
        if (memcmp(wanted[i], got[i], sizeof wanted[i]) != 0)
            fail_msg("%d lanes: the rotation of matrix %d is another", lanes, i);
}

// A rotation is found from a guess or, where that is unsound, by sweeps: what the other lanes need must not be seen in it.
static void rotations_of_every_width(void **state)
{
    (void)state;
#if defined(PL_LANES_4)
    check_turns(4, lane_turns_4);
#endif
#if defined(PL_LANES_8)
    check_turns(8, lane_turns_8);
#endif
#if defined(PL_LANES_16)
    check_turns(16, lane_turns_16);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_width), cmocka_unit_test(rotations_of_every_width)};
    return cmocka_run_group_tests_name("lane", tests, NULL, NULL);
}
