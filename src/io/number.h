// number.h: reads numbers from text and writes them to text, the same on every machine and in every locale.
#ifndef PLIANT_IO_NUMBER_H
#define PLIANT_IO_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

// The grammar of a number's text. "json" is that of RFC 8259; "loose" also accepts "+1", ".5", "1." and "007".
enum number_grammar
{
    NUMBER_JSON,
    NUMBER_LOOSE,
};

// Reads the whole of [text, text + length) as one number, rounded once, to the nearest double (ties to even). Returns
// false if it is not a number; a number beyond a double's range gives an infinity.
bool number_read(const char *text, size_t length, enum number_grammar grammar, double *value);

enum
{
    NUMBER_TEXT = 32, // bytes that number_write needs
};

// Writes the shortest text that reads back as the same float or double. NaN and infinities give "null", because JSON
// cannot express them.
const char *number_write(double value, char text[NUMBER_TEXT]);
const char *number_write_float(float value, char text[NUMBER_TEXT]);

#endif
