// labels: slow
// timeout: 300
// The scene `pile`: at its end no rigid body has sunk into a box.
#include "physics/pile.h"

static void rigid_bodies_keep_out_of_boxes(void **state)
{
    (void)state;
    depths d = measure(NULL, 0);
    below("depth of rigid bodies in boxes, radii", d.rigid, HOLLOW + 0.05);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rigid_bodies_keep_out_of_boxes)};
    return cmocka_run_group_tests_name("pile", tests, NULL, NULL);
}
