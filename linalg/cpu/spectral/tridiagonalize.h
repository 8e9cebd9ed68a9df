#ifndef TENFERRO_LINALG_CPU_SPECTRAL_TRIDIAGONALIZE_H_
#define TENFERRO_LINALG_CPU_SPECTRAL_TRIDIAGONALIZE_H_

#include "tenferro/linalg/cpu/spectral/product.h"

namespace tenferro::linalg::TENFERRO_ISA {

// a = Q·T·Qᴴ for a Hermitian n × n matrix, of which the lower triangle is read; above it a must be zero. T is real and
// tridiagonal: diagonal d [n], off-diagonal e [n − 1], nonnegative for complex matrices. Q is a product of reflections
// and of a diagonal of phases. Entries of a should be of order 1; a is overwritten.
template <class R, bool kComplex>
struct Tridiagonal {
  double* d;
  double* e;
  Panel<R, kComplex> reflectors;  // number j acts on rows from j + 1
  R* tau;
  Scalar<R>* phase;  // [n], 1 where real
};

// Source: Dongarra, Sorensen, Hammarling, "Block reduction of matrices to condensed forms for eigenvalue computations",
// J. Comput. Appl. Math. 27 (1989): half of the work are symmetric products with a vector, half rank-2k updates.
template <class R, bool kComplex>
Tridiagonal<R, kComplex> Tridiagonalize(Arena& arena, GemmScratch& scratch, int64_t n, const Panel<R, kComplex>& a);

// x ← Q·x for the first `columns` columns of x.
template <class R, bool kComplex>
void ApplyReflections(Arena& arena, GemmScratch& scratch, int64_t n, const Tridiagonal<R, kComplex>& t,
                      int64_t columns, const Panel<R, kComplex>& x);

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_SPECTRAL_TRIDIAGONALIZE_H_
