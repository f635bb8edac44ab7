// main.c: the program `pliant`: picks the command.
#include "cli.h"

#include "core/files.h"

#include <stdio.h>
#include <string.h>

static const struct command
{
    const char *name;
    int (*run)(int count, char **arguments);
    const char *about; // NULL: not for everyone
} commands[] = {
    {"run", command_run, "simulate a scene"},
    {"view", command_view, "show a scene in a window and interact with it"},
    {"list", command_list, "list the built-in scenes"},
    {"info", command_info, "describe a scene and warn of mistakes"},
    {"verify", command_verify,
     "check this machine: gradients, momentum, and equal bits for all SIMD widths and threads"},
    {"compare", command_compare, "measure settings of a scene against a reference: error against cost"},
    {"advise", command_advise, "try which solver, substeps and iterations reach a wanted error with the least work"},
    {"sweep", command_sweep, "run a scene with several settings and plot them together"},
    {"schema", command_schema, NULL},
};

static void print_help(FILE *to)
{
    fprintf(to,
            "pliant %s: position-based dynamics; the same scene gives the same bits everywhere\n\nusage: pliant "
            "COMMAND ...\n\n",
            pl_version());
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    {
        if (commands[i].about)
        {
            fprintf(to, "  %-8s %s\n", commands[i].name, commands[i].about);
        }
    }
    fputs(
        "\n--allow-paths, with any command: scenes may name files outside their own folders (absolute paths, \"..\").\n"
        "\n`pliant COMMAND --help` lists the options. Try `pliant run flag` first.\nExit codes: 0 success, 1 a run "
        "that failed, 2 wrong usage or a wrong file.\n",
        to);
}

static const struct command *find_command(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    {
        if (strcmp(commands[i].name, name) == 0)
        {
            return &commands[i];
        }
    }
    return NULL;
}

static const char *command_name(int number)
{
    return number < (int)(sizeof commands / sizeof *commands) ? commands[number].name : NULL;
}

static int no_command(const char *name)
{
    const char *nearest = nearest_word(name, command_name);
    return nearest ? bad_usage("no command \"%s\"; did you mean \"%s\"?", name, nearest)
                   : bad_usage("no command \"%s\"; `pliant --help` lists them", name);
}

static int run_command(int count, char **arguments)
{
    if (count < 2)
    {
        print_help(stderr);
        return EXIT_USAGE;
    }
    const char *name = arguments[1];
    if (strcmp(name, "help") == 0 && count > 2) // `pliant help run` is `pliant run --help`
    {
        char help[] = "--help", *only[] = {help, NULL};
        const struct command *command = find_command(arguments[2]);
        return command ? command->run(1, only) : no_command(arguments[2]);
    }
    if (asks_for_help(name) || strcmp(name, "help") == 0)
    {
        print_help(stdout);
        return EXIT_GOOD;
    }
    if (strcmp(name, "--version") == 0)
    {
        printf("pliant %s\n", pl_version());
        return EXIT_GOOD;
    }
    const struct command *command = find_command(name);
    if (command)
    {
        return command->run(count - 2, arguments + 2);
    }
    return no_command(name);
}

// Takes the option that every command has out of the arguments. Returns how many are left.
static int take_common(int count, char **arguments)
{
    int left = 0;
    for (int i = 0; i < count; i++)
    {
        bool common = i > 0 && strcmp(arguments[i], "--allow-paths") == 0;
        allow_paths |= common;
        arguments[left] = arguments[i];
        left += !common;
    }
    return left;
}

// What was printed but did not arrive, on a full disk say, is a failure like any other.
int main(int count, char **arguments)
{
    signals_open();
    int code = run_command(take_common(count, arguments), arguments);
    return stream_finish(stdout, "the standard output") == PL_OK || code != EXIT_GOOD ? code
                                                                                      : report_failure(EXIT_FAILED);
}
