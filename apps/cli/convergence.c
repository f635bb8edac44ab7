// convergence.c: see convergence.h.
#include "convergence.h"

#include "advice/advice.h"
#include "io/number.h"

void tell_convergence(const pl_convergence *c, char *out, size_t size)
{
    char off[32];
    out[0] = 0;
    if (c->measured && c->count)
    {
        snprintf(out, size, ", forces off by %s %%", convergence_percent(c, off));
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
