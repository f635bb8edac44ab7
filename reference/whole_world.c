// whole_world.c: makes the judge of a world with everything in it, or says what it does not cover.
#include "reference.h"

#include "groups/group.h"
#include "model/world.h"

// The number of spinning particles, clusters, bodies ... that the judge would leave out, and what they are called.
static const char *uncovered_group(const pl_world *w)
{
    for (int k = 0; k < GROUP_KINDS; k++)
    {
        if (group_kinds[k]->id_entry != ID_VISUAL && group_count(w, group_kinds[k]) > 0)
        {
            return group_kinds[k]->words;
        }
    }
    return NULL;
}

static bool feels_air(const pl_world *w)
{
    bool feels = false;
    for (int64_t i = 0; i < 2 * w->faces.count; i++)
    {
        feels |= w->faces.drag[i] != 0.0f;
    }
    return feels && w->settings.wind.density > 0.0f;
}

static const char *uncovered_force(const pl_world *w)
{
    const pl_settings *s = &w->settings;
    bool fields = false;
    for (int i = 0; i < MAX_FIELDS; i++)
    {
        fields |= w->field_entry[i] != 0;
    }
    return s->damping > 0.0f || s->internal_damping > 0.0f ? "damping"
           : feels_air(w)                                  ? "air"
           : fields                                        ? "force fields"
           : has_contacts(w)                               ? "contacts"
           : s->solver == PL_SOLVER_PBD                    ? "classic PBD"
                                                           : NULL;
}

static bool cover_row(judge *j, const pl_world *w, int kind, int64_t row)
{
    const rows *r = &w->rows[kind];
    const pl_kind_info *info = pl_kind_describe((pl_kind)kind);
    const pl_softness *soft = &r->soft[row];
    int index[PL_MAX_ARITY] = {0};
    double param[PL_MAX_PARAMS] = {0};
    for (int i = 0; i < info->arity; i++)
    {
        index[i] = r->index[info->arity * row + i];
    }
    for (int i = 0; i < info->params; i++)
    {
        param[i] = (double)r->param[info->params * row + i];
    }
    bool loose_anchor = kind == PL_KIND_TETHER && j->mass[index[1]] > 0.0;
    bool rigid_element = judge_element((pl_kind)kind) && !(soft->compliance > 0.0f);
    if (soft->damping > 0.0f || r->damage || loose_anchor || rigid_element)
    {
        fail(PL_ERROR_UNSUPPORTED, "the reference solver does not cover %s of kind %s",
             soft->damping > 0.0f ? "damped constraints"
             : r->damage          ? "constraints that flow or break"
             : loose_anchor       ? "tethers to particles that move"
                                  : "rigid finite elements",
             info->name);
        return false;
    }
    return judge_add(j, (pl_kind)kind, index, param, (double)soft->compliance) != NULL ||
           fail(PL_ERROR_MEMORY, "no memory for the reference solver") == PL_OK;
}

static bool cover_rows(judge *j, const pl_world *w)
{
    for (int kind = 0; kind < PL_KIND_COUNT; kind++)
    {
        if (w->rows[kind].count && judge_arity((pl_kind)kind) == 0)
        {
            fail(PL_ERROR_UNSUPPORTED, "the reference solver does not cover constraints of kind %s",
                 pl_kind_describe((pl_kind)kind)->name);
            return false;
        }
        for (int64_t row = 0; row < w->rows[kind].count; row++)
        {
            if (!cover_row(j, w, kind, row))
            {
                return false;
            }
        }
    }
    return true;
}

judge *judge_whole_world(const pl_world *w)
{
    const char *what = uncovered_group(w);
    what = what ? what : uncovered_force(w);
    if (what)
    {
        fail(PL_ERROR_UNSUPPORTED, "the reference solver does not cover %s", what);
        return NULL;
    }
    judge *j = judge_from_world(w);
    if (!j)
    {
        fail(PL_ERROR_MEMORY, "no memory for the reference solver");
    }
    else if (!cover_rows(j, w))
    {
        judge_destroy(j);
        j = NULL;
    }
    return j;
}
