// block.h: constraints that come as a vector: the strains of one finite element, solved together.
//
// A kind of this sort has NAME_eval (the parts of C, their gradients and their softness matrix S), NAME_rest and NAME_energy. Its
// compliance matrix is compliance S, so for an element `compliance` is 1/E, the inverse of Young's modulus [1/Pa], and `damping` a
// viscosity [Pa s] (Kelvin and Voigt). Energy: 1/2 C^T S^-1 C / compliance.
//
//   dlambda = -((1 + gamma) J W J^T + a S)^-1 (C + a S lambda + gamma motion)      Macklin, Mueller, Chentanez 2016, as a block
//   x_i += w_i sum_k g[k][i] dlambda[k]
#pragma once
#include "constraints/row.h"

#define BLOCK_PARTS 6                                    // PL_MAX_PARTS
#define BLOCK_HALF (BLOCK_PARTS * (BLOCK_PARTS + 1) / 2) // of a symmetric matrix, row by row: (i, j), j <= i
#define HALF_AT(i, j) ((i) * ((i) + 1) / 2 + (j))

typedef struct block
{
    f32 value[BLOCK_PARTS];
    f32 soft[BLOCK_HALF]; // S
    vec g[BLOCK_PARTS][ROW_POINTS];
} block;

PL_FN void soft_zero(block *c, int parts)
{
    for (int i = 0; i < HALF_AT(parts, 0); i++)
        c->soft[i] = splat(0.0f);
}

// m x = b by L D L^T; x comes in b's place. A pivot that has vanished belongs to a part that nothing can change: it stays 0.
PL_FN void half_solve(f32 *m, f32 *b, int parts)
{
    f32 inverse[BLOCK_PARTS];
    for (int j = 0; j < parts; j++)
    {
        f32 whole = m[HALF_AT(j, j)], d = whole;
        for (int k = 0; k < j; k++) // here m[j][k] is L D
            d = d - m[HALF_AT(j, k)] * m[HALF_AT(j, k)] * inverse[k];
        i32 live = (d > 1e-6f * whole) & (d > 0.0f);
        inverse[j] = keep(live, 1.0f / pick(live, d, splat(1.0f)));
        for (int i = j + 1; i < parts; i++)
        {
            f32 a = m[HALF_AT(i, j)];
            for (int k = 0; k < j; k++)
                a = a - m[HALF_AT(i, k)] * m[HALF_AT(j, k)] * inverse[k];
            m[HALF_AT(i, j)] = a;
        }
    }
    for (int i = 0; i < parts; i++)
        for (int k = 0; k < i; k++)
            b[i] = b[i] - m[HALF_AT(i, k)] * (inverse[k] * b[k]);
    for (int i = parts - 1; i >= 0; i--)
    {
        f32 a = b[i];
        for (int k = i + 1; k < parts; k++)
            a = a - m[HALF_AT(k, i)] * b[k];
        b[i] = inverse[i] * a;
    }
}

PL_FN f32 half_row(const f32 *m, const f32 *b, int i, int parts)
{
    f32 sum = m[HALF_AT(i, 0)] * b[0];
    for (int j = 1; j < parts; j++)
        sum = sum + m[j <= i ? HALF_AT(i, j) : HALF_AT(j, i)] * b[j];
    return sum;
}

// J W J^T, from the masses that the points have here.
PL_FN void block_weigh(const block *c, const point *p, int points, int parts, f32 *weight)
{
    for (int i = 0; i < parts; i++)
        for (int j = 0; j <= i; j++)
        {
            f32 sum = p[0].w * dot(c->g[i][0], c->g[j][0]);
            for (int k = 1; k < points; k++)
                sum = sum + p[k].w * dot(c->g[i][k], c->g[j][k]);
            weight[HALF_AT(i, j)] = sum;
        }
}

// One Gauss-Seidel visit: lambda is brought up to date, and `change` is what it changed by.
PL_FN void block_visit(const block *c, const point *p, int points, int parts, const softness *soft, const f32 *motion,
                       f32 *lambda, f32 *change, int mode)
{
    f32 m[BLOCK_HALF];
    block_weigh(c, p, points, parts, m);
    for (int i = 0; i < parts; i++)
    {
        f32 over = -c->value[i];
        if (mode == MODE_PBD)
            over = soft->k * over;
        else
            over = over - soft->a * half_row(c->soft, lambda, i, parts);
        if (mode == MODE_DAMPED)
            over = over - soft->gamma * motion[i];
        change[i] = over;
    }
    for (int i = 0; i < HALF_AT(parts, 0) && mode != MODE_PBD; i++)
    {
        if (mode == MODE_DAMPED)
            m[i] = m[i] + soft->gamma * m[i];
        m[i] = m[i] + soft->a * c->soft[i];
    }
    half_solve(m, change, parts);
    for (int i = 0; i < parts; i++)
        lambda[i] = lambda[i] + change[i];
}

// What point i moves by, for a mass of 1.
PL_FN vec block_push(const block *c, const f32 *change, int i, int parts)
{
    vec sum = times(change[0], c->g[0][i]);
    for (int k = 1; k < parts; k++)
        sum = add(sum, times(change[k], c->g[k][i]));
    return sum;
}
