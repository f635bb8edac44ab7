// convergence.c: forces and rigid distances that have not converged.
#include "advice.h"

#include <stdio.h>

#define POOR_FORCES 0.2 // warned of: constraints act 1.25 times as soft as they should
#define POOR_STRAIN 0.03

const char *convergence_percent(const pl_convergence *c, char out[32])
{
    double shown = 100.0 * c->force_error;
    bool more = !c->settled || shown > 99.9;
    snprintf(out, 32, "%s%.3g", more ? "more than " : "", shown < 99.9 ? shown : 99.9);
    return out;
}

void advise_convergence(struct advice *a, const pl_convergence *c, bool expected)
{
    const char *are = expected ? "will be" : "are";
    char off[32];
    if (!c->measured)
    {
        return;
    }
    if (c->force_error > POOR_FORCES)
    {
        double softer = c->force_error < 0.999 ? 1.0 / (1.0 - c->force_error) : 1000.0;
        advise(a,
               "forces %s off by %s %%, so constraints act %.*f times as soft as their compliance "
               "says; use substeps %d and iterations %d for 5 %%%s",
               are, convergence_percent(c, off), softer < 10.0 ? 1 : 0, softer, c->substeps, c->iterations,
               softer > 20.0 ? ", or a larger compliance, or 0 if nothing should stretch" : "");
    }
    if (c->rigid_strain > POOR_STRAIN)
    {
        advise(a, "rigid distances %s stretched by %.2g %%; use substeps %d and iterations %d for 1 %%", are,
               100.0 * c->rigid_strain, c->substeps, c->iterations);
    }
}
