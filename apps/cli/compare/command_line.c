// command_line.c: the commands that repeat a comparison or one of its trials.
#include "comparison.h"

#include <math.h>
#include <string.h>

// Quotes for a shell where it is needed.
static void put_argument(const char *text, FILE *to)
{
    if (text[0] &&
        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=,:+-") == strlen(text))
    {
        fputs(text, to);
        return;
    }
    fputc('\'', to);
    for (; *text; text++)
    {
        fputs(*text == '\'' ? "'\\''" : (char[]){*text, 0}, to);
    }
    fputc('\'', to);
}

static void put_option(const char *name, const char *value, FILE *to)
{
    fprintf(to, " %s ", name);
    put_argument(value, to);
}

void comparison_tell_command(const struct comparison *c, int trial, FILE *to)
{
    char number[32];
    fprintf(to, "pliant %s ", trial < 0 ? c->command : "run");
    put_argument(c->scene, to);
    for (int i = 0; i < c->set_count; i++)
    {
        put_option("--set", c->sets[i], to);
    }
    for (int i = 0; i < c->variations.count; i++)
    {
        const struct variation *v = &c->variations.items[i];
        fprintf(to,
                trial < 0                               ? " --vary %s="
                : comparison_is_program_field(v->field) ? " --%s "
                                                        : " --set %s=",
                v->field);
        for (int k = 0; k < v->count; k++)
        {
            if (trial < 0 || k == variation_choice(&c->variations, trial, i))
            {
                fputs(trial < 0 && k > 0 ? "," : "", to);
                put_argument(v->values[k], to);
            }
        }
    }
    double dt = trial < 0 ? c->scene_dt : comparison_value(c, trial, "dt", c->scene_dt);
    snprintf(number, sizeof number, "%d", (int)floor(c->seconds / dt + 0.5));
    put_option("--frames", number, to);
    if (trial < 0 && c->reference_name)
    {
        put_option("--reference", c->reference_name, to);
    }
}
