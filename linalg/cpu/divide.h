#ifndef TENFERRO_LINALG_CPU_DIVIDE_H_
#define TENFERRO_LINALG_CPU_DIVIDE_H_

#include "tenferro/linalg/cpu/panel.h"

namespace tenferro::linalg::TENFERRO_ISA {

// The singular value decomposition u·diag(d)·vᵀ of an upper bidiagonal matrix.
template <class R>
struct BidiagonalSvd {
  const double* d = nullptr;       // in no order
  const int64_t* order = nullptr;  // where the values are, ascending
  Panel<R, false> u;               // columns as d
  Panel<R, false> v;
  bool ok = false;  // false: no convergence
};

// Of diagonal d [n] and superdiagonal e [n], whose last entry is zero, by divide and conquer: the matrix is torn at a
// row, both parts are decomposed, and a secular equation and two products of matrices put them together. Without
// `vectors` u is empty and v unspecified, at a cost of O(n²).
//
// Accuracy: values and vectors as those of QR sweeps, relative to the largest value.
// Source: as SolveSecular's; Jessup and Sorensen, "A parallel algorithm for computing the singular value decomposition
// of a matrix", SIAM J. Matrix Anal. Appl. 15 (1994).
template <class R>
BidiagonalSvd<R> DivideAndConquer(Arena& arena, int64_t n, const double* d, const double* e, bool vectors);

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_DIVIDE_H_
