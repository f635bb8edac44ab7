// lanes_contacts.c: contacts of pairs of particles, and of particles with shapes.
#include "stages/contact_stages.h"
#include "stages/stabilise_stages.h"

#define EXPORT_CONTACTS EXPORT
#include "backend/cpu/lanes_unit.h"

#if LANES == 1 // wider tables take rows of several shapes one at a time
extern void probe_alone(const state *s, const stage *g, size_t k);
void probe_alone(const state *s, const stage *g, size_t k) { probe_shape_contact(s, g, k); }
#endif
