// stats.c: see stats.h. Field names are fixed: people's scripts read them.
#include "stats.h"

#include "cli.h"
#include "convergence.h"
#include "core/files.h"
#include "io/number.h"
#include "io/scene.h"

#include <inttypes.h>
#include <stdio.h>

static void put_text(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text; text++)
    {
        if ((unsigned char)*text < 32)
        {
            fprintf(f, "\\u%04x", (unsigned char)*text);
            continue;
        }
        if (*text == '"' || *text == '\\')
        {
            fputc('\\', f);
        }
        fputc(*text, f);
    }
    fputc('"', f);
}

static const char *number(double value, char text[NUMBER_TEXT]) { return number_write(value, text); }

static const char *measured_or_null(bool measured, double value, char text[NUMBER_TEXT])
{
    return measured ? number_write(value, text) : "null";
}

static void put_vector(FILE *f, const char *name, const double v[3])
{
    char t[3][NUMBER_TEXT];
    fprintf(f, "\"%s\": [%s, %s, %s]", name, number(v[0], t[0]), number(v[1], t[1]), number(v[2], t[2]));
}

static void put_times(FILE *f, const struct history *h)
{
    char t[3][NUMBER_TEXT];
    struct ms_summary ms = history_summary(h);
    fprintf(f, "  \"ms_per_frame\": {\"mean\": %s, \"median\": %s, \"p99\": %s, \"stages\": {", number(ms.mean, t[0]),
            number(ms.median, t[1]), number(ms.p99, t[2]));
    for (int i = 0; i < PL_STAGE_GROUP_COUNT; i++)
    {
        double mean = h->frames ? h->stages.stage[i] / h->frames : 0.0;
        fprintf(f, "%s\"%s\": %s", i ? ", " : "", pl_stage_name((pl_stage_group)i), number(mean, t[0]));
    }
    fputs("}},\n", f);
}

// A world without temperatures says nothing of them.
static void put_heat(FILE *f, const pl_world *world)
{
    char t[3][NUMBER_TEXT];
    pl_heat_totals heat = pl_world_heat(world);
    if (heat.warm)
    {
        fprintf(f,
                "  \"heat\": {\"total\": %s, \"coldest\": %s, \"hottest\": %s, \"particles\": %d, \"molten\": %d},\n",
                number(heat.heat, t[0]), number((double)heat.coldest, t[1]), number((double)heat.hottest, t[2]),
                heat.warm, heat.molten);
    }
}

// Nor does one without a fluid.
static void put_fluid(FILE *f, const pl_world *world)
{
    char t[4][NUMBER_TEXT];
    pl_fluid_totals fluid = pl_world_fluid(world);
    if (fluid.particles)
    {
        fprintf(f,
                "  \"fluid\": {\"particles\": %lld, \"volume\": %s, \"compression_mean\": %s, "
                "\"compression_max\": %s, \"pressure_max\": %s},\n",
                (long long)fluid.particles, number(fluid.volume, t[0]), number(fluid.compression_mean, t[1]),
                number(fluid.compression_max, t[2]), number(fluid.pressure_max, t[3]));
    }
}

// Nor does one in which nothing has come apart say so.
static void put_tears(FILE *f, const pl_world *world)
{
    pl_tear_counts torn = pl_world_tears(world);
    if (torn.splits + torn.broken > 0)
    {
        fprintf(f, "  \"torn\": {\"splits\": %lld, \"broken\": %lld},\n", (long long)torn.splits,
                (long long)torn.broken);
    }
}

// Nor does a run without probes.
static void put_probes(FILE *f, const pl_world *world, const struct probes *probes)
{
    char t[NUMBER_TEXT];
    for (int i = 0; i < probes->count; i++)
    {
        double value = probe_value(&probes->items[i], world);
        fputs(i ? ", " : "  \"probes\": {", f);
        put_text(f, probes->items[i].text);
        fprintf(f, ": %s%s", measured_or_null(value - value == 0.0, value, t), i + 1 < probes->count ? "" : "},\n");
    }
}

// How many groups and constraints of each kind there are.
static void put_counts(FILE *f, const pl_world *world)
{
    pl_group_count kinds[GROUP_KINDS_MOST];
    int kind_count = pl_group_counts(world, kinds, GROUP_KINDS_MOST);
    fputs("  \"groups\": {", f);
    for (int i = 0; i < kind_count && i < GROUP_KINDS_MOST; i++)
        fprintf(f, "%s\"%s\": %lld", i ? ", " : "", kinds[i].key, (long long)kinds[i].count);
    fputs("},\n  \"constraints\": {", f);
    for (int k = 0; k < PL_KIND_COUNT; k++)
        fprintf(f, "%s\"%s\": %lld", k ? ", " : "", pl_kind_describe((pl_kind)k)->name,
                (long long)pl_constraint_count(world, (pl_kind)k));
    fputs("},\n", f);
}

static void put_stats(FILE *f, const char *scene, pl_world *world, struct history *h)
{
    char t[6][NUMBER_TEXT];
    double linear[3], angular[3];
    pl_settings s = pl_world_settings(world);
    pl_residual residual = pl_world_residual(world);
    pl_energy energy = pl_world_energy(world);
    pl_world_momentum(world, linear, angular);
    fputs("{\n  \"scene\": ", f);
    put_text(f, scene);
    int threads, lanes;
    pl_world_workers(world, &threads, &lanes);
    fprintf(f, ",\n  \"backend\": \"%s\",\n  \"threads\": %d,\n  \"lanes\": %d,\n",
            pl_world_backend(world) == PL_BACKEND_CUDA ? "cuda" : "cpu", threads, lanes);
    fprintf(f, "  \"solver\": \"%s\",\n", scene_solver_word(s.solver));
    fprintf(f, "  \"frames\": %lld,\n  \"substeps\": %d,\n  \"iterations\": %d,\n", (long long)pl_world_frame(world),
            s.substeps, s.iterations);
    fprintf(f, "  \"particles\": %d,\n  \"bodies\": %lld,\n", pl_particle_count(world),
            (long long)pl_world_groups(world).rigid);
    fprintf(f, "  \"sleeping\": %d,\n", pl_sleeping_rigids(world));
    put_counts(f, world);
    fprintf(f, "  \"colours\": %d,\n", pl_world_order(world).colours);
    put_times(f, h);
    fprintf(f, "  \"residual\": {\"mean\": %s, \"max\": %s, \"count\": %lld},\n",
            measured_or_null(residual.count > 0, residual.mean, t[0]),
            measured_or_null(residual.count > 0, residual.max, t[1]), (long long)residual.count);
    pl_convergence convergence = history_convergence(h, world);
    put_convergence(f, &convergence);
    pl_penetration depth = pl_world_penetration(world);
    fprintf(f,
            "  \"penetration\": {\"mean\": %s, \"max\": %s, \"contacts\": %s, \"crossings\": %s, "
            "\"rigid_contacts\": %s, \"rigid_depth\": %s},\n  \"momentum\": {",
            measured_or_null(depth.measured, depth.mean, t[0]), measured_or_null(depth.measured, depth.max, t[1]),
            measured_or_null(depth.measured, (double)depth.contacts, t[2]),
            measured_or_null(depth.measured, (double)depth.crossings, t[3]),
            measured_or_null(depth.measured, (double)depth.rigid_contacts, t[4]),
            measured_or_null(depth.measured, depth.rigid_depth, t[5]));
    put_vector(f, "linear", linear);
    fputs(", ", f);
    put_vector(f, "angular", angular);
    fprintf(f, "},\n  \"energy\": {\"kinetic\": %s, \"potential\": %s, \"elastic\": %s},\n",
            number(energy.kinetic, t[0]), number(energy.potential, t[1]), number(energy.elastic, t[2]));
    put_heat(f, world);
    put_fluid(f, world);
    put_tears(f, world);
    put_probes(f, world, h->probes);
    fprintf(f, "  \"memory_bytes\": %zu,\n  \"hash\": \"%016" PRIx64 "\"\n}\n", pl_world_memory(world),
            pl_world_hash(world));
}

pl_result stats_write(const char *path, const char *scene, pl_world *world, struct history *h)
{
    struct out_file out;
    pl_result result = out_open_text(&out, path);
    if (result == PL_OK)
    {
        put_stats(out.stream, scene, world, h);
        result = out_finish(&out);
    }
    return result;
}
