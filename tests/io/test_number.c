// test_number.c: decimal text to double, against cases whose bits are known and against the C library on many others.
#include "io/number.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t bits_of(const char *text)
{
    double value = -1.0;
    uint64_t bits;
    assert_true(number_read(text, strlen(text), NUMBER_JSON, &value));
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void known_bits(void **state)
{
    (void)state;
    assert_int_equal(bits_of("0"), 0);
    assert_int_equal(bits_of("-0"), 0x8000000000000000u);
    assert_int_equal(bits_of("0.1"), 0x3FB999999999999Au);
    // Halfway between two doubles: to even, and just above: up.
    assert_int_equal(bits_of("9007199254740993"), 0x4340000000000000u);
    assert_int_equal(bits_of("9007199254740993.00000000000000000000000000000001"), 0x4340000000000001u);
    assert_int_equal(bits_of("9007199254740995"), 0x4340000000000002u);
    assert_int_equal(bits_of("4.9406564584124654e-324"), 1);
    assert_int_equal(bits_of("2.4703282292062327208e-324"), 0);
    assert_int_equal(bits_of("2.4703282292062328e-324"), 1);
    assert_int_equal(bits_of("2.2250738585072011e-308"), 0x000FFFFFFFFFFFFFu);
    assert_int_equal(bits_of("2.2250738585072014e-308"), 0x0010000000000000u);
    assert_int_equal(bits_of("1.7976931348623157e308"), 0x7FEFFFFFFFFFFFFFu);
    assert_int_equal(bits_of("1e400"), 0x7FF0000000000000u);
    assert_int_equal(bits_of("1.8e308"), 0x7FF0000000000000u);
    assert_int_equal(bits_of("1e-400"), 0);
    assert_int_equal(bits_of("123456789012345678901234567890e-25"), bits_of("12345.6789012345678901234567890"));
}

static void a_long_tail_decides(void **state)
{
    (void)state;
    char text[1200];
    // 1 + 2^-53, exactly half-way, then a 1 far behind.
    strcpy(text, "1.00000000000000011102230246251565404236316680908203125");
    assert_int_equal(bits_of(text), 0x3FF0000000000000u);
    size_t length = strlen(text);
    memset(text + length, '0', 1000);
    strcpy(text + length + 1000, "1");
    assert_int_equal(bits_of(text), 0x3FF0000000000001u);
}

static uint64_t random_state = 88172645463325252u;
static uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static void agrees_with_the_c_library(void **state)
{
    (void)state;
    for (int i = 0; i < 200000; i++)
    {
        char text[64];
        double value, back = 0.0;
        uint64_t bits = random_bits();
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
        {
            continue;
        }
        int digits = 1 + (int)(random_bits() % 20);
        snprintf(text, sizeof text, "%.*e", digits, value);
        assert_true(number_read(text, strlen(text), NUMBER_JSON, &back));
        assert_true(back == strtod(text, NULL));
        snprintf(text, sizeof text, "%d.%de%d", (int)(random_bits() % 100000), (int)(random_bits() % 1000000000),
                 (int)(random_bits() % 700) - 350);
        assert_true(number_read(text, strlen(text), NUMBER_JSON, &back));
        assert_true(back == strtod(text, NULL));
    }
}

static void refuses_what_is_no_number(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",     "-",   "+1",  "01", "1.", ".5",  "1e",  "1e+",
                                        "0x10", "nan", "inf", "1 ", " 1", "1,5", "--1", "1e5.0"};
    static const char *const loose[] = {"+1", "01", "1.", ".5"};
    double value;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    {
        assert_false(number_read(wrong[i], strlen(wrong[i]), NUMBER_JSON, &value));
    }
    for (size_t i = 0; i < sizeof loose / sizeof *loose; i++)
    {
        assert_true(number_read(loose[i], strlen(loose[i]), NUMBER_LOOSE, &value));
        assert_true(value == strtod(loose[i], NULL));
    }
}

static void writes_the_shortest(void **state)
{
    (void)state;
    char text[NUMBER_TEXT];
    assert_string_equal(number_write_float(0.02f, text), "0.02");
    assert_string_equal(number_write(0.1, text), "0.1");
    assert_string_equal(number_write(-3.0, text), "-3");
    assert_string_equal(number_write(1e21, text), "1e+21");
    assert_string_equal(number_write((double)NAN, text), "null");
    assert_string_equal(number_write((double)INFINITY, text), "null");
    assert_string_equal(number_write_float(1.0f / 60.0f, text), "0.016666668");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_bits),
        cmocka_unit_test(a_long_tail_decides),
        cmocka_unit_test(agrees_with_the_c_library),
        cmocka_unit_test(refuses_what_is_no_number),
        cmocka_unit_test(writes_the_shortest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
