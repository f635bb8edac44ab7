// robot_read.c: reads attributes and collects links, joints, shapes and warnings, for the readers of both formats.
#include "robot_model.h"

#include "core/error.h"
#include "core/printable.h"
#include "io/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---- failures and warnings -----------------------------------------------------------------------------------------

void robot_fail(struct robot_model *m, const struct xml *node, const struct xml_attribute *at, const char *format, ...)
{
    char what[640];
    va_list arguments;
    if (m->result != PL_OK)
        return;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    m->result = xml_fail_at(node, at, "%s", what);
}

static void no_memory(struct robot_model *m)
{
    if (m->result == PL_OK)
        m->result = fail(PL_ERROR_MEMORY, "no memory for the robot; use a smaller one");
}

void robot_warn(struct robot_model *m, const struct xml *node, const struct xml_attribute *at, const char *kind,
                const char *format, ...)
{
    char what[320], text[512];
    int line, column;
    for (int i = 0; i < m->warning_count; i++)
        if (strcmp(m->warned[i], kind) == 0)
            return;
    if (m->warning_count >= ROBOT_MAX_WARNINGS)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    source_place(node->source, at ? at->offset : node->offset, &line, &column);
    snprintf(text, sizeof text, "%.150s:%d:%d: warning: %s", node->source->file, line, column, what);
    make_printable(text);
    const char *kept = store_text(m->store, text, strlen(text)), *key = store_text(m->store, kind, strlen(kind));
    if (!kept || !key)
    {
        no_memory(m);
        return;
    }
    m->warnings[m->warning_count] = kept;
    m->warned[m->warning_count++] = key;
}

bool robot_has_word(const char *words, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at++)
        if ((at == words || at[-1] == ' ') && (at[size] == ' ' || at[size] == 0))
            return true;
    return false;
}

static void warn_unread_attributes(struct robot_model *m, const struct xml *node, const char *silent)
{
    char kind[160];
    for (const struct xml_attribute *a = node->attributes; a; a = a->next)
    {
        snprintf(kind, sizeof kind, "%.70s %.70s", node->name, a->name);
        if (!a->read && !robot_has_word(silent, a->name))
            robot_warn(m, node, a, kind, "\"%.60s\" of <%.60s> is ignored", a->name, node->name);
    }
}

void robot_warn_unread(struct robot_model *m, const char *silent)
{
    const struct xml *node = m->root;
    while (node)
    {
        char kind[160];
        bool quiet = robot_has_word(silent, node->name);
        snprintf(kind, sizeof kind, "<%.70s> <%.70s>", node->parent ? node->parent->name : "", node->name);
        if (node->read && !quiet)
            warn_unread_attributes(m, node, silent);
        else if (!quiet)
            robot_warn(m, node, NULL, kind, "<%.60s> in <%.60s> is ignored", node->name,
                       node->parent ? node->parent->name : "");
        // Down into what was read, else to the next, else up.
        if (node->read && !quiet && node->first)
        {
            node = node->first;
            continue;
        }
        while (node && !node->next)
            node = node->parent;
        node = node ? node->next : NULL;
    }
}

// ---- attributes ----------------------------------------------------------------------------------------------------

// Finds an attribute of the element or, where it has none, of the same element in its defaults, innermost first.
static const struct xml_attribute *find(const struct robot_element *e, const char *name, const struct xml **where)
{
    const struct xml_attribute *a = xml_attribute(e->node, name);
    *where = e->node;
    for (const struct xml *d = e->defaults; !a && d && xml_is(d, "default"); d = d->parent)
        for (const struct xml *c = xml_child(d, e->node->name); c && !a; c = xml_next(c))
        {
            a = xml_attribute(c, name);
            *where = c;
        }
    return a;
}

const char *robot_text(const struct robot_element *e, const char *name)
{
    const struct xml *where;
    const struct xml_attribute *a = find(e, name, &where);
    return a ? a->value : NULL;
}

int robot_numbers(const struct robot_element *e, const char *name, double *out, int least, int most)
{
    const struct xml *where;
    const struct xml_attribute *a = find(e, name, &where);
    int count = 0;
    for (const char *at = a ? a->value : ""; *at;)
    {
        size_t size = strcspn(at, " ");
        double value;
        if (size && (!number_read(at, size, NUMBER_LOOSE, &value) || !(value >= -1e12 && value <= 1e12)))
        {
            robot_fail(e->m, where, a, "\"%.*s\" is not a number from -1e12 to 1e12; give one",
                       size < 40 ? (int)size : 40, at);
            return 0;
        }
        if (size && count < most)
            out[count] = value;
        count += size > 0;
        at += size;
        at += *at == ' ';
    }
    if (a && (count < least || count > most))
    {
        if (least == most)
            robot_fail(e->m, where, a, "\"%s\" has %d numbers; expected %d", name, count, least);
        else
            robot_fail(e->m, where, a, "\"%s\" has %d numbers; expected %d to %d", name, count, least, most);
        return 0;
    }
    return count;
}

bool robot_number(const struct robot_element *e, const char *name, double low, double high, double *out)
{
    double value;
    const struct xml *where;
    if (robot_numbers(e, name, &value, 1, 1) != 1)
        return false;
    if (!(value >= low && value <= high))
    {
        robot_fail(e->m, e->node, find(e, name, &where), "\"%s\" is %g; expected %g to %g", name, value, low, high);
        return false;
    }
    *out = value;
    return true;
}

void robot_bool(const struct robot_element *e, const char *name, bool *out)
{
    const char *text = robot_text(e, name);
    const struct xml *where;
    if (!text || strcmp(text, "auto") == 0)
        return;
    if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
        robot_fail(e->m, e->node, find(e, name, &where), "\"%s\" is \"%.40s\"; expected true or false", name, text);
    *out = strcmp(text, "true") == 0;
}

void robot_ignored(const struct robot_element *e, const char *names)
{
    char word[64], kind[160];
    for (const char *at = names; *at;)
    {
        size_t size = strcspn(at, " ");
        const struct xml *where;
        snprintf(word, sizeof word, "%.*s", (int)size, at);
        const struct xml_attribute *a = find(e, word, &where);
        snprintf(kind, sizeof kind, "%.70s %.70s", e->node->name, word);
        if (a && strcmp(a->value, "0") != 0)
            robot_warn(e->m, where, a, kind, "\"%s\" of <%.60s> is ignored", word, e->node->name);
        at += size;
        at += *at == ' ';
    }
}

// ---- lists ---------------------------------------------------------------------------------------------------------

void *robot_grow(struct robot_model *m, void *items, int *count, int *capacity, size_t size)
{
    char *old;
    memcpy(&old, items, sizeof old);
    if (m->result != PL_OK)
        return NULL;
    if (*count == *capacity)
    {
        int larger = *capacity ? 2 * *capacity : 16;
        char *grown = store_take(m->store, (size_t)larger * size);
        if (!grown)
        {
            no_memory(m);
            return NULL;
        }
        if (*count)
            memcpy(grown, old, (size_t)*count * size);
        memcpy(items, &grown, sizeof grown);
        *capacity = larger;
        old = grown;
    }
    return old + (size_t)(*count)++ * size;
}

int robot_find_link(const struct robot_model *m, const char *name)
{
    for (int i = 0; name && i < m->links.count; i++)
        if (strcmp(m->links.items[i].name, name) == 0)
            return i;
    return -1;
}

int robot_find_joint(const struct robot_model *m, const char *name)
{
    for (int i = 0; name && i < m->joints.count; i++)
        if (strcmp(m->joints.items[i].name, name) == 0)
            return i;
    return -1;
}

// Returns the name, or one made of a word and a number.
static const char *name_of(struct robot_model *m, const char *name, const char *word, int number)
{
    char made[48];
    if (name)
        return name;
    snprintf(made, sizeof made, "%s%d", word, number);
    const char *kept = store_text(m->store, made, strlen(made));
    if (!kept)
        no_memory(m);
    return kept ? kept : "";
}

struct robot_link *robot_add_link(struct robot_model *m, const char *name, const struct xml *node, int parent)
{
    int number = m->links.count;
    if (name && robot_find_link(m, name) >= 0)
        robot_fail(m, node, NULL, "a second link called \"%.60s\"; each name may appear once", name);
    if (number >= ROBOT_MAX_LINKS)
        robot_fail(m, node, NULL, "more than %d links; use a smaller robot", ROBOT_MAX_LINKS);
    struct robot_link *link = ROBOT_ADD(m, links);
    if (link)
        *link = (struct robot_link){.name = name_of(m, name, "link", number),
                                    .node = node,
                                    .parent = parent,
                                    .rest = ROBOT_POSE_NONE,
                                    .in_body = ROBOT_POSE_NONE,
                                    .joint = -1,
                                    .joints_of = -1,
                                    .friction = 1.0};
    return link;
}

struct robot_joint *robot_add_joint(struct robot_model *m, const char *name, const struct xml *node, int link,
                                    enum robot_joint_kind kind)
{
    int number = m->joints.count;
    if (name && robot_find_joint(m, name) >= 0)
        robot_fail(m, node, NULL, "a second joint called \"%.60s\"; each name may appear once", name);
    struct robot_joint *joint = ROBOT_ADD(m, joints);
    if (!joint)
        return NULL;
    *joint = (struct robot_joint){
        .name = name_of(m, name, "joint", number), .node = node, .kind = kind, .link = link, .axis = {0.0, 0.0, 1.0}};
    m->links.items[link].joint = number;
    return joint;
}

struct robot_shape *robot_add_shape(struct robot_model *m, int link, const struct xml *node)
{
    struct robot_shape *shape = m->result == PL_OK ? store_take(m->store, sizeof *shape) : NULL;
    struct robot_link *to = &m->links.items[link];
    if (++m->shape_count > ROBOT_MAX_SHAPES)
        robot_fail(m, node, NULL, "more than %d shapes; use a smaller robot", ROBOT_MAX_SHAPES);
    if (!shape)
    {
        no_memory(m);
        return NULL;
    }
    *shape = (struct robot_shape){
        .pose = ROBOT_POSE_NONE, .shape = pl_default_rigid_shape(), .collides = true, .mass = -1.0, .friction = -1.0};
    *(to->last ? &to->last->next : &to->first) = shape;
    to->last = shape;
    return shape;
}

int robot_sensor_width(pl_sensor kind)
{
    return kind <= PL_SENSOR_JOINT_VELOCITY ? 1 : kind == PL_SENSOR_ROTATION ? 4 : 3;
}

void robot_add_sensor(struct robot_model *m, const char *name, pl_sensor kind, int link, int joint,
                      const struct robot_pose *pose)
{
    int number = m->sensors.count;
    struct robot_sensor *sensor = ROBOT_ADD(m, sensors);
    if (sensor)
        *sensor = (struct robot_sensor){.name = name_of(m, name, "sensor", number),
                                        .kind = kind,
                                        .link = link,
                                        .joint = joint,
                                        .pose = pose ? *pose : ROBOT_POSE_NONE};
}
