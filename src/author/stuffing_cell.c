// stuffing_cell.c: cuts the inner part of one cell of the lattice into tetrahedra. It has no table: the cases follow
// from the number of corners inside. Quadrilaterals lie on faces that two cells share, so their diagonals depend on the
// face alone.
#include "author/stuffing.h"

#include <math.h>

void dihedral_range(const double *const p[4], double *smallest, double *largest)
{
    static const int pairs[6][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 0, 2}, {2, 3, 0, 1}};
    *smallest = -1.0;
    *largest = 1.0;
    for (int i = 0; i < 6; i++)
    {
        double e[3], a[3], b[3], m[3], n[3];
        sub3(p[pairs[i][1]], p[pairs[i][0]], e);
        sub3(p[pairs[i][2]], p[pairs[i][0]], a);
        sub3(p[pairs[i][3]], p[pairs[i][0]], b);
        cross3(e, a, m);
        cross3(e, b, n);
        double size = sqrt(dot3(m, m) * dot3(n, n)), cosine = size > 0.0 ? dot3(m, n) / size : 1.0;
        *smallest = cosine > *smallest ? cosine : *smallest;
        *largest = cosine < *largest ? cosine : *largest;
    }
}

static const double *corner_position(const stuffing_cell *c, stuffing_corner at)
{
    return at.a == at.b ? c->x[at.a] : c->cut[at.a][at.b];
}

static stuffing_corner whole(int a) { return (stuffing_corner){a, a}; }
static stuffing_corner cut(int a, int b) { return (stuffing_corner){a, b}; }

static int put(const stuffing_cell *c, stuffing_corner to[4], stuffing_corner p, stuffing_corner q, stuffing_corner r,
               stuffing_corner s)
{
    int inverted =
        box_product(corner_position(c, p), corner_position(c, q), corner_position(c, r), corner_position(c, s)) < 0.0;
    to[0] = p;
    to[1] = q;
    to[2] = inverted ? s : r;
    to[3] = inverted ? r : s;
    return 1;
}

static int is_long(int a, int b) { return a / 2 == b / 2; }

// On the face p, q (inside), m (outside) lies the quadrilateral p, q, cut qm, cut pm. Returns whether its diagonal ends
// in q and cut pm. If one of the cuts is on a long edge, the diagonal ends there, which gives better angles. If none
// is, the face is symmetric, and the position in the lattice decides.
static int leads(const stuffing_cell *c, int p, int q, int m) { return is_long(p, q) ? c->odd[p] : is_long(p, m); }

// Cuts a prism between triangles a and b. Side i goes from a to b in the given order: first[0] before first[1] before
// first[2]. The diagonal between two sides ends in the b of the earlier and in the a of the later.
static int put_prism(const stuffing_cell *c, stuffing_corner to[][4], const stuffing_corner *a,
                     const stuffing_corner *b, const int *first)
{
    int i = first[0], j = first[1], k = first[2];
    put(c, to[0], a[i], a[j], a[k], b[i]);
    put(c, to[1], b[i], a[j], a[k], b[j]);
    put(c, to[2], b[i], b[j], a[k], b[k]);
    return 3;
}

static double worst_angle(const stuffing_cell *c, stuffing_corner t[][4], int count)
{
    double worst = -1.0;
    for (int i = 0; i < count; i++)
    {
        const double *p[4] = {corner_position(c, t[i][0]), corner_position(c, t[i][1]), corner_position(c, t[i][2]),
                              corner_position(c, t[i][3])};
        double small, large;
        dihedral_range(p, &small, &large);
        worst = small > worst ? small : worst;
    }
    return worst;
}

// Two corners inside, p and q, and two outside, m and n: a prism between p with its cuts and q with its cuts. The
// diagonal on the surface belongs to this cell alone, so the better one is taken.
static int put_wedge(const stuffing_cell *c, stuffing_corner to[][4], int p, int q, int m, int n)
{
    const stuffing_corner a[3] = {whole(p), cut(p, m), cut(p, n)}, b[3] = {whole(q), cut(q, m), cut(q, n)};
    int at_m = leads(c, p, q, m), at_n = leads(c, p, q, n);
    if (at_m != at_n)
        return put_prism(c, to, a, b, at_n ? (const int[]){1, 0, 2} : (const int[]){2, 0, 1});
    stuffing_corner other[3][4];
    put_prism(c, to, a, b, at_m ? (const int[]){0, 1, 2} : (const int[]){1, 2, 0});
    put_prism(c, other, a, b, at_m ? (const int[]){0, 2, 1} : (const int[]){2, 1, 0});
    if (worst_angle(c, other, 3) < worst_angle(c, to, 3))
        for (int i = 0; i < 12; i++)
            to[i / 4][i % 4] = other[i / 4][i % 4];
    return 3;
}

// Three corners inside: a prism between them and their cuts. Its order is never cyclic: the side on the outer corner's
// long edge comes before both others.
static int put_stump(const stuffing_cell *c, stuffing_corner to[][4], const int *in, int m)
{
    stuffing_corner a[3], b[3];
    int first[3] = {0, 1, 2};
    for (int i = 0; i < 3; i++)
    {
        int rank = 0;
        for (int k = 0; k < 3; k++)
            rank += k != i && !leads(c, in[i], in[k], m);
        first[rank] = i;
        a[i] = whole(in[i]);
        b[i] = cut(in[i], m);
    }
    return put_prism(c, to, a, b, first);
}

int stuff_cell(const stuffing_cell *c, stuffing_corner out[STUFFING_MOST][4])
{
    int in[4], off[4], on[4], ins = 0, offs = 0, ons = 0;
    for (int i = 0; i < 4; i++)
    {
        if (c->sign[i] > 0)
            in[ins++] = i;
        else if (c->sign[i] < 0)
            off[offs++] = i;
        else
            on[ons++] = i;
    }
    if (ins == 0)
        return 0;
    if (ins == 1 || offs == 0)
    {
        stuffing_corner t[4];
        for (int i = 0; i < 4; i++)
            t[i] = c->sign[i] < 0 ? cut(in[0], i) : whole(i);
        return put(c, out[0], t[0], t[1], t[2], t[3]);
    }
    if (ins == 3)
        return put_stump(c, out, in, off[0]);
    int p = in[0], q = in[1], m = off[0];
    if (offs == 2)
        return put_wedge(c, out, p, q, m, off[1]);
    int p_leads = leads(c, p, q, m); // a pyramid over the quadrilateral
    put(c, out[0], whole(p), whole(q), p_leads ? cut(p, m) : cut(q, m), whole(on[0]));
    put(c, out[1], p_leads ? whole(q) : whole(p), cut(p, m), cut(q, m), whole(on[0]));
    return 2;
}
