// snapshot_groups.c: the parts of a snapshot that are groups of particles, and their heat.
#include "model/model_columns.h"

static void walk_clusters(stream *s, pl_world *w)
{
    clusters *c = &w->clusters;
    stream_number64(s, &c->count, 0, INT32_MAX / 8, "clusters");
    stream_number64(s, &c->members, 0, INT32_MAX / 8, "members of clusters");
    if (s->result != PL_OK || c->count == 0)
        return;
    if (s->saving && groups_packed(w))
        clusters_unpack(w);
    columns_stream(s, w, MODEL_OF_CLUSTERS, 0);
}

static void walk_oriented(stream *s, pl_world *w)
{
    oriented *o = &w->oriented;
    stream_number64(s, &o->count, 0, INT32_MAX / 8, "oriented particles");
    if (s->result != PL_OK || o->count == 0)
        return;
    if (s->saving && groups_packed(w))
        oriented_unpack(w);
    columns_stream(s, w, MODEL_OF_ORIENTED, 0);
}

static void walk_lattices(stream *s, pl_world *w)
{
    lattices *l = &w->lattices;
    stream_number64(s, &l->count, 0, INT32_MAX / 8, "lattices");
    stream_number64(s, &l->members, 0, INT32_MAX / 8, "members of lattices");
    if (s->result != PL_OK || l->count == 0)
        return;
    if (s->saving && groups_packed(w))
        lattices_unpack(w);
    columns_stream(s, w, MODEL_OF_LATTICES, 0);
}

static void walk_visuals(stream *s, pl_world *w)
{
    visuals *v = &w->visuals;
    stream_number64(s, &v->count, 0, INT32_MAX / 64, "visuals");
    if (s->result != PL_OK || v->count == 0)
        return;
    columns_stream_one(s, w, MODEL_VISUALS_ends, 0);
    if (s->result == PL_OK && !s->saving && !visuals_ends_fit(v))
        s->result = fail(PL_ERROR_FORMAT, "snapshot: a visual ends before it begins");
    if (s->result != PL_OK)
    {
        if (!s->saving)
            v->count = 0; // or whoever frees the world would believe the ends
        return;
    }
    columns_stream(s, w, MODEL_OF_VISUALS, 0);
}

static void walk_volumes(stream *s, pl_world *w)
{
    volumes *v = &w->volumes;
    v->triangle_count = v->count ? v->start[v->count] : 0;
    stream_number64(s, &v->count, 0, INT32_MAX / 32, "volumes");
    stream_number64(s, &v->triangle_count, 0, INT32_MAX / 32, "triangles of volumes");
    if (s->result != PL_OK || v->count == 0)
        return;
    if (s->saving && groups_packed(w))
        volumes_unpack(w);
    columns_stream(s, w, MODEL_OF_VOLUMES, 0);
}

void walk_groups(stream *s, pl_world *w)
{
    walk_clusters(s, w);
    walk_oriented(s, w);
    walk_lattices(s, w);
    walk_visuals(s, w);
    walk_volumes(s, w);
}

static void walk_rule(stream *s, pl_heat_def *r)
{
    float *const floats[] = {&r->temperature, &r->conductivity, &r->capacity, &r->exchange,
                             &r->melting,     &r->freezing,     &r->latent};
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        stream_bytes(s, floats[i], sizeof(float));
    stream_flag(s, &r->melts, "what melts");
    stream_number32(s, &r->molten, 0, PL_MAX_MATERIALS - 1, "the material of what is molten");
    stream_bytes(s, &r->solid, sizeof r->solid);
}

void walk_heat(stream *s, pl_world *w)
{
    heat *h = &w->heat;
    stream_bytes(s, &h->ambient, sizeof h->ambient);
    stream_number64(s, &h->melted, 0, INT64_MAX, "what has melted");
    stream_number64(s, &h->frozen, 0, INT64_MAX, "what has frozen");
    stream_number32(s, &h->groups, 0, 0x7ffe, "lumps");
    if (h->count > w->numbers.end)
        h->count = w->numbers.end; // the last ones have been removed
    stream_number64(s, &h->rule_count, 0, INT32_MAX / 8, "rules of heat");
    stream_number64(s, &h->count, 0, w->numbers.end, "warm particles");
    if (!s->saving && s->result == PL_OK && (size_t)h->rule_count > (s->size - s->at) / sizeof(pl_cluster_material))
        stream_ends(s);
    if (!s->saving && s->result == PL_OK)
        s->result = array_reserve(&w->memory, &h->rules, &h->rule_capacity, h->rule_count, sizeof *h->rules);
    for (int64_t i = 0; s->result == PL_OK && i < h->rule_count; i++)
        walk_rule(s, &h->rules[i]);
    stream_items(s, &w->memory, &h->warm, &h->capacity, h->count, sizeof *h->warm);
}
