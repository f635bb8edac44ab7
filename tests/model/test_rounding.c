// The bits do not depend on the floating-point modes of the program around the library.
#include "support/support.h"

#include <fenv.h>

static uint64_t run(int threads)
{
    pl_world_def def = small_def(4, 2);
    pl_world *w;
    def.threads = threads;
    good(pl_world_create(&def, &w));
    pl_cloth_def c = pl_default_cloth_def();
    c.columns = c.rows = 40; // large enough to be shared between workers
    c.pinned = (int32_t[]){0, 39};
    c.pinned_count = 2;
    c.stretch.compliance = 1e-5f;
    good(pl_add_cloth(w, &c, NULL));
    for (int f = 0; f < 10; f++)
        good(pl_world_step(w, 1.0f / 60.0f));
    uint64_t hash = pl_world_hash(w);
    pl_world_destroy(w);
    return hash;
}

static void modes_of_the_caller_do_not_matter(void **state)
{
    (void)state;
    const uint64_t wanted = run(1);
    const int modes[] = {FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};
    for (int i = 0; i < 3; i++)
    {
        fesetround(modes[i]);
        uint64_t one = run(1), two = run(2);
        int kept = fegetround();
        fesetround(FE_TONEAREST);
        assert_true(one == wanted);
        assert_true(two == wanted);
        assert_int_equal(kept, modes[i]); // and the caller keeps its own
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(modes_of_the_caller_do_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
