#ifndef TENFERRO_LINALG_NORM_H_
#define TENFERRO_LINALG_NORM_H_

#include "tenferro/runtime/arg.h"

namespace tenferro::linalg {

enum class MatrixNormOrder {
  kFrobenius,      // √Σ|a_ij|²
  kNuclear,        // Σ s_i
  kOne,            // the largest sum of moduli down a column
  kMinusOne,       // the smallest
  kTwo,            // the largest singular value
  kMinusTwo,       // the smallest
  kInfinity,       // the largest sum of moduli along a row
  kMinusInfinity,  // the smallest
};
const char* Name(MatrixNormOrder order);

// A norm of each matrix of a [m, n, batch…], real [batch…]; those of vectors are tenferro::Norm's. Dtypes: float,
// complex. Errors: rank below 2, another dtype, an extreme over no rows or columns (carried); for those by singular
// values, an element that is not finite (when run). Derivative: that of the sums, extremes (equal shares at ties) and
// singular values; 0 for elements that are 0. Cost: one pass, or an Svd.
Var MatrixNorm(const Arg& a, MatrixNormOrder order = MatrixNormOrder::kFrobenius);

// The condition number |a|·|a⁻¹| of each matrix in a norm, real [batch…]; for kTwo and kMinusTwo the quotient of the
// extreme singular values, of a matrix of any shape, infinite for a singular one. Errors: MatrixNorm's; for the other
// norms not square, a singular a (when run).
Var Cond(const Arg& a, MatrixNormOrder order = MatrixNormOrder::kTwo);

// The cross product along `axis`, of extent 3 in both; nothing is conjugated. Shapes: equal. Errors: other extents,
// shapes or dtypes. Derivative: da × b + a × db.
Var Cross(const Arg& a, const Arg& b, int axis = 0);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_NORM_H_
