#ifndef TENFERRO_LINALG_MATRIX_SHAPES_H_
#define TENFERRO_LINALG_MATRIX_SHAPES_H_

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

// What the shape rules of matrix operations share. The messages of errors start after the operation's name.
namespace tenferro::linalg::shapes {

template <class... Pieces>
absl::Status Invalid(const Pieces&... pieces) {
  return absl::InvalidArgumentError(absl::StrCat(pieces...));
}

// [m, n, batch…] of a float or complex dtype; square: m = n.
absl::Status CheckMatrix(const ValueType& a);
absl::Status CheckSquare(const ValueType& a);
// `type` is `expected`; `name` is the operand's.
absl::Status CheckType(const char* name, const ValueType& type, const ValueType& expected);

// A tolerance is a number; a derivative_eps is 0 or has a square that is a number.
absl::Status CheckTolerance(double tolerance);
absl::Status CheckDerivativeEps(double derivative_eps);

// [rows, columns, batch…], [length, batch…] and [batch…] with the batch of a matrix `a`.
Shape MatrixShape(Dim rows, Dim columns, const Shape& a);
Shape VectorShape(Dim length, const Shape& a);
Shape BatchShape(const Shape& a);
Dim Smaller(const Shape& a);  // of a's rows and columns

// The right-hand sides b of equations with a matrix a [n, n, batch…] as [n, k, batch…]: as they are, or of [n, batch…]
// with k = 1. An error Var under the name `op` where b's rank is neither.
struct RightSides {
  Var matrix;
  bool is_vector = false;
  Var Restore(const Var& x) const;  // [n, k, batch…] in b's form
};
RightSides AsMatrix(const char* op, const Var& a, const Arg& b);

}  // namespace tenferro::linalg::shapes

#endif  // TENFERRO_LINALG_MATRIX_SHAPES_H_
