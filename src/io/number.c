// number.c: converts numbers from decimal to binary, correctly rounded, and back.
//
// A number is D * 10^e with D an integer. If D fits 53 bits and |e| <= 22, both D and 10^|e| are doubles and one
// multiplication or division rounds once (Clinger 1990). All other numbers use big integers: N / M = D * 10^e is
// shifted until the quotient has exactly as many bits as the double holds, and the remainder decides the rounding.
// strtod would do it too, but it depends on the locale, and its last bit has been wrong in some C libraries; a scene
// must give the same bits everywhere.
#include "number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum
{
    MAX_DIGITS = 800, // more than 768 significant digits never decide a rounding, except as "more than half"
    WORDS = 160,      // 5,120 bits: 801 digits times 10^342, and room for the shift
};

struct decimal
{
    char digits[MAX_DIGITS + 1]; // 0 to 9, no leading zero
    int count;
    int exponent; // value = the digits as an integer * 10^exponent
    bool negative;
};

struct big
{
    uint32_t word[WORDS];
    int count;
};

static void big_multiply_add(struct big *a, uint32_t factor, uint32_t add)
{
    uint64_t carry = add;
    for (int i = 0; i < a->count; i++)
    {
        carry += (uint64_t)a->word[i] * factor;
        a->word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry && a->count < WORDS)
    {
        a->word[a->count++] = (uint32_t)carry;
    }
}

static void big_power_of_ten(struct big *a, int power)
{
    for (; power >= 9; power -= 9)
    {
        big_multiply_add(a, 1000000000u, 0);
    }
    for (; power > 0; power--)
    {
        big_multiply_add(a, 10, 0);
    }
}

static int big_bits(const struct big *a)
{
    if (a->count == 0)
    {
        return 0;
    }
    int bits = (a->count - 1) * 32;
    for (uint32_t top = a->word[a->count - 1]; top; top >>= 1)
    {
        bits++;
    }
    return bits;
}

static void big_shift_left(struct big *a, int shift)
{
    int words = shift / 32, bits = shift % 32;
    if (a->count == 0 || shift == 0)
    {
        return;
    }
    int count = a->count + words + 1;
    if (count > WORDS)
    {
        count = WORDS;
    }
    for (int i = count - 1; i >= 0; i--)
    {
        int from = i - words;
        uint32_t high = from >= 0 && from < a->count ? a->word[from] : 0;
        uint32_t low = from - 1 >= 0 && from - 1 < a->count ? a->word[from - 1] : 0;
        a->word[i] = bits ? (high << bits) | (low >> (32 - bits)) : high;
    }
    a->count = count;
    while (a->count > 0 && a->word[a->count - 1] == 0)
    {
        a->count--;
    }
}

static int big_compare(const struct big *a, const struct big *b)
{
    if (a->count != b->count)
    {
        return a->count < b->count ? -1 : 1;
    }
    for (int i = a->count - 1; i >= 0; i--)
    {
        if (a->word[i] != b->word[i])
        {
            return a->word[i] < b->word[i] ? -1 : 1;
        }
    }
    return 0;
}

static void big_subtract(struct big *a, const struct big *b)
{
    int64_t borrow = 0;
    for (int i = 0; i < a->count; i++)
    {
        int64_t d = (int64_t)a->word[i] - (i < b->count ? (int64_t)b->word[i] : 0) + borrow;
        a->word[i] = (uint32_t)d;
        borrow = d < 0 ? -1 : 0;
    }
    while (a->count > 0 && a->word[a->count - 1] == 0)
    {
        a->count--;
    }
}

// Returns floor(n / m * 2^shift) for a quotient below 2^54, and whether there is a remainder.
static uint64_t big_divide(struct big *n, struct big *m, int shift, bool *left_over)
{
    if (shift >= 0)
    {
        big_shift_left(n, shift);
    }
    else
    {
        big_shift_left(m, -shift);
    }
    uint64_t quotient = 0;
    for (int bit = 54; bit >= 0; bit--)
    {
        struct big part = *m;
        big_shift_left(&part, bit);
        if (big_compare(n, &part) >= 0)
        {
            big_subtract(n, &part);
            quotient |= (uint64_t)1 << bit;
        }
    }
    *left_over = n->count > 0;
    return quotient;
}

static double decimal_exact(const struct decimal *d)
{
    struct big n = {.count = 0}, m = {.count = 1};
    m.word[0] = 1;
    for (int i = 0; i < d->count; i++)
    {
        if (n.count == 0 && d->digits[i])
        {
            n.count = 1;
            n.word[0] = (uint32_t)d->digits[i];
        }
        else
        {
            big_multiply_add(&n, 10, (uint32_t)d->digits[i]);
        }
    }
    big_power_of_ten(d->exponent >= 0 ? &n : &m, d->exponent >= 0 ? d->exponent : -d->exponent);

    // 54 bits: the double's 53 and one to round by. Below 2^-1074 * 2^53 fewer are left: a subnormal.
    int shift = 54 - (big_bits(&n) - big_bits(&m));
    if (shift > 1075)
    {
        shift = 1075; // the last bit is worth 2^-1075, half of the smallest double
    }
    bool left_over = false;
    struct big n0 = n, m0 = m;
    uint64_t q = big_divide(&n, &m, shift, &left_over);
    if (q >> 54) // the estimate from the lengths is one too large
    {
        shift--;
        q = big_divide(&n0, &m0, shift, &left_over);
    }
    uint64_t half = q & 1, kept = q >> 1;
    kept += half && (left_over || (kept & 1));
    // kept * 2^(1 - shift): the leading bit of kept adds itself to the exponent, and a carry out of it is right too.
    uint64_t bits = ((uint64_t)(1075 - shift) << 52) + kept;
    double value;
    if (bits > (uint64_t)0x7FF << 52)
    {
        bits = (uint64_t)0x7FF << 52;
    }
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double decimal_value(const struct decimal *d)
{
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    double value;
    if (d->count == 0 || d->count + d->exponent < -400)
    {
        value = 0.0;
    }
    else if (d->count + d->exponent > 310)
    {
        value = (double)INFINITY;
    }
    else if (d->count <= 15 && d->exponent >= -22 && d->exponent <= 22)
    {
        uint64_t whole = 0;
        for (int i = 0; i < d->count; i++)
        {
            whole = whole * 10 + (uint64_t)d->digits[i];
        }
        value = d->exponent < 0 ? (double)whole / ten[-d->exponent] : (double)whole * ten[d->exponent];
    }
    else
    {
        value = decimal_exact(d);
    }
    return d->negative ? -value : value;
}

static void take_digit(struct decimal *d, char c, bool fraction)
{
    int digit = c - '0';
    if (d->count == 0 && digit == 0)
    {
        d->exponent -= fraction;
    }
    else if (d->count < MAX_DIGITS)
    {
        d->digits[d->count++] = (char)digit;
        d->exponent -= fraction;
    }
    else // there is no room for the digit; if it is not 0, it may still decide an exact half
    {
        if (digit)
        {
            d->digits[MAX_DIGITS - 1] = (char)(d->digits[MAX_DIGITS - 1] | 1);
        }
        d->exponent += !fraction;
    }
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool number_read(const char *text, size_t length, enum number_grammar grammar, double *value)
{
    struct decimal d = {.count = 0};
    const char *p = text, *end = text + length;
    bool json = grammar == NUMBER_JSON;
    if (p < end && (*p == '-' || (!json && *p == '+')))
    {
        d.negative = *p++ == '-';
    }
    const char *whole = p;
    for (; p < end && is_digit(*p); p++)
    {
        take_digit(&d, *p, false);
    }
    ptrdiff_t whole_digits = p - whole, fraction_digits = 0;
    if (json && (whole_digits == 0 || (whole_digits > 1 && *whole == '0')))
    {
        return false;
    }
    if (p < end && *p == '.')
    {
        const char *fraction = ++p;
        for (; p < end && is_digit(*p); p++)
        {
            take_digit(&d, *p, true);
        }
        fraction_digits = p - fraction;
        if (json && fraction_digits == 0)
        {
            return false;
        }
    }
    if (whole_digits + fraction_digits == 0)
    {
        return false;
    }
    if (p < end && (*p == 'e' || *p == 'E'))
    {
        p++;
        bool down = p < end && *p == '-';
        p += p < end && (*p == '-' || *p == '+');
        int exponent = 0;
        if (p == end || !is_digit(*p))
        {
            return false;
        }
        for (; p < end && is_digit(*p); p++)
        {
            exponent = exponent < 100000000 ? exponent * 10 + (*p - '0') : exponent;
        }
        d.exponent += down ? -exponent : exponent;
    }
    *value = decimal_value(&d);
    return p == end;
}

// snprintf writes the locale's decimal mark, which may be several bytes; JSON and all our files use a dot.
static void unlocalise(char *text)
{
    char *to = text;
    bool dotted = false;
    for (const char *from = text; *from; from++)
    {
        bool plain = is_digit(*from) || *from == '-' || *from == '+' || *from == 'e';
        if (plain)
        {
            *to++ = *from;
        }
        else if (!dotted)
        {
            *to++ = '.';
            dotted = true;
        }
    }
    *to = 0;
}

static const char *write_shortest(double value, bool single, char text[NUMBER_TEXT])
{
    if (!(value - value == 0.0))
    {
        return strcpy(text, "null");
    }
    if (value > -1e15 && value < 1e15 && value == (double)(int64_t)value)
    {
        snprintf(text, NUMBER_TEXT, "%lld", (long long)value); // 10000, not 1e+04
        return text;
    }
    for (int digits = 1; digits <= 17; digits++)
    {
        double back = 0.0;
        snprintf(text, NUMBER_TEXT, "%.*g", digits, value);
        unlocalise(text);
        if (number_read(text, strlen(text), NUMBER_JSON, &back) &&
            (single ? (float)back == (float)value : back == value))
        {
            break;
        }
    }
    return text;
}

const char *number_write(double value, char text[NUMBER_TEXT]) { return write_shortest(value, false, text); }

const char *number_write_float(float value, char text[NUMBER_TEXT])
{
    return write_shortest((double)value, true, text);
}
