// joint_tree.h: solves the joints of a tree of bodies exactly, in a time that is linear in their number: a block L D L^T
// factorisation of A = J W J^T + a in the order of the tree (Baraff 1996), in double.
//
// Joints are eliminated from the leaves to the root. To eliminate the joint c between a body k, all of whose other joints
// are done, and the body p towards the root changes the mobility of p alone:
//   B = W_p J_p^T,   D = a + J_k W_k J_k^T + J_p B,   W_p <- W_p - B D^-1 B^T
// where W is the response of a body, with everything behind it, to a push (6 x 6; at first the inverse mass and inertia).
// A joint to something held is the same without k. So a body may have any number of joints. For A dlambda = b:
//   forth   y = D^-1 (b - J_k u_k - J_p u_p),   u_p <- u_p + B y          u: motion by the pushes so far
//   back    dlambda = y - D^-1 B^T f_p,   f_p <- f_p + J_p^T dlambda,   f_k = J_k^T dlambda      f: all later pushes
#pragma once
#include "elements/frame_row.h"
#include "kernels/joint_tree_data.h"

//
// Geometric stiffness. A joint's force f (times h^2) at the arm r rotates with the body: its torque r x f changes by -K t
// for a small rotation t, K = (r . f) 1 - (r f^T + f r^T)/2. With W = (I + K)^-1 for the rotation of a body the force is
// taken where the body will be, as an implicit method does. Without, a light link under a large tension oscillates at
// w^2 = 12 T/(m l) and explodes where h w > 1.15: 100 links with 1000 times the mass of a link at the end, 20 substeps.
// To keep K positive where r and f are not parallel, (|r| |f| - r . f)/2 is added to its diagonal; joints under pressure
// do not count. f: of the last solve. In a free tree the torques K t would change the angular momentum, so a rotation of the
// tree as a whole returns their sum.                               Tournier, Nesme, Gilles, Faure 2015
#if LANES == 1 && !defined(LANE_DOUBLE)

// Factors m = L D L^T in place. A vanishing pivot belongs to a part that no motion can change: its multiplier is 0.
PL_FN void tree_factor(double *m, double *inverse, int parts)
{
    for (int j = 0; j < parts; j++)
    {
        double whole = m[HALF_AT(j, j)], d = whole;
        for (int k = 0; k < j; k++) // here m[j][k] is L D
            d = d - m[HALF_AT(j, k)] * m[HALF_AT(j, k)] * inverse[k];
        inverse[j] = d > 1e-12 * whole && d > 0.0 ? 1.0 / d : 0.0;
        for (int i = j + 1; i < parts; i++)
        {
            double a = m[HALF_AT(i, j)];
            for (int k = 0; k < j; k++)
                a = a - m[HALF_AT(i, k)] * m[HALF_AT(j, k)] * inverse[k];
            m[HALF_AT(i, j)] = a;
        }
    }
}

// x replaces b in L D L^T x = b.
PL_FN void tree_substitute(const double *m, const double *inverse, double *b, int parts)
{
    for (int i = 0; i < parts; i++)
        for (int k = 0; k < i; k++)
            b[i] = b[i] - m[HALF_AT(i, k)] * (inverse[k] * b[k]);
    for (int i = parts - 1; i >= 0; i--)
    {
        double a = b[i];
        for (int k = i + 1; k < parts; k++)
            a = a - m[HALF_AT(k, i)] * b[k];
        b[i] = inverse[i] * a;
    }
}

PL_FN double tree_dot(const double *a, const double *b)
{
    return ((a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5]);
}

// out = W a
PL_FN void tree_response(const tree_body *k, const double *a, double *out)
{
    for (int i = 0; i < TREE_AXES; i++)
        out[i] = tree_dot(k->w[i], a);
}

// Starts a body: the mobility of its own mass and inertia.
PL_FN void tree_start(tree_body *k, const frame_end *e)
{
    const vec unit[3] = {vec_of(1.0f, 0.0f, 0.0f), vec_of(0.0f, 1.0f, 0.0f), vec_of(0.0f, 0.0f, 1.0f)};
    for (int i = 0; i < TREE_AXES; i++)
    {
        for (int j = 0; j < TREE_AXES; j++)
            k->w[i][j] = 0.0;
        k->u[i] = k->f[i] = k->k[i] = 0.0;
    }
    k->own[0] = e->p.w;
    for (int i = 0; i < 3; i++)
    {
        vec turn = frame_eased(e, unit[i]);
        k->turn[i][0] = turn.x, k->turn[i][1] = turn.y, k->turn[i][2] = turn.z;
        k->w[i][i] = (double)e->p.w;
        for (int j = 0; j <= i; j++) // its two halves differ by rounding
            k->w[3 + i][3 + j] = k->w[3 + j][3 + i] = (double)k->turn[i][j];
    }
    for (int i = 0; i < 3; i++) // its inertia in world axes
    {
        int d = (i + 1) % 3, f = (i + 2) % 3;
        double a[3][3], own[3];
        for (int c = 0; c < 3; c++)
        {
            double ease = (double)(c == 0 ? e->ease.x : c == 1 ? e->ease.y : e->ease.z);
            own[c] = ease > 0.0 ? 1.0 / ease : 0.0;
            a[c][0] = (double)e->half.c[c].x, a[c][1] = (double)e->half.c[c].y, a[c][2] = (double)e->half.c[c].z;
        }
        k->i[i] = own[0] * a[0][i] * a[0][i] + own[1] * a[1][i] * a[1][i] + own[2] * a[2][i] * a[2][i];
        k->i[3 + i] = own[0] * a[0][d] * a[0][f] + own[1] * a[1][d] * a[1][f] + own[2] * a[2][d] * a[2][f];
    }
    k->open = 1;
}

// How much the body alone responds to a part of a joint.
PL_FN double tree_alone(const tree_body *k, const double *j)
{
    double sum = (double)k->own[0] * (j[0] * j[0] + j[1] * j[1] + j[2] * j[2]);
    for (int i = 0; i < 3; i++)
        sum = sum +
              j[3 + i] * ((double)k->turn[i][0] * j[3] + (double)k->turn[i][1] * j[4] + (double)k->turn[i][2] * j[5]);
    return sum;
}

// Adds the geometric stiffness of a joint with a point: its first three parts. f = sum lambda_i l_i, and from the torque
// a_i = r x l_i of unit vectors at right angles r = sum l_i x a_i/2.
PL_FN void tree_stiffen(tree_body *k, double (*j)[TREE_AXES], const float *lambda)
{
    double r[3] = {0.0, 0.0, 0.0}, f[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++)
        {
            int d = (c + 1) % 3, e = (c + 2) % 3;
            r[c] = r[c] + 0.5 * (j[i][d] * j[i][3 + e] - j[i][e] * j[i][3 + d]);
            f[c] = f[c] + (double)lambda[i] * j[i][c];
        }
    double along = r[0] * f[0] + r[1] * f[1] + r[2] * f[2];
    double rr = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], ff = f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
    if (!(along > 0.0))
        return;
    double diagonal = 0.5 * (along + sqrt(rr * ff));
    for (int c = 0; c < 3; c++)
    {
        int d = (c + 1) % 3, e = (c + 2) % 3;
        k->k[c] = k->k[c] + (diagonal - r[c] * f[c]);
        k->k[3 + c] = k->k[3 + c] - 0.5 * (r[d] * f[e] + r[e] * f[d]); // 12 20 01
    }
}

// Makes the rotation of a body stiffer: W <- W (1 + K W)^-1. No eigenvalue of K W is negative.
PL_FN void tree_stiffened(tree_body *k)
{
    const double *s = k->k, m[3][3] = {{s[0], s[5], s[4]}, {s[5], s[1], s[3]}, {s[4], s[3], s[2]}};
    double a[3][3], b[3][3], det, w[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a[i][j] =
                (i == j ? 1.0 : 0.0) + (m[i][0] * k->w[3][3 + j] + m[i][1] * k->w[4][3 + j] + m[i][2] * k->w[5][3 + j]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
        {
            int d = (i + 1) % 3, e = (i + 2) % 3, g = (j + 1) % 3, h = (j + 2) % 3;
            b[j][i] = a[d][g] * a[e][h] - a[d][h] * a[e][g];
        }
    det = a[0][0] * b[0][0] + a[0][1] * b[1][0] + a[0][2] * b[2][0];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            w[i][j] = (k->w[3 + i][3] * b[0][j] + k->w[3 + i][4] * b[1][j] + k->w[3 + i][5] * b[2][j]) / det;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
        {
            k->w[3 + i][3 + j] = 0.5 * (w[i][j] + w[j][i]);
            k->turn[i][j] = (float)k->w[3 + i][3 + j];
        }
}

// a^-1 b, for a symmetric matrix 00 11 22 12 20 01; returns 0 if it is singular.
PL_FN int tree_solve3(const double *a, const double *b, double *out)
{
    double c0 = a[1] * a[2] - a[3] * a[3], c5 = a[4] * a[3] - a[5] * a[2], c4 = a[5] * a[3] - a[4] * a[1];
    double c1 = a[0] * a[2] - a[4] * a[4], c2 = a[0] * a[1] - a[5] * a[5], c3 = a[5] * a[4] - a[0] * a[3];
    double det = a[0] * c0 + a[5] * c5 + a[4] * c4;
    if (!(det > 0.0))
        return 0;
    out[0] = (c0 * b[0] + c5 * b[1] + c4 * b[2]) / det;
    out[1] = (c5 * b[0] + c1 * b[1] + c3 * b[2]) / det;
    out[2] = (c4 * b[0] + c3 * b[1] + c2 * b[2]) / det;
    return 1;
}

// Eliminates a joint. Its gradients, its right side and, in the diagonal of d, its compliance are given.
PL_FN void tree_eliminate(tree_work *t, const tree_body *k, tree_body *p)
{
    double by[TREE_PARTS][TREE_AXES], c[TREE_PARTS][TREE_AXES];
    for (int i = 0; i < t->parts; i++)
    {
        if (k)
            tree_response(k, t->j[0][i], by[i]);
        if (p)
            tree_response(p, t->j[1][i], t->b[i]);
        for (int j = 0; j <= i; j++)
        {
            double sum = j == i ? t->d[HALF_AT(i, i)] : 0.0;
            if (k)
                sum = sum + tree_dot(by[i], t->j[0][j]);
            if (p)
                sum = sum + tree_dot(t->b[i], t->j[1][j]);
            t->d[HALF_AT(i, j)] = sum;
        }
        if (k)
            t->y[i] = t->y[i] - tree_dot(t->j[0][i], k->u);
        if (p)
            t->y[i] = t->y[i] - tree_dot(t->j[1][i], p->u);
    }
    tree_factor(t->d, t->inverse, t->parts);
    tree_substitute(t->d, t->inverse, t->y, t->parts);
    if (!p)
        return;
    for (int a = 0; a < TREE_AXES; a++) // column a of D^-1 B^T
    {
        double column[TREE_PARTS];
        for (int i = 0; i < t->parts; i++)
            column[i] = t->b[i][a];
        tree_substitute(t->d, t->inverse, column, t->parts);
        for (int i = 0; i < t->parts; i++)
            c[i][a] = column[i];
    }
    for (int a = 0; a < TREE_AXES; a++)
    {
        for (int i = 0; i < t->parts; i++)
            p->u[a] = p->u[a] + t->b[i][a] * t->y[i];
        for (int e = 0; e <= a; e++)
        {
            double sum = p->w[a][e];
            for (int i = 0; i < t->parts; i++)
                sum = sum - t->b[i][a] * c[i][e];
            p->w[a][e] = p->w[e][a] = sum;
        }
    }
}

// Finds the multipliers of a joint, when those of all joints that were eliminated after it are known.
PL_FN void tree_return(tree_work *t, tree_body *k, tree_body *p)
{
    double by[TREE_PARTS];
    for (int i = 0; p && i < t->parts; i++)
        by[i] = tree_dot(t->b[i], p->f);
    if (p)
        tree_substitute(t->d, t->inverse, by, t->parts);
    for (int i = 0; i < t->parts; i++)
    {
        if (p)
            t->y[i] = t->y[i] - by[i];
        for (int a = 0; a < TREE_AXES; a++)
        {
            if (k)
                k->f[a] = k->f[a] + t->j[0][i][a] * t->y[i];
            if (p)
                p->f[a] = p->f[a] + t->j[1][i][a] * t->y[i];
        }
    }
}

#endif
