// heat.c: saves and loads the heat of particles in a snapshot.
#include "snapshot/snapshot.h"

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
        h->count = w->numbers.end; // the last particles have been removed
    stream_number64(s, &h->rule_count, 0, INT32_MAX / 8, "rules of heat");
    stream_number64(s, &h->count, 0, w->numbers.end, "warm particles");
    if (!s->saving && s->result == PL_OK && (size_t)h->rule_count > (s->size - s->at) / sizeof(pl_cluster_material))
        stream_ends(s);
    if (!s->saving && s->result == PL_OK)
        s->result = array_reserve(&w->memory, &h->rules, &h->rule_capacity, h->rule_count, sizeof *h->rules);
    for (int64_t i = 0; s->result == PL_OK && i < h->rule_count; i++)
        walk_rule(s, &h->rules[i]);
    stream_items(s, &w->memory, &h->of_particle, &h->capacity, h->count, sizeof *h->of_particle);
}
