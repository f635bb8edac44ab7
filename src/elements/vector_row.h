// vector_row.h: vector-valued constraints: the strains of one finite element, solved together.
//
// The header of such a kind has NAME_eval (the parts of C, their gradients and their compliance matrix S for a modulus
// of 1), NAME_rest and NAME_energy. Its compliance matrix is compliance S, so for an element `compliance` is 1/E, the
// inverse of Young's modulus [1/Pa], and `damping` is a viscosity [Pa s] (Kelvin and Voigt). Energy: 1/2 C^T S^-1 C /
// compliance.
//
//   dlambda = -((1 + gamma) J W J^T + a S)^-1 (C + a S lambda + gamma motion)
//   x_k += w_k J_k^T dlambda                                  Macklin, Mueller, Chentanez 2016, as a block
//
// C depends on the points only through the columns F_m of the deformation gradient: J_ik = sum_m B_km h_im, with h_im =
// dC_i/dF_m and B_km = dF_m/dx_k, which the rest shape determines. So J need not be formed: the points and masses enter
// only as M = sum_k w_k B_k B_k^T,
//   (J W J^T)_ij = sum_mn M_mn h_im . h_jn        J_k^T y = sum_m B_km P_m,  P_m = sum_i y_i h_im (a stress)
#pragma once
#include "elements/row.h"

// As UNROLL, for nested loops that depend on each other: clang unrolls those in a later pass, and warns about the
// pragma in an earlier one.
#if defined(__clang__) && !defined(__CUDACC__)
#define UNFOLD
#else
#define UNFOLD UNROLL
#endif

#define VECTOR_PARTS 6                                      // PL_MAX_PARTS
#define VECTOR_HALF (VECTOR_PARTS * (VECTOR_PARTS + 1) / 2) // entries of a symmetric matrix, row by row: (i, j), j <= i
#define VECTOR_COLUMNS 3                                    // of F: 2 for a triangle
#define HALF_AT(i, j) ((i) * ((i) + 1) / 2 + (j))

typedef struct vector_row
{
    f32 value[VECTOR_PARTS];
    f32 soft[VECTOR_HALF];               // S
    f32 least_a;                         // the smallest a at which the kind is stable
    f32 b[ROW_POINTS][VECTOR_COLUMNS];   // dF_m/dx_k, a number
    vec h[VECTOR_PARTS][VECTOR_COLUMNS]; // dC_i/dF_m; unused where part i does not depend on column m
} vector_row;

// Does part i depend on column m? Strains 00 11 22 12 02 01 (00 11 01) depend on one or two columns. Where there are
// fewer parts than columns, each part depends on all of them.
PL_FN int part_uses_column(int columns, int parts, int i, int m)
{
    if (parts < columns)
        return 1;
    return i < columns ? m == i : columns == 2 || m != i - columns;
}

// Does S couple the parts i and j? Normal strains are coupled to each other; a shear strain is coupled to none.
PL_FN int parts_are_coupled(int columns, int parts, int i, int j)
{
    return i == j || parts < columns || (i < columns && j < columns);
}

PL_FN void soft_zero(vector_row *c, int parts)
{
    for (int i = 0; i < HALF_AT(parts, 0); i++)
        c->soft[i] = splat(0.0f);
    c->least_a = splat(0.0f);
}

// Solves m x = b by L D L^T; x replaces b. A vanishing pivot belongs to a part that no motion can change: its x is 0.
PL_FN void half_solve(f32 *m, f32 *b, int parts)
{
    f32 inverse[VECTOR_PARTS];
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
PL_FN f32 soft_row(const vector_row *c, const f32 *b, int i, int columns, int parts)
{
    f32 sum = c->soft[HALF_AT(i, i)] * b[i];
    UNFOLD
    for (int j = 0; j < parts; j++)
        if (j != i && parts_are_coupled(columns, parts, i, j))
            sum = sum + c->soft[j < i ? HALF_AT(i, j) : HALF_AT(j, i)] * b[j];
    return sum;
}

// The displacement of point k under a stress, for a mass of 1; J_ik^T where the stress is h_i.
PL_FN vec vector_row_push(const vector_row *c, const vec *stress, int k, int columns)
{
    vec sum = times(c->b[k][0], stress[0]);
    UNFOLD
    for (int m = 1; m < columns; m++)
        sum = add(sum, times(c->b[k][m], stress[m]));
    return sum;
}

// Computes J W J^T from the points' inverse masses. Most products are shared by many of its entries.
PL_FN void block_weigh(const vector_row *c, const point *p, int points, int parts, f32 *weight)
{
    const int columns = points - 1;
    f32 mass[HALF_AT(VECTOR_COLUMNS, 0)]; // M
    UNFOLD
    for (int m = 0; m < VECTOR_COLUMNS; m++)
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
                if (parts < columns) // few parts that depend on all columns: this is cheaper
                {
                    f32 more =
                        p[k].w * dot(vector_row_push(c, c->h[i], k, columns), vector_row_push(c, c->h[j], k, columns));
                    sum = k ? sum + more : more;
                }
            UNFOLD
            for (int m = 0; m < columns; m++)
            {
                UNFOLD
                for (int n = 0; n < columns; n++)
                    if (parts >= columns && part_uses_column(columns, parts, i, m) &&
                        part_uses_column(columns, parts, j, n))
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

// Computes the columns of the stress: the parts' gradients by the columns of F, weighted with `change`.
PL_FN void vector_row_stress(const vector_row *c, const f32 *change, int columns, int parts, vec *stress)
{
    UNFOLD
    for (int m = 0; m < columns; m++)
    {
        int some = 0;
        stress[m] = vec_of(splat(0.0f), splat(0.0f), splat(0.0f));
        UNFOLD
        for (int i = 0; i < parts; i++)
            if (part_uses_column(columns, parts, i, m))
            {
                vec more = times(change[i], c->h[i][m]);
                stress[m] = some ? add(stress[m], more) : more;
                some = 1;
            }
    }
}

// The displacement of point k, for a mass of 1, when the multipliers change: through the stress, or, for few parts,
// part by part.
PL_FN vec block_move(const vector_row *c, const f32 *change, const vec *stress, int k, int columns, int parts)
{
    if (parts >= columns)
        return vector_row_push(c, stress, k, columns);
    vec sum = times(change[0], vector_row_push(c, c->h[0], k, columns));
    UNFOLD
    for (int i = 1; i < parts; i++)
        sum = add(sum, times(change[i], vector_row_push(c, c->h[i], k, columns)));
    return sum;
}

// The displacements of all points. They sum to 0, so the first is the negative sum of the others: its own row of B
// would give a sum of rounding errors that have the sign of the stress, substep after substep, which is momentum.
PL_FN void block_moves(const vector_row *c, const f32 *change, const vec *stress, int points, int parts, vec *out)
{
    UNFOLD
    for (int k = 1; k < points; k++)
        out[k] = block_move(c, change, stress, k, points - 1, parts);
    vec sum = out[1];
    UNFOLD
    for (int k = 2; k < points; k++)
        sum = add(sum, out[k]);
    out[0] = times(splat(-1.0f), sum);
}

// Computes the change of the parts as the points move.
PL_FN void block_motion(const vector_row *c, const vec *moved, int points, int parts, f32 *motion)
{
    const int columns = points - 1;
    vec turned[VECTOR_COLUMNS];
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
            if (part_uses_column(columns, parts, i, m))
            {
                f32 more = dot(c->h[i][m], turned[m]);
                motion[i] = some ? motion[i] + more : more;
                some = 1;
            }
    }
}

// One Gauss-Seidel solve: updates lambda; `change` is its change.
PL_FN void block_visit(const vector_row *c, const point *p, int points, int parts, const softness *soft,
                       const f32 *motion, f32 *lambda, f32 *change, int mode)
{
    f32 m[VECTOR_HALF], a = parts < points - 1 ? most(soft->a, c->least_a) : soft->a; // few parts: neo_hookean alone
    block_weigh(c, p, points, parts, m);
    UNFOLD
    for (int i = 0; i < parts; i++)
    {
        f32 over = -c->value[i];
        if (mode == MODE_PBD)
            over = soft->k * over;
        else
            over = over - a * soft_row(c, lambda, i, points - 1, parts);
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
            if (mode != MODE_PBD && parts_are_coupled(points - 1, parts, i, j))
                *at_both = *at_both + a * c->soft[HALF_AT(i, j)];
        }
    }
    half_solve(m, change, parts);
    UNFOLD
    for (int i = 0; i < parts; i++)
        lambda[i] = lambda[i] + change[i];
}
