#ifndef TENFERRO_LINALG_MATRIX_ALGEBRA_H_
#define TENFERRO_LINALG_MATRIX_ALGEBRA_H_

#include "tenferro/runtime/var.h"

namespace tenferro::linalg {

// The vocabulary of matrix formulas, over the leading two axes of [rows, columns, batch…].

Var Adjoint(const Var& x);  // xᴴ
// (x + xᴴ)/2 and (x − xᴴ)/2.
Var HermitianPart(const Var& x);
Var SkewPart(const Var& x);
// x · diag(d) and diag(d) · x for d [k, batch…]; a real d takes x's dtype.
Var ScaleColumns(const Var& x, const Var& d);
Var ScaleRows(const Var& d, const Var& x);
// [k, k, batch…] with element (i, j) = d_j, or d_i.
Var AlongRows(const Var& d);
Var AlongColumns(const Var& d);
Var Diagonal(const Var& x);        // [k, batch…] of [k, k, batch…]
Var DiagonalMatrix(const Var& d);  // the other way
// The first `count` columns of [m, n, batch…], or elements along axis 0.
Var FirstColumns(const Var& x, int64_t count);
Var FirstRows(const Var& x, int64_t count);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_MATRIX_ALGEBRA_H_
