#include "tenferro/linalg/norm.h"

#include "absl/strings/str_cat.h"
#include "tenferro/linalg/matrix_shapes.h"
#include "tenferro/linalg/solve.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/reductions.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::linalg {
namespace {

constexpr const char* kNorm = "linalg.matrix_norm";
constexpr const char* kCond = "linalg.cond";
constexpr const char* kCross = "linalg.cross";

Var MatrixOperand(const char* name, const Arg& a, MatrixNormOrder order) {
  const Var matrix = a.Tensor(name);
  if (!matrix.ok()) return matrix;
  if (const absl::Status status = shapes::CheckMatrix(matrix.type()); !status.ok()) {
    return ErrorVar(a.location(), name, status.message());
  }
  const bool sum = order == MatrixNormOrder::kFrobenius || order == MatrixNormOrder::kNuclear;
  if (sum || (matrix.dim(0) > 0 && matrix.dim(1) > 0)) return matrix;
  return ErrorVar(a.location(), name,
                  absl::StrCat("the norm ", Name(order), " needs a row and a column, got ", matrix.type().ToString()));
}

Var NormOf(const Var& a, MatrixNormOrder order) {
  switch (order) {
    case MatrixNormOrder::kFrobenius: return Norm(a, {0, 1});
    case MatrixNormOrder::kNuclear: return ReduceSum(Svd(a).s, {0});
    case MatrixNormOrder::kOne: return ReduceMax(ReduceSum(Abs(a), {0}), {0});
    case MatrixNormOrder::kMinusOne: return ReduceMin(ReduceSum(Abs(a), {0}), {0});
    case MatrixNormOrder::kTwo: return ReduceMax(Svd(a).s, {0});
    case MatrixNormOrder::kMinusTwo: return ReduceMin(Svd(a).s, {0});
    case MatrixNormOrder::kInfinity: return ReduceMax(ReduceSum(Abs(a), {1}), {0});
    case MatrixNormOrder::kMinusInfinity: break;
  }
  return ReduceMin(ReduceSum(Abs(a), {1}), {0});
}

// Element `index` of `axis`, the axis kept.
Var Component(const Var& x, int axis, int64_t index) {
  Ints starts(x.rank(), 0), limits = x.shape().extents();
  starts[axis] = index;
  limits[axis] = index + 1;
  return Slice(x, starts, limits);
}

}  // namespace

const char* Name(MatrixNormOrder order) {
  constexpr const char* kNames[] = {"frobenius", "nuclear", "1", "-1", "2", "-2", "inf", "-inf"};
  return kNames[static_cast<int>(order)];
}

Var MatrixNorm(const Arg& a, MatrixNormOrder order) {
  LocationScope scope(a.location());
  const Var matrix = MatrixOperand(kNorm, a, order);
  return matrix.ok() ? NormOf(matrix, order) : matrix;
}

Var Cond(const Arg& a, MatrixNormOrder order) {
  LocationScope scope(a.location());
  const Var matrix = MatrixOperand(kCond, a, order);
  if (!matrix.ok()) return matrix;
  if (order == MatrixNormOrder::kTwo || order == MatrixNormOrder::kMinusTwo) {
    const Var s = Svd(matrix).s;
    const Var largest = ReduceMax(s, {0}), smallest = ReduceMin(s, {0});
    return order == MatrixNormOrder::kTwo ? largest / smallest : smallest / largest;
  }
  if (const absl::Status status = shapes::CheckSquare(matrix.type()); !status.ok()) {
    return ErrorVar(a.location(), kCond, status.message());
  }
  return NormOf(matrix, order) * NormOf(Inv(matrix), order);
}

Var Cross(const Arg& a, const Arg& b, int axis) {
  LocationScope scope(a.location());
  const Var x = a.Tensor(kCross), y = b.Tensor(kCross);
  if (!x.ok()) return x;
  if (!y.ok()) return y;
  if (x.type() != y.type() || axis < 0 || axis >= x.rank() || x.dim(axis) != 3) {
    return ErrorVar(a.location(), kCross,
                    absl::StrCat("needs two tensors of one type with extent 3 on axis ", axis, ", got ",
                                 x.type().ToString(), " and ", y.type().ToString()));
  }
  const auto minor = [&](int64_t i, int64_t j) {
    return Component(x, axis, i) * Component(y, axis, j) - Component(x, axis, j) * Component(y, axis, i);
  };
  return Concatenate({minor(1, 2), minor(2, 0), minor(0, 1)}, axis);
}

}  // namespace tenferro::linalg
