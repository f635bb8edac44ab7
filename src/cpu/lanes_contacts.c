// lanes_contacts.c: contacts of pairs of particles, and of particles with shapes.
#include "stages/contact_items.h"
#include "stages/stabilise_items.h"

#define EXPORT_CONTACTS EXPORT
#include "cpu/lanes_unit.h"

#if LANES == 1 // what wider tables do one at a time
extern void probe_alone(const state *s, const stage *g, size_t k);
void probe_alone(const state *s, const stage *g, size_t k) { probe_touch(s, g, k); }

#define DEFINE_PAIR(name)                                                                                              \
    extern void name##_alone(const state *s, const packed_pairs *p, size_t k);                                         \
    void name##_alone(const state *s, const packed_pairs *p, size_t k) { name(s, p, k); }
#define DEFINE_TOUCH(name)                                                                                             \
    extern void name##_alone(const state *s, const packed_touches *t, size_t k);                                       \
    void name##_alone(const state *s, const packed_touches *t, size_t k) { name(s, t, k); }
EACH_ALONE(DEFINE_PAIR, DEFINE_TOUCH)
#endif
