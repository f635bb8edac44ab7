// fields_names.c: looks up fields by name, decides which fields have an effect, and suggests the nearest name for an
// unknown one.
#include "fields.h"

#include <stdio.h>
#include <string.h>

const struct field *record_field(const struct record *record, const char *name)
{
    for (const struct field *f = record->fields; f->name; f++)
    {
        if (strcmp(f->name, name) == 0)
        {
            return f;
        }
    }
    return NULL;
}

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; at && *at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL)
    {
        if (strncmp(at, word, length) == 0 && (at[length] == ' ' || at[length] == 0))
        {
            return true;
        }
    }
    return false;
}

const struct field_use *record_idle(const struct record *record, const void *values, const struct field *field)
{
    for (const struct field_use *use = record->uses; use && use->field; use++)
    {
        if (strcmp(use->field, field->name) == 0)
        {
            const struct field *choice = record_field(record, use->choice);
            if (choice->type != FIELD_CHOICE)
            {
                return record_has(record, values, choice->offset) ? NULL : use;
            }
            const char *word = field_choice(choice, *(const int *)((const char *)values + choice->offset));
            if (word && !has_word(use->words, word))
            {
                return use;
            }
        }
    }
    return NULL;
}

bool record_has(const struct record *record, const void *values, size_t offset)
{
    const struct head *head = values;
    for (int i = 0; record->fields[i].name; i++)
    {
        if (record->fields[i].offset == offset)
        {
            return head->present >> i & 1;
        }
    }
    return false;
}

// Returns how many letters must be added, dropped, changed or swapped with their neighbour to turn one word into the
// other.
int word_distance(const char *a, const char *b)
{
    enum
    {
        LONGEST = 40
    };
    int n = (int)strlen(a), m = (int)strlen(b), row[3][LONGEST + 1];
    if (n > LONGEST || m > LONGEST)
    {
        return LONGEST;
    }
    for (int i = 0; i <= n; i++)
    {
        for (int j = 0; j <= m; j++)
        {
            int *now = row[i % 3], *up = row[(i + 2) % 3], *up2 = row[(i + 1) % 3];
            if (i == 0 || j == 0)
            {
                now[j] = i + j;
                continue;
            }
            int best = up[j - 1] + (a[i - 1] != b[j - 1]);
            best = up[j] + 1 < best ? up[j] + 1 : best;
            best = now[j - 1] + 1 < best ? now[j - 1] + 1 : best;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            now[j] = swapped && up2[j - 2] + 1 < best ? up2[j - 2] + 1 : best;
        }
    }
    return row[n % 3][m];
}

// Writes the known names as a list for a message.
static void list_names(const struct record *record, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (const struct field *f = record->fields; f->name && used < size; f++)
    {
        used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", f->name);
    }
}

pl_result record_unknown(const struct record *record, const char *called, const struct json *node, const char *name)
{
    const struct field *nearest = NULL;
    int least = (int)strlen(name) / 3 + 2;
    for (const struct field *f = record->fields; f->name; f++)
    {
        int d = word_distance(name, f->name);
        if (d < least)
        {
            least = d;
            nearest = f;
        }
    }
    if (nearest)
    {
        return json_fail_key(node, "unknown key \"%.40s\" in %s; did you mean \"%s\"?", name, called, nearest->name);
    }
    char known[512];
    list_names(record, known, sizeof known);
    return json_fail_key(node, "unknown key \"%.40s\" in %s; known are: %s", name, called, known);
}
