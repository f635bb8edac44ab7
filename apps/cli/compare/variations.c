// variations.c: see variations.h.
#include "variations.h"

#include "cli.h"
#include "io/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
    VALUE_LONGEST = 3000,
};

// Returns the length of the first value of a list.
static size_t value_length(const char *list)
{
    int depth = 0;
    bool quoted = false;
    size_t length = 0;
    for (; list[length] && (list[length] != ',' || depth > 0 || quoted); length++)
    {
        char c = list[length];
        quoted ^= c == '"' && (length == 0 || list[length - 1] != '\\');
        depth += quoted ? 0 : (c == '[' || c == '{') - (c == ']' || c == '}');
    }
    return length;
}

static int count_values(const char *list)
{
    int count = 1;
    for (list += value_length(list); *list; list += value_length(list))
    {
        count++;
        list++;
    }
    return count;
}

// Splits the values of one option, in place.
static int read_variation(struct variation *v, char *text)
{
    char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
    {
        return bad_usage("--vary is \"%.80s\"; use a field and its values, such as iterations=20,40,80", text);
    }
    *equals = 0;
    char *list = equals + 1;
    int count = count_values(list);
    *v = (struct variation){.field = text, .numeric = true};
    v->values = calloc((size_t)count, sizeof *v->values);
    v->numbers = calloc((size_t)count, sizeof *v->numbers);
    if (!v->values || !v->numbers)
    {
        return bad_usage("no memory for %d values of --vary %.80s; give fewer", count, text);
    }
    while (v->count < count)
    {
        size_t length = value_length(list);
        bool last = list[length] == 0;
        list[length] = 0;
        if (length > VALUE_LONGEST)
        {
            return bad_usage("--vary %.80s has a value of %zu letters; use at most %d", text, length, VALUE_LONGEST);
        }
        if (length == 0)
        {
            return bad_usage("--vary %.80s has an empty value; remove the comma that is too many", text);
        }
        double *number = &v->numbers[v->count];
        if (!number_read(list, length, NUMBER_JSON, number))
        {
            *number = (double)NAN;
            v->numeric = false;
        }
        v->values[v->count++] = list;
        list += length + !last;
    }
    return -1;
}

int variations_read(struct variations *v, const char *const *texts, int count)
{
    size_t bytes = 1;
    for (int i = 0; i < count; i++)
    {
        bytes += strlen(texts[i]) + 1;
    }
    *v = (struct variations){.trials = 1};
    v->items = calloc((size_t)count + 1, sizeof *v->items);
    v->text = malloc(bytes);
    if (!v->items || !v->text)
    {
        return bad_usage("no memory for the variations; give fewer");
    }
    char *to = v->text;
    for (int i = 0; i < count; i++)
    {
        size_t length = strlen(texts[i]) + 1;
        memcpy(to, texts[i], length);
        struct variation *item = &v->items[v->count++];
        int code = read_variation(item, to);
        if (code >= 0)
        {
            return code;
        }
        to += length;
        for (int k = 0; k + 1 < v->count; k++)
        {
            if (strcmp(v->items[k].field, item->field) == 0)
            {
                return bad_usage("--vary names %.80s twice; give all values at once", item->field);
            }
        }
        if (item->count > TRIALS_MOST / v->trials)
        {
            return bad_usage("the combinations of --vary are more than %d; give fewer values", TRIALS_MOST);
        }
        v->trials *= item->count;
    }
    return -1;
}

void variations_free(struct variations *v)
{
    for (int i = 0; i < v->count; i++)
    {
        free(v->items[i].values);
        free(v->items[i].numbers);
    }
    free(v->items);
    free(v->text);
}

int variation_choice(const struct variations *v, int trial, int variation)
{
    for (int i = v->count - 1; i > variation; i--)
    {
        trial /= v->items[i].count;
    }
    return trial % v->items[variation].count;
}

int variation_of(const struct variations *v, const char *field)
{
    for (int i = 0; i < v->count; i++)
    {
        if (strcmp(v->items[i].field, field) == 0)
        {
            return i;
        }
    }
    return -1;
}

void variations_label(const struct variations *v, int trial, int without, char *out, size_t size)
{
    size_t used = 0;
    snprintf(out, size, "as the scene");
    for (int i = 0; i < v->count && used < size; i++)
    {
        if (i != without)
        {
            const struct variation *item = &v->items[i];
            used += (size_t)snprintf(out + used, size - used, "%s%s=%s", used ? ", " : "", item->field,
                                     item->values[variation_choice(v, trial, i)]);
        }
    }
}

int variations_axis(const struct variations *v)
{
    int axis = -1;
    for (int i = 0; i < v->count; i++)
    {
        if (v->items[i].numeric && (axis < 0 || v->items[i].count > v->items[axis].count))
        {
            axis = i;
        }
    }
    return axis >= 0 && v->items[axis].count > 1 ? axis : -1;
}
