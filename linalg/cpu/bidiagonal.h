#ifndef TENFERRO_LINALG_CPU_BIDIAGONAL_H_
#define TENFERRO_LINALG_CPU_BIDIAGONAL_H_

#include "tenferro/linalg/cpu/panel.h"

namespace tenferro::linalg::TENFERRO_ISA {

// a = u·B·vᴴ for m >= n with B real, n × n and upper bidiagonal: diagonal d [n] and superdiagonal e [n − 1], both
// nonnegative. u (m × n) and v (n × n) have orthonormal columns; empty panels are not wanted. Overwrites a, whose
// entries should be of order 1.
//
// Source: Golub and Kahan, "Calculating the singular values and pseudo-inverse of a matrix", SIAM J. Numer. Anal. 2
// (1965).
template <class R, bool kComplex>
void Bidiagonalize(Arena& arena, int64_t m, int64_t n, const Panel<R, kComplex>& a, const Panel<R, kComplex>& u,
                   double* d, double* e, const Panel<R, kComplex>& v);

// Turns the factors of Bidiagonalize into a singular value decomposition a = u·diag(d)·vᴴ with d descending, by
// implicitly shifted QR sweeps; of empty panels only the values. False if they do not converge.
//
// Source: Demmel and Kahan, "Accurate singular values of bidiagonal matrices", SIAM J. Sci. Stat. Comput. 11 (1990).
template <class R, bool kComplex>
bool DiagonalizeBidiagonal(Arena& arena, int64_t n, double* d, double* e, const Panel<R, kComplex>& u,
                           const Panel<R, kComplex>& v);

// Sorts values and the columns that belong to them.
template <class R, bool kComplex>
void SortDescending(int64_t n, double* d, const Panel<R, kComplex>& u, const Panel<R, kComplex>& v);

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_BIDIAGONAL_H_
