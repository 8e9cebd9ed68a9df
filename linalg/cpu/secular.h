#ifndef TENFERRO_LINALG_CPU_SECULAR_H_
#define TENFERRO_LINALG_CPU_SECULAR_H_

#include "tenferro/linalg/cpu/arena.h"

namespace tenferro::linalg::TENFERRO_ISA {

// The singular value decomposition of the k × k matrix with first row z and otherwise the diagonal d: 0 = d_0 < d_1 <
// …, no z_j = 0, gaps and entries well above rounding. Its values are the roots w of 1 + Σ z_j²/(d_j² − w²), one behind
// each d_j; its vectors are those of the matrix whose z has exactly the computed roots, hence orthogonal to rounding.
struct Secular {
  double* root;  // [k], ascending
  // Column i of [stride, k] is d_j² − root_i², each accurate to rounding.
  double* difference;
  int64_t stride;
  double* z;  // [k], recomputed, with the signs of the given ones
};

// Scratch and results come from the arena. d and z are padded to a multiple of 8 entries.
//
// Source: Gu and Eisenstat, "A divide-and-conquer algorithm for the bidiagonal SVD", SIAM J. Matrix Anal. Appl. 16
// (1995); roots by the rational interpolation of Bunch, Nielsen and Sorensen, "Rank-one modification of the symmetric
// eigenproblem", Numer. Math. 31 (1978).
Secular SolveSecular(Arena& arena, int64_t k, const double* d, const double* z);

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_SECULAR_H_
