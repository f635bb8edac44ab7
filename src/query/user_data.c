// user_data.c: a number of the user for everything that has an id.
#include "groups/rigids.h"

// The two words of an id's user data: those of a rigid body are in its form.
static uint32_t *words_of(const pl_world *w, pl_id id)
{
    id_entry *t = id_find(w, id, ID_FREE, "user data");
    int64_t hint = 0, body = t && t->type == ID_OBJECT && t->count == 1 ? rigid_of(w, t->first, &hint) : -1;
    return !t ? NULL : body >= 0 ? w->rigids.form[body].user : t->user;
}

pl_result pl_set_user_data(pl_world *w, pl_id id, uint64_t user_data)
{
    NEED(w);
    uint32_t *words = words_of(w, id);
    if (!words)
        return PL_ERROR_ARGUMENT;
    words[0] = (uint32_t)user_data;
    words[1] = (uint32_t)(user_data >> 32);
    return PL_OK;
}

uint64_t pl_get_user_data(const pl_world *w, pl_id id)
{
    const uint32_t *words = w && id.index ? words_of(w, id) : NULL;
    return words ? words[0] | (uint64_t)words[1] << 32 : 0;
}
