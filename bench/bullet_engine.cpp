// bullet_engine.cpp: Bullet's soft body (btSoftBody) as a peer: same particles, masses and links, the same number of
// position iterations, no collision. The body is stepped directly, as btSoftRigidDynamicsWorld does but without what
// that world adds around it, so that only the soft body's own work is timed.
#include "body_scene.h"

#include <BulletSoftBody/btSoftBody.h>
#include <cstdio>
#include <vector>

extern "C" void *bullet_grains_create(const scene *s);
extern "C" void bullet_grains_step(void *state);
extern "C" void bullet_grains_positions(void *state, float *out);
extern "C" void bullet_grains_destroy(void *state);

namespace {

struct bullet_state
{
    void *grains; // rigid spheres, instead of what follows
    void *bodies; // or rigid bodies
    btSoftBodyWorldInfo info;
    btSoftBody *body;
    int substeps;
    btScalar h;
};

void *create(const scene *s, int, int)
{
    bullet_state *state = new bullet_state;
    state->bodies = s->bodies ? bullet_bodies_create(s) : nullptr;
    state->grains = s->radius > 0 ? bullet_grains_create(s) : nullptr;
    state->body = nullptr;
    if (state->grains || state->bodies)
    {
        return state;
    }
    state->info.m_gravity = btVector3(0, btScalar(-9.81), 0);
    state->info.air_density = 0;
    state->info.water_density = 0;
    std::vector<btVector3> x;
    for (int i = 0; i < s->particles; ++i)
    {
        x.push_back(btVector3(s->position[3 * i], s->position[3 * i + 1], s->position[3 * i + 2]));
    }
    btSoftBody *body = new btSoftBody(&state->info, s->particles, x.data(), s->mass);
    for (int k = 0; k < s->links; ++k)
    {
        body->appendLink(s->link[2 * k], s->link[2 * k + 1], nullptr, false);
    }
    body->m_materials[0]->m_kLST = 1;
    body->m_cfg.piterations = s->iterations;
    body->m_cfg.collisions = 0;
    state->body = body;
    state->substeps = s->substeps;
    state->h = s->dt / btScalar(s->substeps);
    return state;
}

bool step(void *opaque)
{
    bullet_state *state = static_cast<bullet_state *>(opaque);
    if (state->bodies)
    {
        bullet_bodies_step(state->bodies);
        return true;
    }
    if (state->grains)
    {
        bullet_grains_step(state->grains);
        return true;
    }
    for (int i = 0; i < state->substeps; ++i)
    {
        state->body->predictMotion(state->h);
        state->body->solveConstraints();
        state->body->integrateMotion();
    }
    return true;
}

void positions(void *opaque, float *out)
{
    btSoftBody *body = static_cast<bullet_state *>(opaque)->body;
    if (!body)
    {
        bullet_grains_positions(static_cast<bullet_state *>(opaque)->grains, out);
        return;
    }
    for (int i = 0; i < body->m_nodes.size(); ++i)
    {
        for (int k = 0; k < 3; ++k)
        {
            out[3 * i + k] = float(body->m_nodes[i].m_x[k]);
        }
    }
}

void poses(void *opaque, float *out) { bullet_bodies_poses(static_cast<bullet_state *>(opaque)->bodies, out); }

void destroy(void *opaque)
{
    bullet_state *state = static_cast<bullet_state *>(opaque);
    if (state->grains)
    {
        bullet_grains_destroy(state->grains);
    }
    if (state->bodies)
    {
        bullet_bodies_destroy(state->bodies);
    }
    delete state->body;
    delete state;
}

} // namespace

engine bullet_engine(void)
{
    static char version[16];
    snprintf(version, sizeof version, "%d.%02d", BT_BULLET_VERSION / 100, BT_BULLET_VERSION % 100);
    engine e = {};
    e.name = "bullet";
    e.version = version;
    e.threads = 1;
    e.lanes = 1; // one link at a time
    e.create = create;
    e.step = step;
    e.positions = positions;
    e.poses = poses;
    e.destroy = destroy;
    return e;
}
