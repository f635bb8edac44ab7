// cast.h: declares a cast under way: what moves, its filters and its hits.
#pragma once
#include "collide/time_of_impact.h"
#include "query/cache.h"

typedef struct cast_state
{
    const pl_world *w;
    double from[3], way[3]; // way: unit vector
    double distance, radius;
    int form;                  // pl_cast_form
    convex shape;              // its core and rounding; not of a ball
    mat3 turn;                 // its rotation
    double reach;              // no point of it is farther from its origin
    double centre[3], half[3]; // its box, relative to its origin
    int targets;
    uint32_t mask;
    pl_query_filter filter;
    int32_t ignore_first, ignore_end;                           // particle numbers
    uint32_t ignore_entry;                                      // of a shape or a body
    void (*at_part)(struct cast_state *f, const query_part *p); // what is done with a shape: cast_at_part
    void (*found)(struct cast_state *f, const pl_hit *hit);     // not NULL: gets every hit, in any order
    void *user;                                                 // for them
    bool leaves; // what it overlaps at the start and moves out of is no hit
    // the hits, nearest first
    pl_hit *hits;
    int capacity, count; // count: of hits written
    int64_t all;
} cast_state;

// cast.c: checks a def; inserts a hit into the list, which is sorted by distance.
pl_result cast_open(cast_state *f, const pl_cast_def *def, const char *what);
void add_hit(cast_state *f, const pl_hit *hit);
void cast_measure(cast_state *f); // the box and the reach of its form, after a change of form or rotation
bool hit_comes_before(const pl_hit *a, const pl_hit *b);
// Tests everything that the cast may hit.
pl_result cast_run(cast_state *f);
// Returns the distance that is still of interest: with room for one hit, targets farther than it need no test. A little
// more, so that among hits whose distances round to the same float32 the order of the tests does not matter.
static inline double reach_of_cast(const cast_state *f)
{
    double nearest = f->capacity == 1 && f->count ? (double)f->hits[0].distance * (1.0 + 1e-6) + 1e-30 : f->distance;
    return nearest < f->distance ? nearest : f->distance;
}

// May the query find it?
static inline bool filter_finds(const pl_query_filter *f, uint64_t category, uint64_t mask)
{
    return (f->mask & category) != 0 && (f->category & mask) != 0;
}

// A target with a distance function, in the target's frame.
typedef struct target
{
    surface_distance (*probe)(const struct target *t, vec x);
    bool is_convex; // its distance is a convex function of the place
    const query_part *part;
    vec corner[3];
    const struct convex *caster;
    double from[3], way[3]; // the cast in that frame
    double begin, end;      // the interval of t in which a touch may be; it does not depend on other hits
    double limit;           // later touches are of no interest
    double radius;
} target;

// cast_targets.c
target target_of(const cast_state *f);
// Finds the first touch of a ball, if there is one: its time, and the surface there.
bool first_contact_of(const target *t, double *time, surface_distance *there);
bool within_ball(target *t, const double centre[3], double reach);
vec place_at(const target *t, double time);
surface_distance probe_part(const target *t, vec x);
void cast_at_part(cast_state *f, const query_part *p);
// The hit of a part, without point and normal.
pl_hit part_hit(const cast_state *f, const query_part *p, double time);
void cast_at_particle(cast_state *f, int32_t number);
void cast_at_face(cast_state *f, int64_t face);
static inline pl_vec3 vec3_of(vec v) { return (pl_vec3){v.x, v.y, v.z}; }
// Rotates a vector of the world into the frame of a placement.
void rotate_into(const placement *p, const double v[3], double out[3]);

// cast_convex.c: the same for capsules, boxes and hulls.
typedef struct convex_hit
{
    double time;
    vec point, normal; // in the frame of the target
} convex_hit;
bool convex_hits_part(const cast_state *f, const query_part *p, target *t, convex_hit *out);
bool convex_hits_ball(const cast_state *f, const float *x, float radius, convex_hit *out); // axes of the world
bool convex_hits_triangle(const cast_state *f, target *t, convex_hit *out);
