// body_scene.h: rigid bodies and joints as plain arrays, so that every engine gets the same ones in the same order.
#ifndef PLIANT_BENCH_BODY_SCENE_H
#define PLIANT_BENCH_BODY_SCENE_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

enum
{
    POSE_FLOATS = 7, // position, rotation (x y z w)
};

typedef enum body_form
{
    FORM_BOX,
    FORM_SPHERE,
    FORM_CAPSULE, // along y
} body_form;

typedef struct bench_body
{
    body_form form;
    float half[3];        // of a box
    float radius, length; // of the others; length: between the centres of a capsule's ends
    float position[3], rotation[4];
    float mass; // 0: held
} bench_body;

typedef struct bench_joint
{
    int a, b;
    bool hinge; // else a ball joint
    float point[3], axis[3];
    float low, high;     // hinge: limits, rad; none if equal
    float speed, torque; // hinge: a motor; none if torque is 0
} bench_joint;

typedef struct body_list
{
    int bodies, joints;
    bench_body *body;
    bench_joint *joint;
    bool collide, floor;
} body_list;

// What is left of the start: how far the bodies are from their places, and how far joints have opened, m.
typedef struct body_errors
{
    double drift_mean, drift_max, gap_mean, gap_max;
} body_errors;

// Makes the bench of that name; false: there is none, or no memory.
bool make_body_scene(scene *s, const char *name);
body_errors find_body_errors(const body_list *list, const float *poses);
void free_bodies(body_list *list);

// Bullet's world of these bodies (bullet_bodies.cpp).
void *bullet_bodies_create(const scene *s);
void bullet_bodies_step(void *state);
void bullet_bodies_poses(void *state, float *out);
void bullet_bodies_destroy(void *state);

#ifdef __cplusplus
}
#endif
#endif
