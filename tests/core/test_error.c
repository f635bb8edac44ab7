// The last failure of each thread, in words.
#include "support/support.h"

#include "core/error.h"

#include <pthread.h>

static void *other_thread(void *arg)
{
    (void)arg;
    fail(PL_ERROR_FILE, "of the other thread");
    return NULL;
}

static void each_thread_has_its_own(void **state)
{
    (void)state;
    pthread_t thread;
    assert_string_equal(pl_error_message(), "no error");
    assert_int_equal(fail(PL_ERROR_FORMAT, "line %d: %s", 7, "wrong"), PL_ERROR_FORMAT);
    assert_int_equal(pthread_create(&thread, NULL, other_thread, NULL), 0);
    pthread_join(thread, NULL);
    assert_string_equal(pl_error_message(), "line 7: wrong");
}

static void long_messages_are_cut(void **state)
{
    (void)state;
    char text[5000];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = 0;
    fail(PL_ERROR_FORMAT, "%s", text);
    assert_int_equal(strlen(pl_error_message()), 1023);
}

static void names(void **state)
{
    (void)state;
    char version[32];
    assert_string_equal(pl_result_name(PL_OK), "ok");
    assert_string_equal(pl_result_name(PL_ERROR_ARGUMENT), "argument");
    assert_string_equal(pl_result_name(PL_ERROR_UNSUPPORTED), "unsupported");
    assert_string_equal(pl_result_name((pl_result)99), "unknown");
    snprintf(version, sizeof version, "%d.%d.%d", PL_VERSION_MAJOR, PL_VERSION_MINOR, PL_VERSION_PATCH);
    assert_string_equal(pl_version(), version);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_thread_has_its_own),
        cmocka_unit_test(long_messages_are_cut),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
