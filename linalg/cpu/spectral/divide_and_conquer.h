#ifndef TENFERRO_LINALG_CPU_SPECTRAL_DIVIDE_AND_CONQUER_H_
#define TENFERRO_LINALG_CPU_SPECTRAL_DIVIDE_AND_CONQUER_H_

#include "tenferro/linalg/cpu/spectral/product.h"

namespace tenferro::linalg::TENFERRO_ISA {

// All eigenvalues and eigenvectors of the symmetric tridiagonal matrix with diagonal d [n] and off-diagonal e [n − 1],
// entries of order 1. d becomes the values, column j of z, zero before, the vector of d[j]; order [n] sorts them. False
// if a small problem does not converge.
//
// Source: Cuppen, "A divide and conquer method for the symmetric tridiagonal eigenproblem", Numer. Math. 36 (1981);
// Gu and Eisenstat, "A divide-and-conquer algorithm for the symmetric tridiagonal eigenproblem", SIAM J. Matrix Anal.
// Appl. 16 (1995).
template <class R>
bool DivideAndConquer(Arena& arena, GemmScratch& scratch, int64_t n, double* d, double* e, const Panel<R, false>& z,
                      int32_t* order);

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_SPECTRAL_DIVIDE_AND_CONQUER_H_
