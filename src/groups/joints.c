// joints.c: keeps the records of joints that are solved directly, can break, or whose bodies collide. The constraints of a joint are rows
// (author/joint.c); joints_pack.c finds the trees that joints form.
#include "groups/joints.h"
#include "groups/group.h"

extern const group_kind joints_kind;

pl_result joint_record_add(pl_world *w, const int32_t ends[2], const joint_record *record, pl_id *id)
{
    joints *j = &w->joints;
    pl_result result = group_begin(w, &joints_kind, 1, 0);
    if (result == PL_OK && record->direct)
        result = unpack_all(w, true, false); // its row is no longer swept, nor those that it connects
    if (result != PL_OK)
        return result;
    j->member[2 * j->count] = ends[0], j->member[2 * j->count + 1] = ends[1];
    j->record[j->count++] = *record;
    return group_end(w, &joints_kind, j->count - 1, id);
}

const id_entry *joint_entry(const pl_world *w, const joint_record *r, pl_joint_row which)
{
    const uint32_t *id = r->rows[which];
    const id_entry *t = id[0] && id[0] < w->entry_count ? &w->entries[id[0]] : NULL;
    return t && t->type == ID_ROWS && t->generation == id[1] && t->count == 1 ? t : NULL;
}

// Checks a loaded snapshot: the rows that are left of a joint are between its ends.
static pl_result joints_check(pl_world *w)
{
    for (int64_t i = 0; i < w->joints.count; i++)
        for (int k = 0; k < PL_JOINT_ROWS; k++)
        {
            const joint_record *r = &w->joints.record[i];
            const id_entry *t = joint_entry(w, r, (pl_joint_row)k);
            const int32_t *index = t ? w->rows[t->kind].index + 2 * (int64_t)t->first : NULL;
            if ((unsigned)r->direct > 1 || (unsigned)r->collide > 1)
                return PL_ERROR_FORMAT;
            if (t && (!facts_of(t->kind)->frames || index[0] != w->joints.member[2 * i] ||
                      index[1] != w->joints.member[2 * i + 1]))
                return PL_ERROR_FORMAT;
        }
    return PL_OK;
}

// ---- the description of the kind -----------------------------------------------------------------------------------

enum // the role of each column in model/columns.def
{
    ROLE_member = ROLE_STRUCTURE,
    ROLE_record = ROLE_STRUCTURE,
    ROLE_order = ROLE_STATE,
};

static const uint8_t roles[] = {
#define MODEL_JOINTS(type, name, ...) ROLE_##name,
#include "model/columns.def"
};

const group_kind joints_kind = {
    .words = "joints",
    .member_words = "ends of joints",
    .id_entry = ID_JOINT,
    GROUP_COLUMNS_WITHOUT_STARTS(JOINTS),
    .count = offsetof(pl_world, joints.count),
    .members = offsetof(pl_world, joints.count),
    .most = INT32_MAX / 64,
    .roles = roles,
    .member_column = MODEL_JOINTS_member,
    .single = true,
    .packed_first = true, // contacts of bodies are the last in memory, where they grow
    .uses_masses = true,
    .uses_rows = true,
    .melting = MELT_NEVER,
    .choose_rows = joints_choose_rows,
    .size = joints_size,
    .lay_out = joints_lay_out,
    .fill = joints_fill,
    .plan = joints_plan,
    .check = joints_check,
};
