// event_log.c: see event_log.h. Field names are fixed: people's scripts read them.
#include "event_log.h"

#include "core/error.h"
#include "io/number.h"

#include <stdlib.h>

pl_result event_log_open(struct event_log *log, pl_world *world, const char *path)
{
    if (!path)
    {
        return PL_OK;
    }
    pl_watch_def watch = pl_default_watch_def();
    pl_result result = pl_world_watches(world) ? PL_OK : pl_watch_contacts(world, &watch);
    return result == PL_OK ? out_open_text(&log->out, path) : result;
}

static void put_vector(FILE *f, const char *name, pl_vec3 v)
{
    char t[3][NUMBER_TEXT];
    fprintf(f, ", \"%s\": [%s, %s, %s]", name, number_write_float(v.x, t[0]), number_write_float(v.y, t[1]),
            number_write_float(v.z, t[2]));
}

static void put_event(FILE *f, const pl_world *world, const pl_contact_event *e)
{
    static const char *const phases[] = {"begin", "stay", "end", "hit"};
    char time[NUMBER_TEXT];
    fprintf(f, "{\"frame\": %lld, \"time\": %s, \"event\": \"%s\", \"a\": %d", (long long)pl_world_frame(world),
            number_write(pl_world_time(world), time), phases[e->phase], e->a);
    if (e->kind == PL_CONTACT_PARTICLES || e->kind == PL_CONTACT_BODIES)
    {
        fprintf(f, ", \"b\": %d", e->b);
    }
    else if (e->kind == PL_CONTACT_SURFACE || e->kind == PL_CONTACT_BODY_OBJECT)
    {
        int first = -1, count;
        pl_object_range(world, e->object, &first, &count);
        fprintf(f, ", \"b\": %d, \"%s\": %d", e->b, e->kind == PL_CONTACT_SURFACE ? "surface" : "object", first);
    }
    else
    {
        int number = 0;
        while (number < pl_shape_count(world) && pl_shape_at(world, number).index != e->shape.index)
        {
            number++;
        }
        fprintf(f, ", \"shape\": %d", number);
    }
    put_vector(f, "force", e->force);
    put_vector(f, "impulse", e->impulse);
    put_vector(f, "point", e->point);
    put_vector(f, "normal", e->normal);
    if (e->kind >= PL_CONTACT_BODIES)
    {
        char speed[NUMBER_TEXT];
        fprintf(f, ", \"approach\": %s", number_write_float(e->approach, speed));
    }
    fputs("}\n", f);
}

pl_result event_log_frame(struct event_log *log, const pl_world *world)
{
    if (!log->out.stream)
    {
        return PL_OK;
    }
    int count = pl_contact_events(world, NULL, 0);
    if (count > log->capacity)
    {
        pl_contact_event *grown = realloc(log->events, (size_t)count * 2 * sizeof *grown);
        if (!grown)
        {
            return fail(PL_ERROR_MEMORY, "no memory for %d events of contacts; use fewer or free some memory", count);
        }
        log->events = grown;
        log->capacity = 2 * count;
    }
    pl_contact_events(world, log->events, count);
    for (int i = 0; i < count; i++)
    {
        put_event(log->out.stream, world, &log->events[i]);
    }
    return PL_OK;
}

pl_result event_log_close(struct event_log *log)
{
    pl_result result = log->out.stream ? out_finish(&log->out) : PL_OK;
    free(log->events);
    *log = (struct event_log){0};
    return result;
}

void event_log_abort(struct event_log *log)
{
    out_abort(&log->out);
    free(log->events);
    *log = (struct event_log){0};
}
