// frame_table.c: see frame_table.h. Names of columns are fixed: people's scripts read them. All columns are always there; a field of what
// was not measured is empty.
#include "frame_table.h"

#include "io/number.h"

#include <math.h>
#include <string.h>

enum
{
    CELLS_MOST = 48,
};

struct cell
{
    char name[24];
    double value; // NaN: not measured
};

struct line
{
    struct cell cells[CELLS_MOST];
    int count;
};

static void put(struct line *l, const char *name, double value)
{
    struct cell *cell = &l->cells[l->count++];
    snprintf(cell->name, sizeof cell->name, "%s", name);
    cell->value = value;
}

static void put_vector(struct line *l, const char *name, const double v[3])
{
    for (int k = 0; k < 3; k++)
    {
        char one[24];
        snprintf(one, sizeof one, "%s_%c", name, 'x' + k);
        put(l, one, v[k]);
    }
}

static void put_energy(struct line *l, const pl_world *world)
{
    double linear[3], angular[3];
    pl_energy energy = pl_world_energy(world);
    pl_residual residual = pl_world_residual(world);
    put(l, "kinetic", energy.kinetic);
    put(l, "potential", energy.potential);
    put(l, "elastic", energy.elastic);
    put(l, "total", energy.kinetic + energy.potential + energy.elastic);
    put(l, "residual_mean", residual.count ? residual.mean : (double)NAN);
    put(l, "residual_max", residual.count ? residual.max : (double)NAN);
    pl_world_momentum(world, linear, angular);
    put_vector(l, "momentum", linear);
    put_vector(l, "angular_momentum", angular);
}

static void put_contacts(struct line *l, const pl_world *world)
{
    pl_penetration depth = pl_world_penetration(world);
    put(l, "contacts", depth.measured ? (double)depth.contacts : (double)NAN);
    put(l, "penetration_mean", depth.measured ? depth.mean : (double)NAN);
    put(l, "penetration_max", depth.measured ? depth.max : (double)NAN);
    put(l, "crossings", depth.measured ? (double)depth.crossings : (double)NAN);
    put(l, "rigid_contacts", depth.measured ? (double)depth.rigid_contacts : (double)NAN);
    put(l, "rigid_depth", depth.measured ? depth.rigid_depth : (double)NAN);
}

// What came apart, melted and froze in this frame alone.
static void put_changes(struct line *l, struct frame_table *t, const pl_world *world)
{
    pl_tear_counts torn = pl_world_tears(world);
    pl_heat_totals heat = pl_world_heat(world);
    put(l, "splits", (double)(torn.splits - t->torn.splits));
    put(l, "broken", (double)(torn.broken - t->torn.broken));
    put(l, "heat", heat.warm ? heat.heat : (double)NAN);
    put(l, "coldest", heat.warm ? (double)heat.coldest : (double)NAN);
    put(l, "hottest", heat.warm ? (double)heat.hottest : (double)NAN);
    put(l, "molten", heat.warm ? (double)heat.molten : (double)NAN);
    put(l, "melted", heat.warm ? (double)(heat.melted - t->melted) : (double)NAN);
    put(l, "frozen", heat.warm ? (double)(heat.frozen - t->frozen) : (double)NAN);
    t->torn = torn;
    t->melted = heat.melted;
    t->frozen = heat.frozen;
}

static void put_times(struct line *l, const pl_world *world, double ms)
{
    pl_timing timing = pl_world_timing(world);
    put(l, "ms", ms < 0.0 ? (double)NAN : ms);
    for (int i = 0; i < PL_STAGE_GROUP_COUNT; i++)
    {
        char name[24];
        snprintf(name, sizeof name, "ms_%s", pl_stage_name((pl_stage_group)i));
        put(l, name, ms < 0.0 ? (double)NAN : timing.stage[i]);
    }
}

// A probe's name may hold a comma or a quote: then it stands in quotes, with its own doubled.
static void put_names(FILE *f, const struct line *l, const struct probes *probes)
{
    for (int i = 0; i < l->count; i++)
    {
        fprintf(f, "%s%s", i ? "," : "", l->cells[i].name);
    }
    for (int i = 0; i < probes->count; i++)
    {
        const char *text = probes->items[i].text;
        bool quoted = strpbrk(text, ",\"\n") != NULL;
        fputs(quoted ? ",\"" : ",", f);
        for (; *text; text++)
        {
            fputs(*text == '"' ? "\"" : "", f);
            fputc(*text, f);
        }
        fputs(quoted ? "\"" : "", f);
    }
    fputc('\n', f);
}

static void put_value(FILE *f, const char *before, double value)
{
    char text[NUMBER_TEXT];
    fprintf(f, "%s%s", before, isfinite(value) ? number_write(value, text) : "");
}

bool frame_table_named(const char *path) { return path_ends(path, "csv"); }

pl_result frame_table_open(struct frame_table *t, const char *path, const pl_world *world, const struct probes *probes)
{
    if (!frame_table_named(path))
    {
        return PL_OK;
    }
    pl_heat_totals heat = pl_world_heat(world);
    t->torn = pl_world_tears(world);
    t->melted = heat.melted;
    t->frozen = heat.frozen;
    t->probes = probes;
    return out_open(&t->out, path);
}

void frame_table_frame(struct frame_table *t, const pl_world *world, double ms)
{
    FILE *f = t->out.stream;
    struct line l = {.count = 0};
    if (!f)
    {
        return;
    }
    put(&l, "frame", (double)pl_world_frame(world));
    put(&l, "time", pl_world_time(world));
    put(&l, "particles", (double)pl_particle_count(world));
    put_energy(&l, world);
    put_contacts(&l, world);
    put_changes(&l, t, world);
    put_times(&l, world, ms);
    if (!t->begun)
    {
        put_names(f, &l, t->probes);
    }
    t->begun = true;
    for (int i = 0; i < l.count; i++)
    {
        put_value(f, i ? "," : "", l.cells[i].value);
    }
    for (int i = 0; i < t->probes->count; i++)
    {
        put_value(f, ",", probe_value(&t->probes->items[i], world));
    }
    fputc('\n', f);
}

pl_result frame_table_close(struct frame_table *t)
{
    if (t->out.stream && t->begun)
    {
        return out_finish(&t->out);
    }
    out_abort(&t->out);
    return PL_OK;
}
