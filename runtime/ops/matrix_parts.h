#ifndef TENFERRO_RUNTIME_OPS_MATRIX_PARTS_H_
#define TENFERRO_RUNTIME_OPS_MATRIX_PARTS_H_

#include "tenferro/runtime/arg.h"

namespace tenferro {

// Triangles and diagonals of matrices, and matrices of ones and zeros. The matrix is axes 0 and 1, [m, n, batch…]; its
// diagonal k holds the elements [i, i + k]: above the main one for k > 0, below for k < 0, empty beyond the matrix.

// x at and below (above) diagonal k, 0 elsewhere, whatever stood there. Shapes: [m, n, batch…]. Dtypes: all. Errors:
// rank below 2. Derivative: the same part of dx.
Var Tril(const Arg& x, int64_t k = 0);
Var Triu(const Arg& x, int64_t k = 0);

// Diagonal k of axes axis1 and axis2, which become one, the last. Shapes: […, m, …, n, …] → […, length]. Dtypes: all.
// Errors: axes that are equal or do not exist. Derivative: the same of dx.
Var Diagonal(const Arg& x, int64_t k = 0, int axis1 = 0, int axis2 = 1);
// Of a matrix its diagonal k; of a vector the square matrix that has it as diagonal k and is 0 elsewhere. Dtypes: all.
// Errors: another rank. Derivative: the same of dx.
Var Diag(const Arg& x, int64_t k = 0);
// The sum of diagonal k of two axes, which vanish. Dtypes: all but bool. Errors: those of Diagonal. Derivative: the
// trace of dx.
Var Trace(const Arg& x, int64_t k = 0, int axis1 = 0, int axis2 = 1);

// Ones on diagonal k and zeros elsewhere, in the context of `like`. Errors: a negative extent. Derivative: none
// (no operand).
Var Eye(const Var& like, DType dtype, int64_t rows, int64_t columns, int64_t k = 0,
        Location location = Location::current());
// A new axis of extent `depth` in which the element whose number is the index is 1 and the others are 0; all are 0 for
// an index outside 0 … depth − 1. `axis` is the new one's number in the result. Dtypes: indices integer, the result
// `dtype`. Errors: no such axis; depth below 0. Derivative: none.
Var OneHot(const Arg& indices, int64_t depth, int axis, DType dtype);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_MATRIX_PARTS_H_
