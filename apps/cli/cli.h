// cli.h: what the program's commands share.
#ifndef PLIANT_CLI_H
#define PLIANT_CLI_H

#include <pliant/pliant.h>
#include <stdio.h>

enum exit_code
{
    EXIT_GOOD = 0,
    EXIT_FAILED = 1, // a run that failed
    EXIT_USAGE = 2,  // bad usage, or a bad file
};

enum
{
    GROUP_KINDS_MOST = 32, // kinds of groups whose numbers are printed
};

// The commands; arguments after the command's name.
int command_run(int count, char **arguments);
int command_view(int count, char **arguments);
int command_list(int count, char **arguments);
int command_info(int count, char **arguments);
int command_sweep(int count, char **arguments);
int command_compare(int count, char **arguments);
int command_advise(int count, char **arguments);
int command_verify(int count, char **arguments);
int command_schema(int count, char **arguments);

// signals.c: what HUP, INT, PIPE and TERM do. At first they end the program at once, and nothing half-written stays behind.
void signals_open(void);
// From now on the first HUP, INT or TERM only asks to stop, so that the outputs can be finished; the second ends the program.
void signals_ask(void);
bool signals_asked(void); // to stop

// Writes "pliant: error: ..." and returns EXIT_USAGE.
int bad_usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
// Writes the library's last message and returns the code.
int report_failure(int code);
// Whether an argument asks for help.
bool asks_for_help(const char *argument);

// Returns the one of the known words that is most like `word`, or NULL if none is near; known(i) is NULL beyond the last.
const char *nearest_word(const char *word, const char *(*known)(int number));
// The same, of the words that `list` has.
const char *nearest_of(const char *word, const char *(*known)(const void *list, int number), const void *list);

// Whether scenes may name files outside their folders: --allow-paths, which every command takes.
extern bool allow_paths;

// A built-in scene's name, or a path. When it fails, the message has been written.
pl_result load_scene(const char *name, const char *const *sets, int set_count, pl_scene **scene);
// The same without a message of its own.
pl_result find_scene(const char *name, const char *const *sets, int set_count, pl_scene **scene);
// Writes what pl_scene_advice says, a line of `to` for each, after `before` and "warning: ". Returns how many. `measured`: the
// convergence, if it is known already, or NULL.
int warn(const pl_scene *scene, const pl_world *world, unsigned about, int64_t frames, const pl_convergence *measured,
         FILE *to, const char *before);
// A short name for files: "flag" for "scenes/flag.json".
void short_name(const char *name, char *out, size_t size);

double milliseconds_now(void);

// "4,900"
const char *grouped(long long number, char out[32]);
// "4,900 particles", "1 particle"
const char *counted(long long number, const char *what, char out[64]);

#endif
