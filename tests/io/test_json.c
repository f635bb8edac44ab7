// test_json.c: what the JSON reader takes, what it refuses, and in which words.
#include "io/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void takes_the_grammar(void **state)
{
    (void)state;
    static const char text[] = " { \"a\" : [ 1 , -2.5e3, true,false , null, [], {} "
                               "],\r\n\t\"b\\n\\u00e9\\ud83d\\ude00\": \"\\\"\\/\xc3\xa9\" } ";
    struct store store = {0};
    struct json *root;
    assert_int_equal(json_parse(&store, text, sizeof text - 1, "t.json", &root), PL_OK);
    assert_int_equal(root->type, JSON_OBJECT);
    assert_int_equal(root->count, 2);
    const struct json *a = json_member(root, "a");
    assert_int_equal(a->count, 7);
    assert_true(json_child(a, 0)->number == 1.0);
    assert_true(json_child(a, 1)->number == -2500.0);
    assert_true(json_child(a, 2)->boolean);
    assert_int_equal(json_child(a, 4)->type, JSON_NULL);
    assert_int_equal(json_child(a, 6)->type, JSON_OBJECT);
    assert_null(json_child(a, 7));
    const struct json *b = json_member(root, "b\n\xc3\xa9\xf0\x9f\x98\x80");
    assert_non_null(b);
    assert_string_equal(b->text, "\"/\xc3\xa9");
    store_free(&store);
}

static const struct
{
    const char *text, *place, *words;
} wrong[] = {
    {"", "1:1", "ends too early"},
    {"  ", "1:3", "ends too early"},
    {"{\"a\": 1,}", "1:9", "one too many"},
    {"[1,]", "1:4", "one too many"},
    {"[1 2]", "1:4", "',' or ']'"},
    {"[1}", "1:3", "',' or ']'"},
    {"{\"a\" 1}", "1:6", "':'"},
    {"{a: 1}", "1:2", "double quotes"},
    {"{\"a\": }", "1:7", "a value"},
    {"{\"a\":\n  [1, x]}", "2:7", "no JSON value"},
    {"[1] 2", "1:5", "nothing more"},
    {"[1]]", "1:4", "nothing more"},
    {"[01]", "1:2", "no JSON value"},
    {"[1e999]", "1:2", "too large"},
    {"[NaN]", "1:2", "no JSON value"},
    {"[tru]", "1:2", "no JSON value"},
    {"[\"a]", "1:2", "broken off"},
    {"[\"\\x\"]", "1:2", "bad escape"},
    {"[\"\\ud800\"]", "1:3", "bad escape"},
    {"[\"\\u0000\"]", "1:3", "bad escape"},
    {"[\"\t\"]", "1:3", "0x09"},
    {"[\"\xff\"]", "1:3", "0xff"},
    {"[\"\xc0\x80\"]", "1:3", "0xc0"},
    {"\xef\xbb\xbf{}", "1:1", "BOM"},
    {"{\"a\": 1, \"a\": 2}", "1:10", "a second time"},
    {"{\"\xc3\xa9\": x}", "1:7", "no JSON value"},
    {"[1", "1:3", "ends too early"},
    {"[", "1:2", "ends too early"},
    {"{", "1:2", "ends too early"},
    {"{\"a\"", "1:5", "ends too early"},
    {":", "1:1", "a value"},
    {"// no\n{}", "1:1", "no JSON value"},
};

static void refuses_and_says_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    {
        struct store store = {0};
        struct json *root;
        char start[64];
        assert_int_equal(json_parse(&store, wrong[i].text, strlen(wrong[i].text), "t.json", &root), PL_ERROR_FORMAT);
        snprintf(start, sizeof start, "t.json:%s: error: ", wrong[i].place);
        if (strncmp(pl_error_message(), start, strlen(start)) != 0 || !strstr(pl_error_message(), wrong[i].words))
        {
            fail_msg("%s\n  gave %s\n  not %s... %s", wrong[i].text, pl_error_message(), start, wrong[i].words);
        }
        assert_non_null(strchr(pl_error_message(), ';'));
        store_free(&store);
    }
}

static void refuses_depth_and_zero_bytes(void **state)
{
    (void)state;
    struct store store = {0};
    struct json *root;
    char deep[200];
    memset(deep, '[', 100);
    memset(deep + 100, ']', 100);
    assert_int_equal(json_parse(&store, deep, 200, "t", &root), PL_ERROR_FORMAT);
    assert_non_null(strstr(pl_error_message(), "t:1:65: error: nested"));
    assert_int_equal(json_parse(&store, deep + 36, 128, "t", &root), PL_OK);
    assert_int_equal(json_parse(&store, "[1]\0", 4, "t", &root), PL_ERROR_FORMAT);
    assert_int_equal(json_parse(&store, "[\0]", 3, "t", &root), PL_ERROR_FORMAT);
    store_free(&store);
}

static void refuses_too_much(void **state)
{
    (void)state;
    struct store store = {0};
    struct json *root;
    size_t length = (size_t)JSON_MAX_VALUES * 2 + 100;
    char *many = malloc(length);
    assert_non_null(many);
    for (size_t i = 1; i < length; i++)
    {
        many[i] = i % 2 ? '0' : ',';
    }
    many[0] = '[';
    many[length - 1] = ']';
    assert_int_equal(json_parse(&store, many, length, "t", &root), PL_ERROR_FORMAT);
    assert_non_null(strstr(pl_error_message(), "more than 4194304 values"));
    free(many);
    store_free(&store);
}

// Every prefix of a good text is refused, and none crashes.
static void refuses_every_prefix(void **state)
{
    (void)state;
    static const char text[] = "{\"a\": [1, {\"b\": \"c\\u00e9\"}, true], \"d\": null}";
    for (size_t length = 0; length < sizeof text - 1; length++)
    {
        struct store store = {0};
        struct json *root;
        assert_int_equal(json_parse(&store, text, length, "t", &root), PL_ERROR_FORMAT);
        store_free(&store);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_the_grammar),
        cmocka_unit_test(refuses_and_says_where),
        cmocka_unit_test(refuses_depth_and_zero_bytes),
        cmocka_unit_test(refuses_too_much),
        cmocka_unit_test(refuses_every_prefix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
