// lanes_contacts.c: contacts of pairs of particles, and of particles with shapes.
#include "stages/contact_items.h"
#include "stages/stabilise_items.h"

#define EXPORT_CONTACTS EXPORT
#include "cpu/lanes_unit.h"

#if LANES == 1 // wider tables take rows of several shapes one at a time
extern void probe_alone(const state *s, const stage *g, size_t k);
void probe_alone(const state *s, const stage *g, size_t k) { probe_touch(s, g, k); }
#endif
