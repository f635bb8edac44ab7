// bullet_grains.cpp: Bullet's rigid bodies (btSphereShape in btDiscreteDynamicsWorld) as a peer for grains: the same spheres,
// masses, velocities, friction and box, Bullet's own ten iterations of its solver at 60 Hz, no body put to sleep.
#include "bench.h"

#include <btBulletDynamicsCommon.h>
#include <memory>
#include <vector>

namespace {

struct grains_state
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies; // grains first
    std::vector<std::unique_ptr<btMotionState>> motions;
    int grains = 0;
    btScalar dt = 0;

    grains_state() : dispatcher(&configuration), world(&dispatcher, &broadphase, &solver, &configuration) {}
    ~grains_state()
    {
        for (auto &b : bodies)
        {
            world.removeRigidBody(b.get());
        }
    }

    btRigidBody *add(btCollisionShape *shape, btScalar mass, const btVector3 &at, btScalar friction)
    {
        btVector3 inertia(0, 0, 0);
        if (mass > 0)
        {
            shape->calculateLocalInertia(mass, inertia);
        }
        motions.emplace_back(new btDefaultMotionState(btTransform(btQuaternion::getIdentity(), at)));
        btRigidBody::btRigidBodyConstructionInfo info(mass, motions.back().get(), shape, inertia);
        info.m_friction = friction;
        bodies.emplace_back(new btRigidBody(info));
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(bodies.back().get());
        return bodies.back().get();
    }
};

} // namespace

extern "C" void *bullet_grains_create(const scene *s)
{
    grains_state *state = new grains_state;
    state->world.setGravity(btVector3(0, btScalar(-9.81), 0));
    state->grains = s->particles;
    state->dt = s->dt;
    btScalar friction = btScalar(0.7746); // Bullet multiplies the two: 0.6
    state->shapes.emplace_back(new btSphereShape(s->radius));
    for (int i = 0; i < s->particles; ++i)
    {
        const float *x = s->position + 3 * i, *v = s->velocity + 3 * i;
        btRigidBody *b = state->add(state->shapes[0].get(), s->mass[i], btVector3(x[0], x[1], x[2]), friction);
        b->setLinearVelocity(btVector3(v[0], v[1], v[2]));
    }
    const btVector3 normals[5] = {{0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
    for (int k = 0; k < 5; ++k)
    {
        state->shapes.emplace_back(new btStaticPlaneShape(normals[k], k == 0 ? btScalar(0) : -btScalar(s->half)));
        state->add(state->shapes.back().get(), 0, btVector3(0, 0, 0), friction);
    }
    return state;
}

extern "C" void bullet_grains_step(void *opaque)
{
    grains_state *state = static_cast<grains_state *>(opaque);
    state->world.stepSimulation(state->dt, 1, state->dt);
}

extern "C" void bullet_grains_positions(void *opaque, float *out)
{
    grains_state *state = static_cast<grains_state *>(opaque);
    for (int i = 0; i < state->grains; ++i)
    {
        btVector3 x = state->bodies[i]->getWorldTransform().getOrigin();
        for (int k = 0; k < 3; ++k)
        {
            out[3 * i + k] = float(x[k]);
        }
    }
}

extern "C" void bullet_grains_destroy(void *opaque) { delete static_cast<grains_state *>(opaque); }
