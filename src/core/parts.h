// parts.h: keeps account of partial files, NAME.PROCESS.NUMBER.part, which become files when they are whole (files.c).
#ifndef PLIANT_CORE_PARTS_H
#define PLIANT_CORE_PARTS_H

void part_remember(char *part);
void part_forget(char *part);
// Removes what runs that were killed have left of this file. On a file system that several machines share, the process may
// live on another one: a file that it has locked stays.
void parts_remove_stale(const char *real);

#endif
