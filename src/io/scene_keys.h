// scene_keys.h: declares scripted motions, and what all lists of keys share: their order, the place of a time among them,
// and the rotation between two keys. Every struct of a key begins with a struct scene_time.
#ifndef PLIANT_IO_SCENE_KEYS_H
#define PLIANT_IO_SCENE_KEYS_H

#include "fields.h"

struct scene_time
{
    struct head head;
    float time; // s
};

// The two keys around a time, and where between them it is, from 0 to 1. Before the first and after the last key both
// are the same.
struct key_pair
{
    const void *a, *b;
    double part;
};

struct scene_key
{
    struct head head;
    float time;
    pl_vec3 offset, rotation;
    float scale;
};

// Moves pins, or particles that are held in place: by keys, or at a constant rate.
struct scene_motion
{
    struct head head;
    const char *pin;
    const struct json *particles;
    pl_vec3 centre, velocity, spin;
    float start, stop;
    bool smooth;
    struct records keys;
    int block;        // resolved: the number of the block of pins among the scene's, or -1
    int32_t *numbers; // or the particles
    int count;
};

// Checks that times grow. size: of the struct of a key.
pl_result keys_check(const struct records *keys, size_t size);
struct key_pair keys_around(const struct records *keys, size_t size, double time);

// A rotation about `axis` by an angle. The angle counts modulo 360.
pl_quat rotation_by(pl_vec3 axis, double degrees);
// The rotation between two, each about the direction of its vector by its length in degrees: by the angle if both have
// one axis, so that it may be any angle; else the shorter way.
pl_quat rotation_between(pl_vec3 a, pl_vec3 b, double part);

#endif
