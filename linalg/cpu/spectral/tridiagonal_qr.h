#ifndef TENFERRO_LINALG_CPU_SPECTRAL_TRIDIAGONAL_QR_H_
#define TENFERRO_LINALG_CPU_SPECTRAL_TRIDIAGONAL_QR_H_

#include "tenferro/linalg/cpu/panel.h"

namespace tenferro::linalg::TENFERRO_ISA {

// Eigenvalues, in no order, of the symmetric tridiagonal matrix with diagonal d [n] and off-diagonal e [n − 1], by
// implicitly shifted QL sweeps: d becomes them, e is lost. The n columns of z are multiplied by the eigenvectors from
// the right. `rotations` is scratch of 2·n. False if they do not converge.
//
// Source: Martin and Wilkinson, "The implicit QL algorithm", Numer. Math. 12 (1968).
template <class R>
bool DiagonalizeByQl(int64_t n, double* d, double* e, const Panel<R, false>& z, double* rotations);

// The eigenvalues alone, without square roots: d becomes them, e is lost.
//
// Source: B. N. Parlett, "The Symmetric Eigenvalue Problem" (1980), section 8.15, after Pal, Walker and Kahan.
template <class R>
bool EigenvaluesByQl(int64_t n, double* d, double* e);

// The permutation that sorts d.
void SortAscending(int64_t n, const double* d, int32_t* order);

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_SPECTRAL_TRIDIAGONAL_QR_H_
