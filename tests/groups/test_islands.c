// Islands of bodies against a flood fill, on random graphs.
#include "groups/islands.h"
#include "support/support.h"

enum
{
    MOST = 60
};

static int die(uint64_t *seed, int sides) { return (int)((float)sides * 0.5f * (dice(seed) + 1.0f)) % sides; }

// The same by the definition: bodies that a path of moving bodies connects; -1 if one of them is not ready.
static void flood(const island_body *body, bool tied[MOST][MOST], int count, int32_t *out)
{
    for (int i = 0; i < count; i++)
    {
        int list[MOST], length = 1, lowest = i;
        bool seen[MOST] = {false}, ready = true;
        list[0] = i, seen[i] = true;
        for (int at = 0; at < length; at++)
        {
            int a = list[at];
            ready &= body[a].ready;
            lowest = a < lowest ? a : lowest;
            for (int b = 0; b < count; b++)
                if (body[a].moves && body[b].moves && tied[a][b] && !seen[b])
                    seen[b] = true, list[length++] = b;
        }
        out[i] = ready && body[i].moves ? lowest : -1;
    }
}

static void random_graphs(void **unused)
{
    (void)unused;
    uint64_t seed = 7;
    int asleep = 0, awake = 0;
    for (int round = 0; round < 500; round++)
    {
        island_body body[MOST];
        bool tied[MOST][MOST] = {{false}};
        int32_t set[MOST], wanted[MOST], edge[2 * MOST][2];
        int count = 1 + die(&seed, MOST - 1), edges = die(&seed, 2 * count);
        for (int i = 0; i < count; i++)
            body[i] = (island_body){die(&seed, 5) > 0, die(&seed, 20) > 0};
        for (int i = 0; i < count; i++)
            body[i].ready &= body[i].moves;
        for (int i = 0; i < edges; i++)
        {
            edge[i][0] = die(&seed, count), edge[i][1] = die(&seed, count);
            tied[edge[i][0]][edge[i][1]] = tied[edge[i][1]][edge[i][0]] = true;
        }
        flood(body, tied, count, wanted);
        for (int order = 0; order < 2; order++) // of the ties: the result is the same
        {
            island_body now[MOST];
            memcpy(now, body, sizeof now);
            islands_open(set, count);
            for (int i = 0; i < edges; i++)
            {
                const int32_t *e = edge[order ? edges - 1 - i : i];
                islands_tie(set, now, e[order], e[1 - order]);
            }
            islands_close(set, now, count);
            for (int i = 0; i < count; i++)
                assert_int_equal(set[i], wanted[i]);
        }
        for (int i = 0; i < count; i++)
            asleep += wanted[i] >= 0, awake += wanted[i] < 0;
    }
    assert_true(asleep > 1000 && awake > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(random_graphs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
