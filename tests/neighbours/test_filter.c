// test_filter.c: the contact filter: groups, self, masks, fluid, fixed particles, and those near each other at rest.
#include "neighbours/query.h" // before cmocka, which has a fail() of its own

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static float x[8] = {0, 0, 0, 1, 0, 0, 0, 1}, rest[8], collision[8] = {0.1f, 0, 0, 0, 0.1f, 0, 0, 0};
static const neighbour_query query = {
    .x = x, .mass = x, .collision = collision, .rest = rest, .filter = NEIGHBOURS_CONTACT};

// May two particles of these phases touch?
static bool allows(uint32_t a, uint32_t b)
{
    collision[1] = float_of(a), collision[5] = float_of(b);
    bool may = neighbours_allowed(&query, 0, 1);
    assert_int_equal(may, neighbours_allowed(&query, 1, 0));
    return may;
}

static void phases(void **state)
{
    (void)state;
    const uint32_t mask = 1u << PHASE_MASK_AT, self = mask | PHASE_SELF;
    assert_true(allows(1 | mask, 2 | mask));
    assert_false(allows(1 | mask, 1 | mask));
    assert_true(allows(1 | self, 1 | self));
    assert_false(allows(1 | mask << 1, 2 | mask));
    assert_false(allows(1 | mask | PHASE_FLUID, 2 | mask | PHASE_FLUID));
    assert_true(allows(1 | mask | PHASE_FLUID, 2 | mask));
    collision[3] = 0.01f; // a corner of a surface
    assert_false(allows(1 | mask, 2 | mask));
    collision[3] = 0.0f;
    x[3] = 0.0f;
    assert_true(allows(1 | mask, 2 | mask));
    x[7] = 0.0f; // neither can move
    assert_false(allows(1 | mask, 2 | mask));
    x[3] = x[7] = 1.0f;
}

static void near_at_rest(void **state)
{
    (void)state;
    const uint32_t self = 1u << PHASE_MASK_AT | PHASE_SELF;
    assert_false(allows(1 | self | PHASE_FILTER, 1 | self));
    rest[0] = 0.31f;
    assert_true(allows(1 | self | PHASE_FILTER, 1 | self));
    rest[0] = 0.29f;
    assert_false(allows(1 | self | PHASE_FILTER, 1 | self));
    rest[3] = float_of(1); // of another object
    assert_true(allows(1 | self | PHASE_FILTER, 1 | self));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(phases), cmocka_unit_test(near_at_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
