// bullet_bodies.cpp: Bullet's rigid bodies and joints (btDiscreteDynamicsWorld, hinges and point-to-point constraints) as a
// peer: the same shapes, masses, joints and friction, ten iterations at 60 Hz, which is what Bullet does by itself; no body
// is put to sleep.
#include "body_scene.h"

#include <btBulletDynamicsCommon.h>
#include <memory>
#include <vector>

namespace {

struct bodies_state
{
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broadphase;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btMotionState>> motions;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    std::vector<std::unique_ptr<btTypedConstraint>> joints;
    int count = 0;
    btScalar dt = 0;

    bodies_state() : dispatcher(&configuration), world(&dispatcher, &broadphase, &solver, &configuration) {}
    ~bodies_state()
    {
        for (auto &j : joints)
        {
            world.removeConstraint(j.get());
        }
        for (auto &b : bodies)
        {
            world.removeRigidBody(b.get());
        }
    }
};

btVector3 vec(const float *a) { return btVector3(a[0], a[1], a[2]); }

void add(bodies_state *state, btCollisionShape *shape, btScalar mass, const btTransform &at, bool collide)
{
    btVector3 inertia(0, 0, 0);
    state->shapes.emplace_back(shape);
    if (mass > 0)
    {
        shape->calculateLocalInertia(mass, inertia);
    }
    state->motions.emplace_back(new btDefaultMotionState(at));
    btRigidBody::btRigidBodyConstructionInfo info(mass, state->motions.back().get(), shape, inertia);
    info.m_friction = btScalar(0.7071); // Bullet multiplies the two: 0.5
    state->bodies.emplace_back(new btRigidBody(info));
    state->bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    state->world.addRigidBody(state->bodies.back().get(), 1, collide ? -1 : 0);
}

btCollisionShape *shape_of(const bench_body *b)
{
    if (b->form == FORM_BOX)
    {
        return new btBoxShape(vec(b->half));
    }
    if (b->form == FORM_SPHERE)
    {
        return new btSphereShape(b->radius);
    }
    return new btCapsuleShape(b->radius, b->length);
}

void join(bodies_state *state, const bench_joint *j)
{
    btRigidBody &a = *state->bodies[j->a], &b = *state->bodies[j->b];
    const btTransform ta = a.getWorldTransform().inverse(), tb = b.getWorldTransform().inverse();
    const btVector3 pa = ta * vec(j->point), pb = tb * vec(j->point);
    btTypedConstraint *made;
    if (j->hinge)
    {
        btHingeConstraint *h =
            new btHingeConstraint(a, b, pa, pb, ta.getBasis() * vec(j->axis), tb.getBasis() * vec(j->axis));
        if (j->high > j->low)
        {
            h->setLimit(j->low, j->high);
        }
        if (j->torque > 0)
        {
            h->enableAngularMotor(true, j->speed, j->torque * state->dt); // Bullet asks for an impulse
        }
        made = h;
    }
    else
    {
        made = new btPoint2PointConstraint(a, b, pa, pb);
    }
    state->joints.emplace_back(made);
    state->world.addConstraint(made, true);
}

} // namespace

extern "C" void *bullet_bodies_create(const scene *s)
{
    bodies_state *state = new bodies_state;
    state->world.setGravity(btVector3(0, btScalar(-9.81), 0));
    state->count = s->bodies->bodies;
    state->dt = s->dt;
    for (int i = 0; i < s->bodies->bodies; ++i)
    {
        const bench_body *b = &s->bodies->body[i];
        const float *q = b->rotation;
        add(state, shape_of(b), b->mass, btTransform(btQuaternion(q[0], q[1], q[2], q[3]), vec(b->position)),
            s->bodies->collide);
    }
    if (s->bodies->floor)
    {
        add(state, new btStaticPlaneShape(btVector3(0, 1, 0), 0), 0, btTransform::getIdentity(), true);
    }
    for (int i = 0; i < s->bodies->joints; ++i)
    {
        join(state, &s->bodies->joint[i]);
    }
    return state;
}

extern "C" void bullet_bodies_step(void *opaque)
{
    bodies_state *state = static_cast<bodies_state *>(opaque);
    state->world.stepSimulation(state->dt, 1, state->dt);
}

extern "C" void bullet_bodies_poses(void *opaque, float *out)
{
    bodies_state *state = static_cast<bodies_state *>(opaque);
    for (int i = 0; i < state->count; ++i)
    {
        const btTransform &t = state->bodies[i]->getWorldTransform();
        const btQuaternion q = t.getRotation();
        const btScalar pose[POSE_FLOATS] = {
            t.getOrigin()[0], t.getOrigin()[1], t.getOrigin()[2], q[0], q[1], q[2], q[3]};
        for (int c = 0; c < POSE_FLOATS; ++c)
        {
            out[POSE_FLOATS * i + c] = float(pose[c]);
        }
    }
}

extern "C" void bullet_bodies_destroy(void *opaque) { delete static_cast<bodies_state *>(opaque); }
