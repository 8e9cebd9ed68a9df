#include "tenferro/linalg/least_squares.h"

#include "tenferro/linalg/factor_slots.h"
#include "tenferro/linalg/matrix_shapes.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/matrix_parts.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/stop_gradient.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"

namespace tenferro::linalg {
namespace {

// Operands: a, and of its constant Svd u, s and vh; b.
absl::Status Infer(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ValueType &a = inputs[0], &b = inputs[4];
  TENFERRO_RETURN_IF_ERROR(shapes::CheckMatrix(a));
  const Dim k = shapes::Smaller(a.shape);
  const auto [tolerance, adjoint] = Decode<PinvSolveAttributes>(words);
  TENFERRO_RETURN_IF_ERROR(shapes::CheckTolerance(tolerance));
  TENFERRO_RETURN_IF_ERROR(shapes::CheckType("u", inputs[1], {a.dtype, shapes::MatrixShape(a.shape[0], k, a.shape)}));
  TENFERRO_RETURN_IF_ERROR(shapes::CheckType("s", inputs[2], {RealOf(a.dtype), shapes::VectorShape(k, a.shape)}));
  TENFERRO_RETURN_IF_ERROR(shapes::CheckType("vh", inputs[3], {a.dtype, shapes::MatrixShape(k, a.shape[1], a.shape)}));
  if (b.shape.rank() < 2) return shapes::Invalid("needs right-hand sides [m, k, batch…], got ", b.ToString());
  TENFERRO_RETURN_IF_ERROR(
      shapes::CheckType("b", b, {a.dtype, shapes::MatrixShape(a.shape[adjoint ? 1 : 0], b.shape[1], a.shape)}));
  outputs.push_back({a.dtype, shapes::MatrixShape(a.shape[adjoint ? 0 : 1], b.shape[1], a.shape)});
  return absl::OkStatus();
}

Var MatrixOperand(const char* name, const Arg& a) {
  const Var matrix = a.Tensor(name);
  if (!matrix.ok()) return matrix;
  const absl::Status status = shapes::CheckMatrix(matrix.type());
  return status.ok() ? matrix : ErrorVar(a.location(), name, status.message());
}

Var PinvSolve(const Var& a, const Var& b, const RankOptions& options, const Location& location) {
  const SvdResult parts = Svd(StopGradient(a));
  return EmitOne(kPinvSolve, Encode(PinvSolveAttributes{.tolerance = options.tolerance}),
                 {a, parts.u, parts.s, parts.vh, b}, location);
}

}  // namespace

constexpr OpDef kPinvSolve{.name = "linalg.pinv_solve",
                           .infer = Infer,
                           .dtypes = kFloatOrComplexSet,
                           .linear = 0b10000,
                           .batch = BatchAllOperands,
                           .print = PrintAttributes<PinvSolveAttributes>,
                           .slots = &factor_slots};

Var Lstsq(const Arg& a, const Arg& b, const RankOptions& options) {
  LocationScope scope(a.location());
  const Var matrix = MatrixOperand("linalg.lstsq", a);
  if (!matrix.ok()) return matrix;
  const shapes::RightSides right = shapes::AsMatrix("linalg.lstsq", matrix, b);
  return right.Restore(PinvSolve(matrix, right.matrix, options, a.location()));
}

Var Pinv(const Arg& a, const RankOptions& options) {
  LocationScope scope(a.location());
  const Var matrix = MatrixOperand("linalg.pinv", a);
  if (!matrix.ok()) return matrix;
  const Shape shape = shapes::MatrixShape(matrix.shape()[0], matrix.shape()[0], matrix.shape());
  const Var one = BroadcastInDim(Eye(matrix, matrix.dtype(), matrix.dim(0), matrix.dim(0)), shape, {0, 1});
  return PinvSolve(matrix, one, options, a.location());
}

Var MatrixRank(const Arg& a, const RankOptions& options) {
  LocationScope scope(a.location());
  const Var matrix = MatrixOperand("linalg.matrix_rank", a);
  if (!matrix.ok()) return matrix;
  const absl::Status status = shapes::CheckTolerance(options.tolerance);
  if (!status.ok()) return ErrorVar(a.location(), "linalg.matrix_rank", status.message());
  const Var s = Svd(StopGradient(matrix)).s;
  const double eps = RealOf(matrix.dtype()) == DType::kF32 ? 0x1p-23 : 0x1p-52;
  const double tolerance =
      options.tolerance >= 0 ? options.tolerance : static_cast<double>(std::max(matrix.dim(0), matrix.dim(1))) * eps;
  if (s.dim(0) == 0) return ReduceSum(Convert(Gt(s, s), DType::kI64), {0});
  Ints axes;
  for (int i = 1; i < s.rank(); ++i) axes.push_back(i);
  const Var bound = BroadcastInDim(ReduceMax(s, {0}) * tolerance, s.shape(), axes);
  return ReduceSum(Convert(Gt(s, bound), DType::kI64), {0});
}

}  // namespace tenferro::linalg
