// test_json_work.c: the JSON reader's work grows with the length of the text, whatever is in it. Counted in steps, not
// in time: json_counted.c calls the function below at each branch that it takes.
#include "io/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t steps;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) { steps++; }

// Returns the steps that a text takes which is `head`, then `part` as often as fits into `size` bytes, then `tail`.
static uint64_t work_of(const char *head, const char *part, const char *tail, size_t size, pl_result wanted)
{
    struct store store = {0};
    struct json *root;
    char *text = malloc(size + strlen(head) + strlen(tail) + 1);
    assert_non_null(text);
    size_t length = strlen(head);
    memcpy(text, head, length);
    for (; length + strlen(part) <= size; length += strlen(part))
        memcpy(text + length, part, strlen(part));
    memcpy(text + length, tail, strlen(tail));
    steps = 0;
    assert_int_equal(json_parse(&store, text, length + strlen(tail), "t.json", &root), wanted);
    store_free(&store);
    free(text);
    return steps;
}

#define DEEP_8 "[[[[[[[["
#define DEEP_56 DEEP_8 DEEP_8 DEEP_8 DEEP_8 DEEP_8 DEEP_8 DEEP_8
#define SHUT_8 "]]]]]]]]"
#define SHUT_56 SHUT_8 SHUT_8 SHUT_8 SHUT_8 SHUT_8 SHUT_8 SHUT_8

static const struct
{
    const char *head, *part, *tail;
    pl_result wanted;
} texts[] = {
    {"", "[", "", PL_ERROR_FORMAT},
    {"", "[]", "", PL_ERROR_FORMAT},
    {"", "[[]", "", PL_ERROR_FORMAT},
    {"", "{\"a\":", "", PL_ERROR_FORMAT},
    {"", "[{", "", PL_ERROR_FORMAT},
    {"", "]", "", PL_ERROR_FORMAT},
    {"", "\"[", "", PL_ERROR_FORMAT},
    {"", "a\"[", "", PL_ERROR_FORMAT},  // where a word hides a quote
    {"a\" ", "[", "", PL_ERROR_FORMAT}, // the brackets are no string's
    {"\"\\\" ", "[]", "\"", PL_OK},     // all of these are
    {"[", "a:", "]", PL_ERROR_FORMAT},
    {"[0", ",0", "]", PL_OK},
    {"[[]", ",[]", "]", PL_OK},
    {"[" DEEP_56 SHUT_56, "," DEEP_56 SHUT_56, "]", PL_OK},
    {"[\"\"", ",\"\\u00e9[\"", "]", PL_OK},
    {"[{\"a\":{}}", ",{\"a\":{},\"b\":[]}", "]", PL_OK},
};

static void work_is_linear(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    {
        const size_t size = 40000;
        uint64_t one = work_of(texts[i].head, texts[i].part, texts[i].tail, size, texts[i].wanted);
        uint64_t four = work_of(texts[i].head, texts[i].part, texts[i].tail, 4 * size, texts[i].wanted);
        if (one == 0)
            fail_msg("no steps were counted");
        if (four > 5 * one || four > 100 * 4 * size)
            fail_msg("%s%s...%s: %llu steps for %zu bytes, %llu for four times as many", texts[i].head, texts[i].part,
                     texts[i].tail, (unsigned long long)one, size, (unsigned long long)four);
    }
}

// A closing bracket was looked for over all containers that were still open: 200,000 bytes took minutes' worth of steps.
static void deep_texts_are_refused_before_they_are_read(void **state)
{
    (void)state;
    struct store store = {0};
    struct json *root;
    enum
    {
        HALF = 100000,
    };
    char *text = malloc(2 * HALF);
    assert_non_null(text);
    memset(text, '[', HALF);
    memset(text + HALF, ']', HALF);
    steps = 0;
    assert_int_equal(json_parse(&store, text, 2 * HALF, "t.json", &root), PL_ERROR_FORMAT);
    assert_string_equal(pl_error_message(), "t.json:1:65: error: nested more than 64 deep; a scene needs 6");
    assert_true(steps > 64 && steps < 10000);
    store_free(&store);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_linear),
        cmocka_unit_test(deep_texts_are_refused_before_they_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
