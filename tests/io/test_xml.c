// The XML reader: what it accepts, what it refuses and where, and hostile texts: deep, wide, huge, entities, cut off anywhere.
#include "io/xml.h"

#include "support/support.h"

static struct xml *parse(struct store *store, const char *text)
{
    struct xml *root = NULL;
    good(xml_parse(store, text, strlen(text), "t.xml", &root));
    return root;
}

static void wrong(const char *text, const char *words)
{
    struct store store = {0};
    struct xml *root = NULL;
    refused(xml_parse(&store, text, strlen(text), "t.xml", &root), PL_ERROR_FORMAT, words);
    store_free(&store);
}

static void reads_a_text(void **state)
{
    (void)state;
    struct store store = {0};
    struct xml *a =
        parse(&store, "\xEF\xBB\xBF<?xml version=\"1.0\"?>\n<!-- <not> -- a tag -->\n"
                      "<a x='1 &lt; 2 &amp; &quot;&apos;&gt;' y=\"&#65;&#x42;&#233;&#x20AC;&#x1F600;\">text &lt; more\n"
                      "  <b/><c k=\"line\nbreak\"></c ><![CDATA[ <d> ]] > & ]]><?pi <x> ?><b z = \"2\" /></a>\n");
    assert_string_equal(a->name, "a");
    assert_string_equal(xml_value(a, "x"), "1 < 2 & \"'>");
    assert_string_equal(xml_value(a, "y"), "AB\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
    assert_null(xml_value(a, "z"));
    struct xml *b = xml_child(a, "b");
    assert_non_null(b);
    assert_string_equal(b->next->name, "c");
    assert_string_equal(xml_value(b->next, "k"), "line break");
    assert_ptr_equal(xml_next(b), a->last);
    assert_string_equal(xml_value(a->last, "z"), "2");
    assert_true(b->read && !b->next->read);
    assert_null(xml_next(a->last));
    assert_null(xml_child(a, "d"));
    refused(xml_fail_at(a->last, a->last->attributes, "here"), PL_ERROR_FORMAT, "t.xml:5:56");
    store_free(&store);
}

static void tells_what_is_wrong(void **state)
{
    (void)state;
    wrong("", "t.xml:1:1: error: no element");
    wrong("  \n ", "no element");
    wrong("hello", "t.xml:1:1: error: text outside");
    wrong("<a>", "<a> is never closed");
    wrong("<a", "never closed");
    wrong("<a x", "\"=\" is missing");
    wrong("<a x=", "without quotes");
    wrong("<a x=1/>", "t.xml:1:6: error: the value of an attribute without quotes");
    wrong("<a x=\"1/>", "a quote that is never closed");
    wrong("<a x=\"<\"/>", "&lt;");
    wrong("<a x=\"1\"y=\"2\"/>", "a blank is missing");
    wrong("<a x=\"1\" x=\"2\"/>", "t.xml:1:10: error: a second attribute \"x\"");
    wrong("<a>\n <b></a>", "t.xml:2:5: error: </a> closes nothing that is open here; </b> was expected");
    wrong("</a>", "remove it");
    wrong("<a/><b/>", "a second element outside");
    wrong("<a/>x", "text outside");
    wrong("<1/>", "a name is missing");
    wrong("< a/>", "a name is missing");
    wrong("<a>&</a>", "an unknown reference");
    wrong("<a x=\"&nbsp;\"/>", "an unknown reference");
    wrong("<a x=\"&#0;\"/>", "an unknown reference");
    wrong("<a x=\"&#xD800;\"/>", "an unknown reference");
    wrong("<a x=\"&#x110000;\"/>", "an unknown reference");
    wrong("<a x=\"&#;\"/>", "an unknown reference");
    wrong("<a x=\"&#99999999999999999999;\"/>", "an unknown reference");
    wrong("<!-- x", "a comment that is never closed");
    wrong("<!-->", "a comment that is never closed");
    wrong("<a><![CDATA[ ]]", "CDATA that is never closed");
    wrong("<![CDATA[ ]]>", "CDATA outside");
    wrong("<?xml", "a declaration that is never closed");
}

static void expands_nothing(void **state)
{
    (void)state;
    wrong("<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>", "t.xml:1:1: error: a document type");
    wrong("<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>", "not supported");
    wrong("<a><!ENTITY x SYSTEM \"http://h/\"></a>", "not supported");
    wrong("<a>&x;</a>", "an unknown reference");
}

static void refuses_depth(void **state)
{
    (void)state;
    char text[4096] = "";
    for (int levels = 64; levels <= 65; levels++)
    {
        text[0] = 0;
        for (int i = 0; i < levels; i++)
            strcat(text, "<a>");
        for (int i = 0; i < levels; i++)
            strcat(text, "</a>");
        struct store store = {0};
        struct xml *root = NULL;
        pl_result result = xml_parse(&store, text, strlen(text), "t.xml", &root);
        assert_int_equal(result, levels == 64 ? PL_OK : PL_ERROR_FORMAT);
        if (levels == 65)
            refused(result, PL_ERROR_FORMAT, "t.xml:1:193: error: elements nested more than 64 levels deep");
        store_free(&store);
    }
}

static void refuses_size(void **state)
{
    (void)state;
    struct store store = {0};
    struct xml *root = NULL;
    char many[2048] = "<a ";
    for (int i = 0; i < 65; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "x%d='' ", i);
    strcat(many, "/>");
    wrong(many, "more than 64 attributes");
    size_t length = (size_t)5 << 20;
    char *wide = malloc(length + 16); // more than a million elements
    strcpy(wide, "<a>");
    for (size_t i = 3; i + 4 <= length; i += 4)
        memcpy(wide + i, "<b/>", 5);
    refused(xml_parse(&store, wide, strlen(wide), "t.xml", &root), PL_ERROR_FORMAT, "more than a million elements");
    // A value of megabytes, and quotes that are never closed, are read once.
    memset(wide, 'x', length);
    memcpy(wide, "<a v=\"", 6);
    refused(xml_parse(&store, wide, length, "t.xml", &root), PL_ERROR_FORMAT, "never closed");
    memcpy(wide + length - 3, "\"/>", 3);
    good(xml_parse(&store, wide, length, "t.xml", &root));
    assert_int_equal(strlen(xml_value(root, "v")), length - 9);
    refused(xml_parse(&store, wide, (size_t)XML_MAX_BYTES + 1, "t.xml", &root), PL_ERROR_FORMAT, "at most 67108864");
    refused(xml_parse(&store, "<a>\0</a>", 8, "t.xml", &root), PL_ERROR_FORMAT, "t.xml:1:4: error: a byte of value 0");
    free(wide);
    store_free(&store);
}

// Every beginning of a text, and every text with one byte changed, is read or refused, and nothing else.
static void survives_cuts_and_changes(void **state)
{
    (void)state;
    static const char text[] = "<?xml?><a x='&#65;'><!-- c --><b y=\"&lt;\"/><![CDATA[]]></a>";
    char copy[sizeof text];
    for (size_t i = 0; i < sizeof text - 1; i++)
        for (int change = -1; change < 256; change++)
        {
            struct store store = {0};
            struct xml *root = NULL;
            memcpy(copy, text, sizeof text);
            copy[i] = change < 0 ? copy[i] : (char)change;
            pl_result result = xml_parse(&store, copy, change < 0 ? i : sizeof text - 1, "t.xml", &root);
            assert_true(result == PL_OK || result == PL_ERROR_FORMAT);
            store_free(&store);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_text),    cmocka_unit_test(tells_what_is_wrong),
        cmocka_unit_test(expands_nothing), cmocka_unit_test(refuses_depth),
        cmocka_unit_test(refuses_size),    cmocka_unit_test(survives_cuts_and_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
