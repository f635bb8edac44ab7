// arguments.h: reads the arguments of a command from a table, which is also its help.
#ifndef PLIANT_CLI_ARGUMENTS_H
#define PLIANT_CLI_ARGUMENTS_H

#include <stddef.h>

enum option_kind
{
    OPTION_INT,
    OPTION_NUMBER, // from min/1000 to max
    OPTION_TEXT,
    OPTION_LIST,
    OPTION_FLAG,
    OPTION_SETTING,     // short for --set of the field of the same name
    OPTION_SETTING_INT, // the same, and a whole number
};

struct option
{
    const char *name, *value; // value: its name in the help
    enum option_kind kind;
    size_t offset, count_offset; // of the member that takes the value; of a list's length
    int min, max;
    const char *about;
};

// The settings that other options are short for: "substeps=20".
struct option_texts
{
    char (*items)[64];
    int count;
};

// Describes a command: its table, and where its struct keeps the scene and the sets.
struct option_command
{
    const char *name, *help; // help: its first lines
    const struct option *table;
    int count;
    size_t scene, sets, set_count, texts; // offsets: const char *, const char **, int, struct option_texts
};

// Fills the struct `into`, which must be 0 except for defaults. Lists have room for all arguments
// and eight more values. Returns an exit code, or
// -1 to go on; free with arguments_free in any case.
int arguments_read(const struct option_command *command, int count, char **arguments, void *into);
void arguments_free(const struct option_command *command, void *into);

// Refuses a SIMD width that this machine does not have, and a backend that is neither cpu nor cuda nor NULL. Return an exit
// code, or -1 to go on.
int check_lanes(int lanes);
int check_backend(const char *backend);

#endif
