// event_log.h: --events FILE: contacts that begin and end, a JSON object a line.
#ifndef PLIANT_CLI_EVENT_LOG_H
#define PLIANT_CLI_EVENT_LOG_H

#include "core/files.h"

struct event_log
{
    struct out_file out; // its stream is NULL: nothing is asked for
    pl_contact_event *events;
    int capacity;
};

// path NULL: nothing is asked for. A world that already watches its contacts goes on as it did.
pl_result event_log_open(struct event_log *log, pl_world *world, const char *path);
// Writes the events of the step just taken.
pl_result event_log_frame(struct event_log *log, const pl_world *world);
pl_result event_log_close(struct event_log *log);
void event_log_abort(struct event_log *log);

#endif
