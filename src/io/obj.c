// obj.c: implements obj.h in two passes: one counts, one reads.
#include "obj.h"

#include "core/error.h"
#include "number.h"

#include <float.h>
#include <string.h>

struct reader
{
    const char *file, *text, *end, *at, *line_start;
    int line;
};

static pl_result obj_fail(const struct reader *r, const char *at, const char *what)
{
    return fail(PL_ERROR_FORMAT, "%s:%d:%d: error: %s", r->file, r->line, (int)(at - r->line_start) + 1, what);
}

static bool space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// Returns the next word of the line; false at its end. A comment ends a line.
static bool next_word(struct reader *r, const char **word, size_t *length)
{
    while (r->at < r->end && space(*r->at))
    {
        r->at++;
    }
    *word = r->at;
    if (r->at < r->end && *r->at == '#')
    {
        return false;
    }
    while (r->at < r->end && !space(*r->at) && *r->at != '\n')
    {
        r->at++;
    }
    *length = (size_t)(r->at - *word);
    return *length > 0;
}

static bool next_line(struct reader *r)
{
    while (r->at < r->end && *r->at != '\n')
    {
        r->at++;
    }
    if (r->at == r->end)
    {
        return false;
    }
    r->line_start = ++r->at;
    r->line++;
    return true;
}

static bool is(const char *word, size_t length, char letter) { return length == 1 && word[0] == letter; }

static void count(struct reader r, struct obj_mesh *mesh)
{
    const char *word;
    size_t length;
    do
    {
        if (!next_word(&r, &word, &length))
        {
            continue;
        }
        if (is(word, length, 'v'))
        {
            mesh->vertex_count++;
        }
        else if (is(word, length, 'f'))
        {
            int corners = 0;
            while (next_word(&r, &word, &length))
            {
                corners++;
            }
            mesh->triangle_count += corners > 2 ? corners - 2 : 0;
        }
    }
    while (next_line(&r));
}

static pl_result read_vertex(struct reader *r, float *to)
{
    for (int i = 0; i < 3; i++)
    {
        const char *word;
        size_t length;
        double value;
        if (!next_word(r, &word, &length))
        {
            return obj_fail(r, word, "a vertex with too few numbers; use \"v x y z\"");
        }
        if (!number_read(word, length, NUMBER_LOOSE, &value) ||
            !(value >= -(double)FLT_MAX && value <= (double)FLT_MAX))
        {
            return obj_fail(r, word, "not a number that fits; use \"v x y z\"");
        }
        to[i] = (float)value;
    }
    return PL_OK;
}

// Reads "7", "7/1", "7//3", "7/1/3" or "-2": only the vertex matters.
static pl_result read_corner(struct reader *r, const char *word, size_t length, int seen, int total, int32_t *corner)
{
    const char *slash = memchr(word, '/', length);
    double value;
    if (!number_read(word, slash ? (size_t)(slash - word) : length, NUMBER_LOOSE, &value) ||
        !(value >= -1e9 && value <= 1e9) || value != (double)(int32_t)value || value == 0.0)
    {
        return obj_fail(r, word, "a bad corner; \"f 1 2 3\" counts vertices from 1, or from the last one as -1");
    }
    int number = (int)value < 0 ? seen + (int)value : (int)value - 1;
    if (number < 0 || number >= total)
    {
        return fail(PL_ERROR_FORMAT, "%s:%d:%d: error: no vertex %d; the file has %d, counted from 1", r->file, r->line,
                    (int)(word - r->line_start) + 1, (int)value, total);
    }
    *corner = number;
    return PL_OK;
}

// Reads a polygon as a fan around its first corner.
static pl_result read_face(struct reader *r, int seen, int total, int32_t **to)
{
    const char *word;
    size_t length;
    int32_t first = 0, before = 0, corner = 0;
    int corners = 0;
    while (next_word(r, &word, &length))
    {
        pl_result result = read_corner(r, word, length, seen, total, &corner);
        if (result != PL_OK)
        {
            return result;
        }
        if (corners >= 2)
        {
            if (corner == first || corner == before || first == before)
            {
                return obj_fail(r, word, "a corner twice in one face; each may appear once");
            }
            *(*to)++ = first;
            *(*to)++ = before;
            *(*to)++ = corner;
        }
        first = corners == 0 ? corner : first;
        before = corner;
        corners++;
    }
    return corners < 3 ? obj_fail(r, word, "a face with fewer than three corners; use \"f a b c\"") : PL_OK;
}

pl_result obj_parse(struct store *store, const char *text, size_t length, const char *file, struct obj_mesh *mesh)
{
    struct reader r = {.file = file, .text = text, .end = text + length, .at = text, .line_start = text, .line = 1};
    *mesh = (struct obj_mesh){0};
    count(r, mesh);
    mesh->vertices = store_take(store, (size_t)mesh->vertex_count * 3 * sizeof(float));
    mesh->triangles = store_take(store, (size_t)mesh->triangle_count * 3 * sizeof(int32_t));
    if (!mesh->vertices || !mesh->triangles)
    {
        return fail(PL_ERROR_MEMORY, "%s:1:1: error: no memory for the mesh; use a smaller one", file);
    }
    int32_t *triangle = mesh->triangles;
    int seen = 0;
    pl_result result = PL_OK;
    do
    {
        const char *word;
        size_t size;
        if (!next_word(&r, &word, &size))
        {
            continue;
        }
        if (is(word, size, 'v'))
        {
            result = read_vertex(&r, mesh->vertices + 3 * (size_t)seen++);
        }
        else if (is(word, size, 'f'))
        {
            result = read_face(&r, seen, mesh->vertex_count, &triangle);
        }
    }
    while (result == PL_OK && next_line(&r));
    if (result == PL_OK && mesh->triangle_count == 0)
    {
        return fail(PL_ERROR_FORMAT, "%s:1:1: error: no faces in it; an OBJ file with \"v\" and \"f\" lines is needed",
                    file);
    }
    return result;
}
