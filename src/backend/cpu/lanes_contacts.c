// lanes_contacts.c: compiles the stages of contacts between particles, and of contacts between particles and shapes,
// for one lane width (lanes_unit.h).
#include "neighbours/clients/client_stages.h"
#include "stages/contact_stages.h"
#include "stages/stabilise_stages.h"

#define EXPORT_CONTACTS EXPORT
#include "backend/cpu/lanes_unit.h"

#if LANES == 1 // called by the wider tables for lanes that they cannot process together, as in rows of several shapes
extern void probe_alone(const state *s, const stage *g, size_t k);
void probe_alone(const state *s, const stage *g, size_t k) { probe_shape_contact(s, g, k); }
#endif
