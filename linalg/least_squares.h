#ifndef TENFERRO_LINALG_LEAST_SQUARES_H_
#define TENFERRO_LINALG_LEAST_SQUARES_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro::linalg {

extern const OpDef kPinvSolve;

struct RankOptions {
  double tolerance = -1;  // relative to the largest singular value; below 0: max(m, n)·eps
};

// Matrices a [m, n, batch…] of any shape and rank, by their singular values; those of at most tolerance·s_0 count as 0.
// Dtypes: float, complex. Common errors: rank below 2, another dtype, a tolerance that is NaN (carried); an element
// that is not finite (when run). Derivatives are those at constant rank, exact where singular values are equal; where
// a's rank changes there is none. Cost: an Svd.

// The x of least |x| among those of least |a·x − b|. Shapes: b [m, k, batch…] or [m, batch…] → [n, k, batch…] or [n,
// batch…]. Derivative: with r = b − a·x, dx = a⁺·(db − da·x + a⁺ᴴ·daᴴ·r) + (1 − a⁺·a)·daᴴ·a⁺ᴴ·x. Source: G. Golub, V.
// Pereyra, SIAM J. Numer. Anal. 10 (1973).
Var Lstsq(const Arg& a, const Arg& b, const RankOptions& options = {});

// The Moore–Penrose inverse a⁺ [n, m, batch…]. Derivative: Lstsq's for b = 1.
Var Pinv(const Arg& a, const RankOptions& options = {});

// How many singular values count, i64 [batch…]. Derivative: none.
Var MatrixRank(const Arg& a, const RankOptions& options = {});

struct PinvSolveAttributes {
  double tolerance = -1;
  bool adjoint = false;
  void Fields(auto&& field) {
    field("tolerance", tolerance);
    field("adjoint", adjoint);
  }
};

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_LEAST_SQUARES_H_
