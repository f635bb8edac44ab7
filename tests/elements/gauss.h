// gauss.h: small systems of equations, the slow and sure way.
#ifndef PLIANT_TESTS_GAUSS_H
#define PLIANT_TESTS_GAUSS_H

#include "support/support.h"

// Gauss with pivots, in double: b becomes the answer.
static inline void gauss(double m[6][6], double *b, int n)
{
    for (int j = 0; j < n; j++)
    {
        int best = j;
        for (int i = j + 1; i < n; i++)
            best = fabs(m[i][j]) > fabs(m[best][j]) ? i : best;
        for (int k = 0; k < n; k++)
        {
            double t = m[j][k];
            m[j][k] = m[best][k], m[best][k] = t;
        }
        double t = b[j];
        b[j] = b[best], b[best] = t;
        for (int i = 0; i < n; i++)
            if (i != j)
            {
                double f = m[i][j] / m[j][j];
                for (int k = j; k < n; k++)
                    m[i][k] -= f * m[j][k];
                b[i] -= f * b[j];
            }
    }
    for (int i = 0; i < n; i++)
        b[i] /= m[i][i];
}

#endif
