// main.c: the program `pliant`: picks the command.
#include "cli.h"

#include <stdio.h>
#include <string.h>

static const struct
{
    const char *name;
    int (*run)(int count, char **arguments);
    const char *about; // NULL: not for everyone
} commands[] = {
    {"run", command_run, "simulate a scene"},
    {"list", command_list, "the built-in scenes, and what each shows"},
    {"info", command_info, "what a scene consists of, and warnings"},
    {"verify", command_verify, "check this machine: gradients, momentum, and the same bits over lanes and threads"},
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
    fputs("\n`pliant COMMAND --help` tells more; `pliant run flag` is a good start.\n"
          "Exit codes: 0 good, 1 a run that failed, 2 bad usage or a bad file.\n",
          to);
}

int main(int count, char **arguments)
{
    if (count < 2)
    {
        print_help(stderr);
        return EXIT_USAGE;
    }
    const char *name = arguments[1];
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
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    {
        if (strcmp(commands[i].name, name) == 0)
        {
            return commands[i].run(count - 2, arguments + 2);
        }
    }
    if (strcmp(name, "view") == 0 || strcmp(name, "compare") == 0)
    {
        return bad_usage("`pliant %s` is not in version %s; `pliant run SCENE --out x.pvd --plot x.svg` is", name,
                         pl_version());
    }
    return bad_usage("no command \"%s\"; `pliant --help` names them", name);
}
