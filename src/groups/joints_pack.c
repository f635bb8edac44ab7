// joints_pack.c: finds the trees of joints that are solved directly and packs them (kernels/joint_tree.h).
//
// Bodies that move are the nodes, joints between two of them the edges. A joint that would close a loop remains a row
// that is only swept. A joint to something held closes none: it belongs to its body. The order depends on the particle
// numbers and on the order in which joints were added, so that it is the same after a save and a load.
#include "core/arena.h"
#include "core/union_find.h"
#include "groups/group.h"
#include "groups/joints.h"
#include "model/columns.h"
#include "plan/planner.h"

#include <string.h>

// ---- finding the trees ---------------------------------------------------------------------------------------------

// The joints of a body are a list: first[body] is 2 * joint + end, and next[...] follows it; -1 ends it.
typedef struct forest
{
    pl_world *w;
    bool choose;    // which joints are solved directly is chosen now; else their rows have the colour COLOUR_GROUP
    int32_t *set;   // for each particle number, as the next four: disjoint sets of joined bodies
    int32_t *first; // its joints
    int32_t *found; // its number among the packed bodies, or -1
    int32_t *above; // its joint towards the root, as 2 * joint + its end; or -1
    int32_t *queue;
    int32_t *next; // for each joint, two
} forest;

static bool moves(const pl_world *w, int32_t number) { return inverse_mass(w, slot_of(w, number)) > 0.0f; }

// Is the joint an equation that can be solved directly?
static bool is_equation(const pl_world *w, const joint_record *r, bool choose)
{
    const id_entry *t = r->direct ? joint_entry(w, r, PL_JOINT_BASE) : NULL;
    if (!t || row_broken(&w->rows[t->kind], t->first) || !(choose || w->rows[t->kind].colour[t->first] == COLOUR_GROUP))
        return false;
    const float *param = w->rows[t->kind].param + (int64_t)t->first * facts_of(t->kind)->info.params;
    return !facts_of(t->kind)->bound || (t->kind == PL_KIND_DISTANCE_JOINT && param[6] == param[7]);
}

static void list_joints(forest *f)
{
    const joints *j = &f->w->joints;
    for (int32_t n = 0; n < f->w->numbers.end; n++)
        f->set[n] = n, f->first[n] = f->found[n] = f->above[n] = -1;
    for (int32_t i = (int32_t)j->count - 1; i >= 0; i--) // backwards, so that the lists have the order of the joints
    {
        const int32_t *ends = j->member + 2 * (int64_t)i;
        bool free[2] = {moves(f->w, ends[0]), moves(f->w, ends[1])};
        f->next[2 * i] = f->next[2 * i + 1] = -1;
        if (!is_equation(f->w, &j->record[i], f->choose) || !(free[0] || free[1]))
            continue;
        if (free[0] && free[1] && union_find(f->set, ends[0]) == union_find(f->set, ends[1]))
            continue; // a loop
        if (free[0] && free[1])
            union_join(f->set, ends[0], ends[1]);
        if (f->choose)
        {
            const id_entry *t = joint_entry(f->w, &j->record[i], PL_JOINT_BASE);
            f->w->rows[t->kind].colour[t->first] = COLOUR_GROUP;
        }
        for (int e = 0; e < 2; e++)
            if (free[e])
            {
                f->next[2 * i + e] = f->first[ends[e]];
                f->first[ends[e]] = 2 * i + e;
            }
    }
}

static void put(forest *f, int32_t entry, int32_t tree, int32_t lower, int32_t upper)
{
    joints *j = &f->w->joints;
    int32_t end = entry & 1; // the end that is the upper body; a joint to something held has no lower one
    j->order[j->links++] = (joint_order){entry / 2, tree, {lower, upper}, {1 - end, end}};
}

// Lists the bodies of the tree that a body is in, from that root on, and puts its joints in reverse: those of a body
// come before the one that leads from it towards the root.
static void put_tree(forest *f, int32_t root)
{
    joints *j = &f->w->joints;
    int32_t count = 1, first = j->bodies;
    f->queue[0] = root;
    f->found[root] = first;
    for (int32_t i = 0; i < count; i++)
        for (int32_t at = f->first[f->queue[i]]; at >= 0; at = f->next[at])
        {
            int32_t other = j->member[at ^ 1];
            if (!moves(f->w, other) || f->found[other] >= 0)
                continue;
            f->above[other] = at;
            f->found[other] = first + count;
            f->queue[count++] = other;
        }
    for (int32_t i = count - 1; i >= 0; i--)
    {
        int32_t body = f->queue[i], up = f->above[body];
        for (int32_t at = f->first[body]; at >= 0; at = f->next[at])
            if (!moves(f->w, j->member[at ^ 1]))
                put(f, at, j->trees, -1, f->found[body]);
        if (up >= 0)
            put(f, up, j->trees, f->found[body], f->found[j->member[up]]);
    }
    j->bodies += count;
    j->trees++;
}

// Runs the function on a forest with its memory.
static pl_result with_forest(pl_world *w, bool choose, void (*use)(forest *f))
{
    void *block = NULL;
    size_t n = (size_t)w->numbers.end, bytes = (n * 5 + (size_t)w->joints.count * 2) * sizeof(int32_t);
    pl_result result = memory_resize(&w->memory, &block, 0, bytes);
    if (result != PL_OK)
        return result;
    int32_t *at = block;
    forest f = {w, choose, at, at + n, at + 2 * n, at + 3 * n, at + 4 * n, at + 5 * n};
    use(&f);
    memory_free(&w->memory, block, bytes);
    return PL_OK;
}

pl_result joints_choose_rows(pl_world *w) { return w->joints.count ? with_forest(w, true, list_joints) : PL_OK; }

static void find_trees(forest *f)
{
    const joints *j = &f->w->joints;
    list_joints(f);
    for (int64_t i = 0; i < 2 * j->count; i++)
        if (f->first[j->member[i]] >= 0 && f->found[j->member[i]] < 0)
            put_tree(f, j->member[i]);
}

pl_result joints_size(pl_world *w)
{
    joints *j = &w->joints;
    j->trees = j->links = j->bodies = 0;
    if (j->count == 0)
        return PL_OK;
    pl_result result = columns_reserve(w, PER_JOINTS_ORDER, 0, j->count);
    return result == PL_OK ? with_forest(w, false, find_trees) : result;
}

// ---- packing -------------------------------------------------------------------------------------------------------

void joints_lay_out(pl_world *w, arena *a)
{
    packed_joints *p = &w->state.joints;
    p->trees = w->joints.trees, p->links = w->joints.links, p->bodies = w->joints.bodies;
    packed_lay_out(&w->state, OWNER_JOINTS, a);
}

void joints_fill(pl_world *w, int32_t *scratch)
{
    const joints *j = &w->joints;
    packed_joints *p = &w->state.joints;
    int32_t body = 0;
    (void)scratch;
    for (int32_t i = 0; i < p->links; i++)
    {
        const joint_order *o = &j->order[i];
        const id_entry *t = joint_entry(w, &j->record[o->record], PL_JOINT_BASE);
        int32_t row = w->rows[t->kind].packed_at[t->first];
        p->link[i] = (tree_link){t->kind, row, {o->body[0], o->body[1]}, {o->end[0], o->end[1]}};
        if (i == 0 || o->tree != j->order[i - 1].tree)
            p->link_start[o->tree] = i, p->body_start[o->tree] = body;
        for (int side = 0; side < 2; side++)
            body = o->body[side] >= body ? o->body[side] + 1 : body;
    }
    p->link_start[p->trees] = p->links, p->body_start[p->trees] = p->bodies;
}

// ---- stages --------------------------------------------------------------------------------------------------------

void joints_plan(planner *p, enum plan_hook hook, int iteration)
{
    stage g = {
        .op = OP_JOINT_TREE, .end = p->world->state.joints.trees, .first = iteration == 0, .keep = 1, .grain_size = 1};
    if (hook == PLAN_BEFORE_CONTACTS && g.end)
        plan_stage(p, g);
}
