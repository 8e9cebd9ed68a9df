#ifndef TENFERRO_LINALG_CPU_BIDIAGONAL_H_
#define TENFERRO_LINALG_CPU_BIDIAGONAL_H_

#include "tenferro/linalg/cpu/reflections.h"

namespace tenferro::linalg::TENFERRO_ISA {

// a = u·B·vᴴ for m >= n with B real, n × n and upper bidiagonal: diagonal d [n] and superdiagonal e [n − 1], both
// nonnegative. u (m × n) is the reflections `left` times the unit factors left_phase, v (n × n) likewise.
template <class R, bool kComplex>
struct Bidiagonal {
  double* d = nullptr;
  double* e = nullptr;  // with a zero at its end
  Reflections<R, kComplex> left;
  Reflections<R, kComplex> right;
  Scalar<R>* left_phase = nullptr;
  Scalar<R>* right_phase = nullptr;
};

// Overwrites a, whose entries should be of order 1.
//
// Source: Golub and Kahan, "Calculating the singular values and pseudo-inverse of a matrix", SIAM J. Numer. Anal. 2
// (1965); both products of a step in one pass over the matrix: Howell, Demmel, Fulton, Hammarling, Marmol, "Cache
// efficient bidiagonalization using BLAS 2.5 operators", ACM Trans. Math. Softw. 34 (2008).
template <class R, bool kComplex>
Bidiagonal<R, kComplex> Bidiagonalize(Arena& arena, int64_t m, int64_t n, const Panel<R, kComplex>& a);

// Turns a bidiagonal into its singular values d, descending, and multiplies u and v from the right by its singular
// vectors, by implicitly shifted QR sweeps; of empty panels only the values. False if they do not converge.
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
