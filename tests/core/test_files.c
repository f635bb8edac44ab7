// test_files.c: what stands under a name before a file is written there: links, modes, devices, pipes, folders.
// labels: io
#include "core/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/pliant-files-XXXXXX";

static const char *in_folder(const char *name, char path[256])
{
    snprintf(path, 256, "%s/%s", folder, name);
    return path;
}

static pl_result write_word(const char *path, const char *word)
{
    struct out_file out;
    pl_result result = out_open(&out, path);
    if (result == PL_OK)
    {
        fputs(word, out.stream);
        result = out_finish(&out);
    }
    return result;
}

static void assert_holds(const char *path, const char *word)
{
    char *text;
    size_t length;
    assert_int_equal(file_read(path, 1000, &text, &length), PL_OK);
    assert_string_equal(text, word);
    free(text);
}

static void assert_no_parts(void)
{
    DIR *all = opendir(folder);
    assert_non_null(all);
    for (struct dirent *one; (one = readdir(all)) != NULL;)
    {
        assert_null(strstr(one->d_name, ".part"));
    }
    closedir(all);
}

static void links_stay_links(void **state)
{
    (void)state;
    char real[256], link[256], second[256];
    struct stat about;
    in_folder("real", real);
    assert_int_equal(symlink("real", in_folder("link", link)), 0);
    assert_int_equal(symlink("link", in_folder("second", second)), 0);
    for (int i = 0; i < 2; i++) // first to nothing, then to a file
    {
        const char *word = i ? "again" : "first";
        assert_int_equal(write_word(second, word), PL_OK);
        assert_int_equal(lstat(second, &about), 0);
        assert_true(S_ISLNK(about.st_mode));
        assert_int_equal(lstat(link, &about), 0);
        assert_true(S_ISLNK(about.st_mode));
        assert_int_equal(lstat(real, &about), 0);
        assert_true(S_ISREG(about.st_mode));
        assert_holds(real, word);
    }
    assert_no_parts();
}

static void modes_stay(void **state)
{
    (void)state;
    char path[256];
    struct stat about;
    assert_int_equal(write_word(in_folder("mode", path), "a"), PL_OK);
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(write_word(path, "b"), PL_OK);
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 07777, 0640);
    assert_holds(path, "b");
}

static void pipes_are_written_through(void **state)
{
    (void)state;
    char path[256], word[16] = "";
    struct stat about;
    assert_int_equal(mkfifo(in_folder("pipe", path), 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    assert_int_equal(out_check(path), PL_OK);
    assert_int_equal(write_word(path, "through"), PL_OK);
    assert_int_equal(read(reader, word, sizeof word - 1), 7);
    assert_string_equal(word, "through");
    close(reader);
    assert_int_equal(lstat(path, &about), 0);
    assert_true(S_ISFIFO(about.st_mode));
    assert_no_parts();
}

static void a_full_device_says_so(void **state)
{
    (void)state;
    char link[256];
    struct stat about;
    if (stat("/dev/full", &about) != 0 || !S_ISCHR(about.st_mode))
    {
        skip();
    }
    assert_int_equal(symlink("/dev/full", in_folder("full", link)), 0); // a link, so that a fault costs no device
    assert_int_equal(write_word(link, "lost"), PL_ERROR_FILE);
    assert_non_null(strstr(pl_error_message(), "No space left on device"));
    assert_int_equal(stat("/dev/full", &about), 0);
    assert_true(S_ISCHR(about.st_mode));
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
}

// What was lost long before the end: why is told all the same, and nothing is left.
static void a_lost_write_says_why(void **state)
{
    (void)state;
    char path[256], many[100000] = {1};
    struct out_file out;
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = (struct rlimit){1000, before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_int_equal(out_open(&out, in_folder("large", path)), PL_OK);
    fwrite(many, 1, sizeof many, out.stream);
    bool lost = ferror(out.stream);
    pl_result result = out_finish(&out);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    assert_true(lost);
    assert_int_equal(result, PL_ERROR_FILE);
    assert_non_null(strstr(pl_error_message(), "large: File too large"));
    assert_no_parts();
}

static void folders_and_loops_are_refused(void **state)
{
    (void)state;
    char loop[256];
    assert_int_equal(out_check(folder), PL_ERROR_FILE);
    assert_non_null(strstr(pl_error_message(), "it is a folder"));
    assert_int_equal(symlink("loop", in_folder("loop", loop)), 0);
    assert_int_equal(out_check(loop), PL_ERROR_FILE);
    assert_int_equal(write_word(in_folder("no/such", loop), "x"), PL_ERROR_FILE);
    assert_non_null(strstr(pl_error_message(), "No such file"));
}

// A name that somebody else took is left alone, and two outputs of one program do not share a part.
static void parts_are_new_files(void **state)
{
    (void)state;
    char path[256];
    struct out_file one, two;
    assert_int_equal(out_open(&one, in_folder("same", path)), PL_OK);
    assert_int_equal(out_open(&two, path), PL_OK);
    assert_string_not_equal(one.part, two.part);
    fputs("one", one.stream);
    fputs("two", two.stream);
    assert_int_equal(out_finish(&one), PL_OK);
    assert_holds(path, "one");
    assert_int_equal(out_finish(&two), PL_OK);
    assert_holds(path, "two");
    assert_no_parts();
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : 1;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_stay_links),          cmocka_unit_test(modes_stay),
        cmocka_unit_test(pipes_are_written_through), cmocka_unit_test(a_full_device_says_so),
        cmocka_unit_test(a_lost_write_says_why),     cmocka_unit_test(folders_and_loops_are_refused),
        cmocka_unit_test(parts_are_new_files),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
