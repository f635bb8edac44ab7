// printable.h: makes text that came from outside fit for a terminal. Names in files may hold escape sequences, which would
// move the cursor, change colours or worse where a message repeats them.
#ifndef PLIANT_CORE_PRINTABLE_H
#define PLIANT_CORE_PRINTABLE_H

#include <stdbool.h>

// Is the character at p a control character, other than a tab or a new line? Those of UTF-8 from U+0080 to U+009F too.
static inline bool is_control(const char *p)
{
    unsigned char first = (unsigned char)p[0], second = (unsigned char)p[1]; // the 0 at the end, at the last
    return (first < 0x20 && first != '\t' && first != '\n') || first == 0x7f ||
           (first == 0xc2 && second >= 0x80 && second < 0xa0);
}

// Puts a question mark in the place of each control character.
static inline void make_printable(char *text)
{
    for (char *p = text; *p; p++)
        if (is_control(p))
        {
            if ((unsigned char)*p == 0xc2)
                p[1] = '?';
            *p = '?';
        }
}

#endif
