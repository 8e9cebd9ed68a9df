#include "tenferro/runtime/ops/matrix_parts.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/composite.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

using namespace composite_internal;

// More than an axis of a square matrix can have; sums of two do not overflow.
constexpr int64_t kMost = int64_t{1} << 60;

// Column − row, less k, of each element of a matrix.
Var DistanceAbove(const Var& like, Dim rows, Dim columns, int64_t k) {
  const Shape shape{rows, columns};
  return Iota(like, DType::kI64, shape, 1) - Iota(like, DType::kI64, shape, 0) - k;
}

template <Var (*kCompare)(const Arg&, const Arg&)>
Var Triangle(const char* op, const Arg& x, int64_t k) {
  LocationScope scope(x.location());
  const Var var = Operand(op, x, kAnySet);
  if (!var.ok()) return var;
  if (var.rank() < 2) return ErrorVar(x.location(), op, absl::StrCat("needs matrices, got ", var.type().ToString()));
  k = std::clamp(k, -var.dim(0), var.dim(1));  // the same triangle, and no difference overflows
  const Var inside = kCompare(DistanceAbove(var, var.shape()[0], var.shape()[1], k), 0);
  return Select(BroadcastInDim(inside, var.shape(), {0, 1}), var, ZerosLike(var));
}

Var DiagonalOf(const char* op, const Arg& x, int64_t k, int axis1, int axis2, DTypeSet dtypes) {
  const Var var = Operand(op, x, dtypes, {axis1, axis2});
  if (!var.ok()) return var;
  const int64_t rows = var.dim(axis1), columns = var.dim(axis2);
  // k may be any number: nothing is added to it before it is cut to the matrix.
  const int64_t row = k < 0 ? (k < -rows ? rows : -k) : 0, column = k > 0 ? std::min(k, columns) : 0;
  const int64_t length = std::min(rows - row, columns - column);
  Ints starts(var.rank(), 0), limits = var.shape().extents();
  starts[axis1] = row;
  limits[axis1] = row + length;
  starts[axis2] = column;
  limits[axis2] = column + length;
  return ExtractDiag(Slice(var, starts, limits), axis1, axis2);
}

}  // namespace

Var Tril(const Arg& x, int64_t k) { return Triangle<Le>("tril", x, k); }
Var Triu(const Arg& x, int64_t k) { return Triangle<Ge>("triu", x, k); }

Var Diagonal(const Arg& x, int64_t k, int axis1, int axis2) {
  LocationScope scope(x.location());
  return DiagonalOf("diagonal", x, k, axis1, axis2, kAnySet);
}

Var Diag(const Arg& x, int64_t k) {
  LocationScope scope(x.location());
  const Var var = Operand("diag", x, kAnySet);
  if (!var.ok()) return var;
  if (var.rank() == 2) return DiagonalOf("diag", x, k, 0, 1, kAnySet);
  if (var.rank() != 1) {
    return ErrorVar(x.location(), "diag", absl::StrCat("needs a vector or a matrix, got ", var.type().ToString()));
  }
  const uint64_t distance = k < 0 ? -static_cast<uint64_t>(k) : k;
  const Dim extent = static_cast<int64_t>(std::min<uint64_t>(distance, kMost) + var.dim(0));
  if (!Shape{extent, extent}.Validate().ok()) {
    return ErrorVar(x.location(), "diag",
                    absl::StrCat("the matrix with ", var.type().ToString(), " as diagonal ", k, " is too large"));
  }
  const int64_t down = k < 0 ? -k : 0, right = k > 0 ? k : 0;
  return Pad(EmbedDiag(var), false, {down, right}, {right, down});
}

Var Trace(const Arg& x, int64_t k, int axis1, int axis2) {
  LocationScope scope(x.location());
  const Var diagonal = DiagonalOf("trace", x, k, axis1, axis2, kNumberSet);
  return diagonal.ok() ? ReduceSum(diagonal, {diagonal.rank() - 1}) : diagonal;
}

Var Eye(const Var& like, DType dtype, int64_t rows, int64_t columns, int64_t k, Location location) {
  LocationScope scope(location);
  if (absl::Status status = Shape{rows, columns}.Validate(); !status.ok()) {
    return ErrorVar(location, "eye", status.message());
  }
  return Cast(Eq(DistanceAbove(like, rows, columns, k), 0), dtype);
}

Var OneHot(const Arg& indices, int64_t depth, int axis, DType dtype) {
  LocationScope scope(indices.location());
  const Var var = Operand("one_hot", indices, kIntegerSet);
  if (!var.ok()) return var;
  if (absl::Status status = CheckAxes("axis", {axis}, var.rank() + 1); !status.ok()) {
    return ErrorVar(indices.location(), "one_hot", status.message());
  }
  if (depth < 0) return ErrorVar(indices.location(), "one_hot", absl::StrCat("depth ", depth, " is negative"));
  Shape shape;
  for (int i = 0; i <= var.rank(); ++i) shape.push_back(i == axis ? Dim(depth) : var.shape()[i < axis ? i : i - 1]);
  // Narrow integers might not hold the numbers up to depth.
  const Var wide = var.dtype() == DType::kU64 ? var : Convert(var, DType::kI64);
  const Var number = Iota(wide, wide.dtype(), shape, axis);
  return Cast(Eq(BroadcastInDim(wide, shape, OtherAxes({axis}, shape.rank())), number), dtype);
}

}  // namespace tenferro
