// convergence.c: see convergence.h.
#include "convergence.h"

#include "io/number.h"

#define POOR_FORCES 0.2 // warned of: constraints act 1.25 times as soft as they should
#define POOR_STRAIN 0.03

// "12", "0.034", "more than 99.9"
static const char *percent(const pl_convergence *c, char out[32])
{
    double shown = 100.0 * c->force_error;
    bool more = !c->settled || shown > 99.9;
    snprintf(out, 32, "%s%.3g", more ? "more than " : "", shown < 99.9 ? shown : 99.9);
    return out;
}

int warn_of_convergence(const pl_convergence *c, bool expected, FILE *to, const char *before)
{
    int warnings = 0;
    const char *are = expected ? "will be" : "are";
    char off[32];
    if (!c->measured)
    {
        return 0;
    }
    if (c->force_error > POOR_FORCES)
    {
        double softer = c->force_error < 0.999 ? 1.0 / (1.0 - c->force_error) : 1000.0;
        fprintf(to,
                "%swarning: forces %s off by %s %%, so constraints act %.*f times as soft as their compliance "
                "says; use substeps %d and iterations %d for 5 %%%s\n",
                before, are, percent(c, off), softer < 10.0 ? 1 : 0, softer, c->substeps, c->iterations,
                softer > 20.0 ? ", or a larger compliance, or 0 if nothing should stretch" : "");
        warnings++;
    }
    if (c->rigid_strain > POOR_STRAIN)
    {
        fprintf(to, "%swarning: rigid distances %s stretched by %.2g %%; use substeps %d and iterations %d for 1 %%\n",
                before, are, 100.0 * c->rigid_strain, c->substeps, c->iterations);
        warnings++;
    }
    return warnings;
}

void tell_convergence(const pl_convergence *c, char *out, size_t size)
{
    char off[32];
    out[0] = 0;
    if (c->measured && c->count)
    {
        snprintf(out, size, ", forces off by %s %%", percent(c, off));
    }
}

void put_convergence(FILE *f, const pl_convergence *c)
{
    char t[2][NUMBER_TEXT];
    if (!c->measured)
    {
        fputs("  \"convergence\": null,\n", f);
        return;
    }
    fprintf(f, "  \"convergence\": {\"force_error\": %s, \"settled\": %s, \"count\": %lld, ",
            c->count ? number_write(c->force_error, t[0]) : "null", c->settled ? "true" : "false", (long long)c->count);
    fprintf(f, "\"rigid_strain\": %s, \"rigid_count\": %lld, \"substeps\": %d, \"iterations\": %d},\n",
            c->rigid_count ? number_write(c->rigid_strain, t[1]) : "null", (long long)c->rigid_count, c->substeps,
            c->iterations);
}
