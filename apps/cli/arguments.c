// arguments.c: see arguments.h.
#include "arguments.h"

#include "cli.h"
#include "io/number.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_help(const struct option_command *command)
{
    fputs(command->help, stdout);
    for (int i = 0; i < command->count; i++)
    {
        const struct option *o = &command->table[i];
        char left[40];
        snprintf(left, sizeof left, "%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
        printf("  %-22s %s\n", left, o->about);
    }
}

static int take_int(const struct option *option, const char *text, int *value)
{
    char *end;
    errno = 0;
    long number = strtol(text, &end, 10);
    if (errno || end == text || *end || number < option->min || number > option->max)
    {
        return bad_usage("%s is \"%s\"; use a whole number from %d to %d", option->name, text, option->min,
                         option->max);
    }
    *value = (int)number;
    return -1;
}

// The last of several settings of one field counts.
static void add_setting(const struct option_command *command, const struct option *option, const char *text, char *into)
{
    struct option_texts *texts = (struct option_texts *)(into + command->texts);
    char *set = texts->items[texts->count++];
    snprintf(set, sizeof *texts->items, "%s=%.40s", option->name + 2, text);
    (*(const char ***)(into + command->sets))[(*(int *)(into + command->set_count))++] = set;
}

static int take_number(const struct option *option, const char *text, double *value)
{
    double least = option->min / 1000.0;
    if (!number_read(text, strlen(text), NUMBER_JSON, value) || *value < least || *value > option->max)
    {
        return bad_usage("%s is \"%s\"; use a number from %g to %d", option->name, text, least, option->max);
    }
    return -1;
}

static int take(const struct option_command *command, const struct option *option, const char *text, char *base)
{
    int code = -1, number;
    switch (option->kind)
    {
    case OPTION_INT:
        return take_int(option, text, (int *)(base + option->offset));
    case OPTION_NUMBER:
        return take_number(option, text, (double *)(base + option->offset));
    case OPTION_SETTING_INT:
        code = take_int(option, text, &number);
        add_setting(command, option, text, base);
        return code;
    case OPTION_SETTING:
        add_setting(command, option, text, base);
        return text[0] ? -1 : bad_usage("%s is empty; expected %s", option->name, option->value);
    case OPTION_TEXT:
        *(const char **)(base + option->offset) = text;
        return text[0] ? -1 : bad_usage("%s is empty; expected %s", option->name, option->value);
    case OPTION_LIST:
        (*(const char ***)(base + option->offset))[(*(int *)(base + option->count_offset))++] = text;
        return -1;
    case OPTION_FLAG:
        *(bool *)(base + option->offset) = true;
        return -1;
    }
    return -1;
}

static const struct option *find(const struct option_command *command, const char *argument, size_t length)
{
    for (int i = 0; i < command->count; i++)
    {
        const struct option *o = &command->table[i];
        if (strlen(o->name) == length && memcmp(o->name, argument, length) == 0)
        {
            return o;
        }
    }
    return NULL;
}

static const char *option_name(const void *command, int number)
{
    const struct option_command *c = command;
    return number < c->count ? c->table[number].name : NULL;
}

static int no_option(const struct option_command *command, const char *argument, size_t length)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, argument);
    const char *nearest = nearest_of(name, option_name, command);
    return nearest ? bad_usage("no option \"%s\"; did you mean \"%s\"?", name, nearest)
                   : bad_usage("no option \"%s\"; `pliant %s --help` lists them", name, command->name);
}

// Takes argument i, and its value; both "--frames 10" and "--frames=10" are understood.
static int take_argument(const struct option_command *command, int count, char **arguments, int *i, char *into)
{
    const char **scene = (const char **)(into + command->scene);
    const char *argument = arguments[*i];
    if (argument[0] != '-' || argument[1] == 0)
    {
        if (*scene)
        {
            return bad_usage("two scenes, \"%s\" and \"%s\"; give one", *scene, argument);
        }
        *scene = argument;
        return -1;
    }
    size_t length = strcspn(argument, "=");
    const struct option *option = find(command, argument, length);
    if (!option)
    {
        return no_option(command, argument, length);
    }
    bool joined = argument[length] == '=';
    if (option->kind == OPTION_FLAG)
    {
        return joined ? bad_usage("%s takes no value; leave out what follows =", option->name)
                      : take(command, option, "", into);
    }
    if (!joined && *i + 1 >= count)
    {
        return bad_usage("%s needs a value; use %s %s", option->name, option->name, option->value);
    }
    return take(command, option, joined ? argument + length + 1 : arguments[++*i], into);
}

int check_lanes(int lanes)
{
    char known[64] = "";
    if (lanes == 0)
    {
        return -1;
    }
    for (const int *width = pl_lane_widths(); *width; width++)
    {
        char one[16];
        if (*width == lanes)
        {
            return -1;
        }
        snprintf(one, sizeof one, "%s%d", known[0] ? ", " : "", *width);
        strncat(known, one, sizeof known - strlen(known) - 1);
    }
    return bad_usage("--lanes is %d; this machine has %s", lanes, known);
}

int check_backend(const char *backend)
{
    return !backend || strcmp(backend, "cpu") == 0 || strcmp(backend, "cuda") == 0
               ? -1
               : bad_usage("--backend is \"%s\"; use cpu or cuda", backend);
}

enum
{
    SPARE = 8, // values that a command may add to a list
};

// Makes room for as many values as there are arguments.
static bool make_room(const struct option_command *command, int count, char *into)
{
    struct option_texts *texts = (struct option_texts *)(into + command->texts);
    texts->items = calloc((size_t)count + 1, sizeof *texts->items);
    bool room = texts->items != NULL;
    for (int i = 0; i < command->count; i++)
    {
        if (command->table[i].kind == OPTION_LIST)
        {
            const char ***list = (const char ***)(into + command->table[i].offset);
            *list = calloc((size_t)count + SPARE, sizeof **list);
            room &= *list != NULL;
        }
    }
    return room;
}

int arguments_read(const struct option_command *command, int count, char **arguments, void *into)
{
    if (!make_room(command, count, into))
    {
        return bad_usage("no memory for the arguments; give fewer");
    }
    for (int i = 0; i < count; i++)
    {
        if (asks_for_help(arguments[i]))
        {
            print_help(command);
            return EXIT_GOOD;
        }
    }
    int code = -1;
    for (int i = 0; i < count && code < 0; i++)
    {
        code = take_argument(command, count, arguments, &i, into);
    }
    return code;
}

void arguments_free(const struct option_command *command, void *into)
{
    for (int i = 0; i < command->count; i++)
    {
        if (command->table[i].kind == OPTION_LIST)
        {
            free(*(void **)((char *)into + command->table[i].offset));
        }
    }
    free(((struct option_texts *)((char *)into + command->texts))->items);
}
