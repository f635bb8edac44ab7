// lane.h at every width that this build and this processor have.
#include "support/support.h"

#include "core/lane_checks.h"
#include "cpu/lanes.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_width)};
    return cmocka_run_group_tests_name("lane", tests, NULL, NULL);
}
