// signals.c: ends the program, or asks it to stop, when a signal arrives; see cli.h.
#include "cli.h"

#include "core/files.h"

#include <signal.h>

static const int ends[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE};
enum
{
    ENDS = sizeof ends / sizeof *ends,
    ASKS = ENDS - 1, // a pipe without a reader cannot be finished
};

static volatile sig_atomic_t asked;

// A hangup that was ignored from the start, as by nohup, and a pipe stay so. Shells also ignore INT for programs in the
// background; but who sends it to one of them means it.
static void catch_signals(int count, void (*handler)(int))
{
    for (int i = 0; i < count; i++)
    {
        struct sigaction now, next = {.sa_handler = handler, .sa_flags = SA_RESTART};
        sigemptyset(&next.sa_mask);
        bool keeps = ends[i] == SIGHUP || ends[i] == SIGPIPE;
        if (sigaction(ends[i], NULL, &now) == 0 && !(keeps && now.sa_handler == SIG_IGN))
            sigaction(ends[i], &next, NULL);
    }
}

static void quit(int number)
{
    out_abandon_all();
    signal(number, SIG_DFL);
    raise(number);
}

static void ask(int number)
{
    (void)number;
    asked = 1;
    catch_signals(ASKS, quit);
}

void signals_open(void) { catch_signals(ENDS, quit); }
void signals_ask(void) { catch_signals(ASKS, ask); }
bool signals_asked(void) { return asked != 0; }
