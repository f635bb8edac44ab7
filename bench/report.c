// report.c: the benchmarks' results as a table for people and as JSON for programs.
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The processor's name, as the system tells it.
static const char *device(void)
{
    static char name[128];
    if (name[0] != '\0')
    {
        return name;
    }
    snprintf(name, sizeof name, "unknown processor");
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (f != NULL && fgets(line, sizeof line, f) != NULL)
    {
        char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) == 0 && colon != NULL)
        {
            colon[strcspn(colon, "\n")] = '\0';
            snprintf(name, sizeof name, "%.120s", colon + 2);
            break;
        }
    }
    if (f != NULL)
    {
        fclose(f);
    }
    return name;
}

void print_head(void)
{
    printf("%s\n\n", device());
    printf("| bench | engine | threads | lanes | ms | fastest | M constraints/s | mean error | x Bullet | GB/s asked | "
           "GB/s "
           "of a copy |\n");
    printf("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
}

// What is not known, or has no meaning for the row, is a dash.
static void print_if(double value, int places)
{
    if (value > 0.0)
    {
        printf(" %.*f |", places, value);
    }
    else
    {
        printf(" - |");
    }
}

void print_results(const result *results, int count)
{
    for (int i = 0; i < count; ++i)
    {
        const result *r = &results[i];
        printf("| %s | %s %s%s | %d | %d | %.3f | %.3f | %.0f | %.3f %s |", r->bench, r->from.name, r->from.version,
               r->from.backend != NULL ? " cuda" : "", r->from.threads, r->from.lanes, r->ms, r->ms_min,
               r->work_per_s * 1e-6, (r->bodies > 0 ? 1e3 : 100.0) * r->error, r->bodies > 0 ? "mm" : "%");
        print_if(r->ratio, 2);
        print_if(1e-9 * r->bytes_per_s, 0);
        print_if(1e-9 * r->from.copy_rate, 0);
        printf("\n");
    }
    fflush(stdout);
}

static const result *find_like(const result *results, int count, const char *bench, const result *like)
{
    for (int i = 0; i < count; ++i)
    {
        if (strcmp(results[i].bench, bench) == 0 && strcmp(results[i].from.name, like->from.name) == 0 &&
            results[i].from.threads == like->from.threads)
        {
            return &results[i];
        }
    }
    return NULL;
}

void print_inverted(const result *results, int count)
{
    for (int i = 0; i < count; ++i)
    {
        const result *r = &results[i];
        if (r->tets > 0)
        {
            printf("%s%s, %d threads: %d of %d tetrahedra inside out\n", r->bench,
                   r->from.backend != NULL ? " cuda" : "", r->from.threads, r->inverted, r->tets);
        }
    }
}

void print_bodies(const result *results, int count)
{
    for (int i = 0; i < count; ++i)
    {
        const result *r = &results[i];
        if (r->bodies > 0)
        {
            printf("%s, %s%s, %d threads: drift mean %.3f mm, largest %.3f mm", r->bench, r->from.name,
                   r->from.backend != NULL ? " cuda" : "", r->from.threads, 1e3 * r->drift_mean, 1e3 * r->drift_max);
            if (r->gap_max > 0.0)
            {
                printf("; joint error mean %.3f mm, largest %.3f mm", 1e3 * r->gap_mean, 1e3 * r->gap_max);
            }
            printf("\n");
        }
    }
}

void print_growth(const result *results, int count)
{
    for (int i = 0; i < count; ++i)
    {
        const result *r = &results[i];
        bool sand = strncmp(r->bench, "sand", 4) == 0, fluid = strncmp(r->bench, "fluid", 5) == 0;
        const char *smallest = sand ? "sand10k" : "fluid100k";
        const result *small = find_like(results, count, smallest, r);
        if (!(sand || fluid) || r->from.name[0] != 'p')
        {
            continue;
        }
        printf("%s%s%s, %d threads: %.4f us a particle", i == 0 ? "\n" : "", r->bench,
               r->from.backend != NULL ? " cuda" : "", r->from.threads, 1e3 * r->ms / r->particles);
        if (small != NULL && small != r && r->particles > small->particles)
        {
            printf(", %.2f x %s's", r->ms / r->particles * small->particles / small->ms, smallest);
        }
        printf("\n");
    }
}

// JSON has no NaN: an engine that fell apart has no error to tell.
static void put_number(FILE *f, const char *name, double value, const char *end)
{
    if (isfinite(value))
    {
        fprintf(f, "\"%s\": %.9g%s", name, value, end);
    }
    else
    {
        fprintf(f, "\"%s\": null%s", name, end);
    }
}

static void put_text(FILE *f, const char *name, const char *text)
{
    fprintf(f, "\"%s\": \"", name);
    for (; *text != '\0'; ++text)
    {
        if (*text == '"' || *text == '\\')
        {
            fputc('\\', f);
        }
        fputc((unsigned char)*text < 32 ? ' ' : *text, f);
    }
    fprintf(f, "\", ");
}

bool write_json(const char *path, const result *results, int count)
{
    size_t size = strlen(path) + 8;
    char *part = malloc(size);
    if (part == NULL)
    {
        return false;
    }
    snprintf(part, size, "%s.part", path);
    FILE *f = fopen(part, "w");
    bool good = f != NULL;
    if (good)
    {
        fprintf(f, "[\n");
        for (int i = 0; i < count; ++i)
        {
            const result *r = &results[i];
            fprintf(f, "  {");
            put_text(f, "bench", r->bench);
            put_text(f, "engine", r->from.name);
            put_text(f, "version", r->from.version);
            fprintf(f, "\"threads\": %d, \"lanes\": %d, ", r->from.threads, r->from.lanes);
            put_text(f, "backend", r->from.backend != NULL ? r->from.backend : "cpu");
            put_text(f, "device", r->from.device != NULL ? r->from.device : device());
            put_number(f, "ms", r->ms, ", ");
            put_number(f, "ms_min", r->ms_min, ", ");
            put_number(f, "work_per_s", r->work_per_s, ", ");
            put_number(f, "error", r->error, ", ");
            put_number(f, "ratio", r->ratio > 0.0 ? r->ratio : NAN, ", ");
            put_number(f, "bytes_per_s", r->bytes_per_s > 0.0 ? r->bytes_per_s : NAN, ", ");
            put_number(f, "copy_rate", r->from.copy_rate > 0.0 ? r->from.copy_rate : NAN, "}");
            fputs(i + 1 < count ? ",\n" : "\n", f);
        }
        fprintf(f, "]\n");
        good = ferror(f) == 0;
        good = fclose(f) == 0 && good;
        good = good && rename(part, path) == 0;
    }
    if (!good)
    {
        remove(part);
    }
    free(part);
    return good;
}
