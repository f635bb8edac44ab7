// block.h: constraints that come as a vector: the strains of one finite element, solved together.
//
// A kind of this sort has NAME_eval (the parts of C, their gradients and their softness matrix S), NAME_rest and NAME_energy. Its
// compliance matrix is compliance S, so for an element `compliance` is 1/E, the inverse of Young's modulus [1/Pa], and `damping` a
// viscosity [Pa s] (Kelvin and Voigt). Energy: 1/2 C^T S^-1 C / compliance.
//
//   dlambda = -((1 + gamma) J W J^T + a S)^-1 (C + a S lambda + gamma motion)      Macklin, Mueller, Chentanez 2016, as a block
//   x_k += w_k J_k^T dlambda
//
// C depends on the points through the columns F_m of the deformation gradient alone: J_ik = sum_m B_km h_im, with h_im = dC_i/dF_m and
// B_km = dF_m/dx_k, which rest decides. So J is not needed as such: of all points and masses there remains M = sum_k w_k B_k B_k^T,
//   (J W J^T)_ij = sum_mn M_mn h_im . h_jn        J_k^T y = sum_m B_km P_m,  P_m = sum_i y_i h_im (a stress)
#pragma once
#include "elements/row.h"

// As UNROLL, for loops in loops that depend on each other: clang unrolls those in its own time, and warns of the ones that are not when it looks.
#if defined(__clang__) && !defined(__CUDACC__)
#define UNFOLD
#else
#define UNFOLD UNROLL
#endif

#define BLOCK_PARTS 6                                    // PL_MAX_PARTS
#define BLOCK_HALF (BLOCK_PARTS * (BLOCK_PARTS + 1) / 2) // of a symmetric matrix, row by row: (i, j), j <= i
#define BLOCK_COLUMNS 3                                  // of F: 2 for a triangle
#define HALF_AT(i, j) ((i) * ((i) + 1) / 2 + (j))

typedef struct block
{
    f32 value[BLOCK_PARTS];
    f32 soft[BLOCK_HALF];              // S
    f32 b[ROW_POINTS][BLOCK_COLUMNS];  // how column m of F follows point k
    vec h[BLOCK_PARTS][BLOCK_COLUMNS]; // how part i follows column m; where it does not, nobody looks
} block;

// Does part i follow column m? Strains 00 11 22 12 02 01 (00 11 01) are of one or two columns; where there are fewer parts than columns, each
// is of all of them.
PL_FN int follows(int columns, int parts, int i, int m)
{
    if (parts < columns)
        return 1;
    return i < columns ? m == i : columns == 2 || m != i - columns;
}

// Does S tie the parts i and j? Of strains, those along the axes to each other; a shear to none.
PL_FN int tied(int columns, int parts, int i, int j)
{
    return i == j || parts < columns || (i < columns && j < columns);
}

PL_FN void soft_zero(block *c, int parts)
{
    for (int i = 0; i < HALF_AT(parts, 0); i++)
        c->soft[i] = splat(0.0f);
}

// m x = b by L D L^T; x comes in b's place. A pivot that has vanished belongs to a part that nothing can change: it stays 0.
PL_FN void half_solve(f32 *m, f32 *b, int parts)
{
    f32 inverse[BLOCK_PARTS];
    UNFOLD
    for (int j = 0; j < parts; j++)
    {
        f32 whole = m[HALF_AT(j, j)], d = whole;
        UNFOLD
        for (int k = 0; k < j; k++) // here m[j][k] is L D
            d = d - m[HALF_AT(j, k)] * m[HALF_AT(j, k)] * inverse[k];
        i32 live = (d > 1e-6f * whole) & (d > 0.0f);
        inverse[j] = keep(live, 1.0f / pick(live, d, splat(1.0f)));
        UNFOLD
        for (int i = j + 1; i < parts; i++)
        {
            f32 a = m[HALF_AT(i, j)];
            UNFOLD
            for (int k = 0; k < j; k++)
                a = a - m[HALF_AT(i, k)] * m[HALF_AT(j, k)] * inverse[k];
            m[HALF_AT(i, j)] = a;
        }
    }
    UNFOLD
    for (int i = 0; i < parts; i++)
        UNFOLD
    for (int k = 0; k < i; k++)
        b[i] = b[i] - m[HALF_AT(i, k)] * (inverse[k] * b[k]);
    UNFOLD
    for (int i = parts - 1; i >= 0; i--)
    {
        f32 a = b[i];
        UNFOLD
        for (int k = i + 1; k < parts; k++)
            a = a - m[HALF_AT(k, i)] * b[k];
        b[i] = inverse[i] * a;
    }
}

// Row i of S b.
PL_FN f32 soft_row(const block *c, const f32 *b, int i, int columns, int parts)
{
    f32 sum = c->soft[HALF_AT(i, i)] * b[i];
    UNFOLD
    for (int j = 0; j < parts; j++)
        if (j != i && tied(columns, parts, i, j))
            sum = sum + c->soft[j < i ? HALF_AT(i, j) : HALF_AT(j, i)] * b[j];
    return sum;
}

// What point k moves by under a stress, for a mass of 1; J_ik^T where the stress is h_i.
PL_FN vec block_push(const block *c, const vec *stress, int k, int columns)
{
    vec sum = times(c->b[k][0], stress[0]);
    UNFOLD
    for (int m = 1; m < columns; m++)
        sum = add(sum, times(c->b[k][m], stress[m]));
    return sum;
}

// J W J^T, from the masses that the points have here. Most of the products are the same for many of its entries.
PL_FN void block_weigh(const block *c, const point *p, int points, int parts, f32 *weight)
{
    const int columns = points - 1;
    f32 mass[HALF_AT(BLOCK_COLUMNS, 0)]; // M
    UNFOLD
    for (int m = 0; m < BLOCK_COLUMNS; m++)
    {
        UNFOLD
        for (int n = 0; n <= m; n++)
        {
            f32 sum = splat(0.0f);
            UNFOLD
            for (int k = 0; k < points; k++)
                if (m < columns)
                {
                    f32 more = p[k].w * (c->b[k][m] * c->b[k][n]);
                    sum = k ? sum + more : more;
                }
            mass[HALF_AT(m, n)] = sum;
        }
    }
    UNFOLD
    for (int i = 0; i < parts; i++)
    {
        UNFOLD
        for (int j = 0; j <= i; j++)
        {
            f32 sum = splat(0.0f);
            int some = 0;
            UNFOLD
            for (int k = 0; k < points; k++)
                if (parts < columns) // few parts of all columns: this is less
                {
                    f32 more = p[k].w * dot(block_push(c, c->h[i], k, columns), block_push(c, c->h[j], k, columns));
                    sum = k ? sum + more : more;
                }
            UNFOLD
            for (int m = 0; m < columns; m++)
            {
                UNFOLD
                for (int n = 0; n < columns; n++)
                    if (parts >= columns && follows(columns, parts, i, m) && follows(columns, parts, j, n))
                    {
                        f32 more = mass[m >= n ? HALF_AT(m, n) : HALF_AT(n, m)] * dot(c->h[i][m], c->h[j][n]);
                        sum = some ? sum + more : more;
                        some = 1;
                    }
            }
            weight[HALF_AT(i, j)] = sum;
        }
    }
}

// The columns of a stress: what the parts, each as strong as `change` says, do to those of F.
PL_FN void block_stress(const block *c, const f32 *change, int columns, int parts, vec *stress)
{
    UNFOLD
    for (int m = 0; m < columns; m++)
    {
        int some = 0;
        stress[m] = vec_of(splat(0.0f), splat(0.0f), splat(0.0f));
        UNFOLD
        for (int i = 0; i < parts; i++)
            if (follows(columns, parts, i, m))
            {
                vec more = times(change[i], c->h[i][m]);
                stress[m] = some ? add(stress[m], more) : more;
                some = 1;
            }
    }
}

// What point k moves by, for a mass of 1, when the parts change: by the stress, or, of few parts, one after the other.
PL_FN vec block_move(const block *c, const f32 *change, const vec *stress, int k, int columns, int parts)
{
    if (parts >= columns)
        return block_push(c, stress, k, columns);
    vec sum = times(change[0], block_push(c, c->h[0], k, columns));
    UNFOLD
    for (int i = 1; i < parts; i++)
        sum = add(sum, times(change[i], block_push(c, c->h[i], k, columns)));
    return sum;
}

// How the parts change as the points move.
PL_FN void block_motion(const block *c, const vec *moved, int points, int parts, f32 *motion)
{
    const int columns = points - 1;
    vec turned[BLOCK_COLUMNS];
    UNFOLD
    for (int m = 0; m < columns; m++)
    {
        turned[m] = times(c->b[0][m], moved[0]);
        UNFOLD
        for (int k = 1; k < points; k++)
            turned[m] = add(turned[m], times(c->b[k][m], moved[k]));
    }
    UNFOLD
    for (int i = 0; i < parts; i++)
    {
        int some = 0;
        motion[i] = splat(0.0f);
        UNFOLD
        for (int m = 0; m < columns; m++)
            if (follows(columns, parts, i, m))
            {
                f32 more = dot(c->h[i][m], turned[m]);
                motion[i] = some ? motion[i] + more : more;
                some = 1;
            }
    }
}

// One Gauss-Seidel visit: lambda is brought up to date, and `change` is what it changed by.
PL_FN void block_visit(const block *c, const point *p, int points, int parts, const softness *soft, const f32 *motion,
                       f32 *lambda, f32 *change, int mode)
{
    f32 m[BLOCK_HALF];
    block_weigh(c, p, points, parts, m);
    UNFOLD
    for (int i = 0; i < parts; i++)
    {
        f32 over = -c->value[i];
        if (mode == MODE_PBD)
            over = soft->k * over;
        else
            over = over - soft->a * soft_row(c, lambda, i, points - 1, parts);
        if (mode == MODE_DAMPED)
            over = over - soft->gamma * motion[i];
        change[i] = over;
    }
    UNFOLD
    for (int i = 0; i < parts; i++)
    {
        UNFOLD
        for (int j = 0; j <= i; j++)
        {
            f32 *at_both = &m[HALF_AT(i, j)];
            if (mode == MODE_DAMPED)
                *at_both = *at_both + soft->gamma * *at_both;
            if (mode != MODE_PBD && tied(points - 1, parts, i, j))
                *at_both = *at_both + soft->a * c->soft[HALF_AT(i, j)];
        }
    }
    half_solve(m, change, parts);
    UNFOLD
    for (int i = 0; i < parts; i++)
        lambda[i] = lambda[i] + change[i];
}
