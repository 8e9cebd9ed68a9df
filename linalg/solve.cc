#include "tenferro/linalg/solve.h"

#include "tenferro/linalg/factor_slots.h"
#include "tenferro/linalg/lu.h"
#include "tenferro/linalg/matrix_shapes.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/matrix_parts.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"

namespace tenferro::linalg {
namespace {

// Operands: parity, permutation, lu, a.
absl::Status CheckFactors(absl::Span<const ValueType> inputs) {
  const ValueType& a = inputs[3];
  TENFERRO_RETURN_IF_ERROR(shapes::CheckSquare(a));
  TENFERRO_RETURN_IF_ERROR(shapes::CheckType("parity", inputs[0], {RealOf(a.dtype), shapes::BatchShape(a.shape)}));
  TENFERRO_RETURN_IF_ERROR(
      shapes::CheckType("permutation", inputs[1], {DType::kI64, shapes::VectorShape(a.shape[0], a.shape)}));
  return shapes::CheckType("lu", inputs[2], a);
}

absl::Status InferSlogdet(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(CheckFactors(inputs));
  outputs.push_back({inputs[3].dtype, shapes::BatchShape(inputs[3].shape)});
  outputs.push_back({RealOf(inputs[3].dtype), shapes::BatchShape(inputs[3].shape)});
  return absl::OkStatus();
}

absl::Status InferDet(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(CheckFactors(inputs));
  outputs.push_back({inputs[3].dtype, shapes::BatchShape(inputs[3].shape)});
  return absl::OkStatus();
}

Var IdentityLike(const Var& a) { return BroadcastInDim(Eye(a, a.dtype(), a.dim(0), a.dim(0)), a.shape(), {0, 1}); }

// a as an operand of the function `name`, square; otherwise an error Var.
Var Square(const char* name, const Arg& a) {
  const Var matrix = a.Tensor(name);
  if (!matrix.ok()) return matrix;
  const absl::Status status = shapes::CheckSquare(matrix.type());
  return status.ok() ? matrix : ErrorVar(a.location(), name, status.message());
}

Vars FactorsOf(const LuFactors& factors) { return {factors.parity, factors.permutation, factors.lu, factors.a}; }

}  // namespace

constexpr OpDef kSlogdet{.name = "linalg.slogdet",
                         .infer = InferSlogdet,
                         .dtypes = kFloatOrComplexSet,
                         .batch = BatchAllOperands,
                         .slots = &factor_slots};
constexpr OpDef kDet{.name = "linalg.det",
                     .infer = InferDet,
                     .dtypes = kFloatOrComplexSet,
                     .batch = BatchAllOperands,
                     .slots = &factor_slots};

Var Solve(const Arg& a, const Arg& b) {
  LocationScope scope(a.location());
  const Var matrix = Square("linalg.solve", a);
  return matrix.ok() ? LuSolve(LuFactor(matrix), b) : matrix;
}

Var Inv(const Arg& a) {
  LocationScope scope(a.location());
  const Var matrix = Square("linalg.inv", a);
  return matrix.ok() ? LuSolve(LuFactor(matrix), IdentityLike(matrix)) : matrix;
}

Var Det(const Arg& a) {
  LocationScope scope(a.location());
  const Var matrix = Square(kDet.name, a);
  return matrix.ok() ? EmitOne(kDet, {}, FactorsOf(LuFactor(matrix)), a.location()) : matrix;
}

SlogDetResult SlogDet(const Arg& a) {
  LocationScope scope(a.location());
  const Var matrix = Square(kSlogdet.name, a);
  if (!matrix.ok()) return {matrix, matrix};
  const Vars out = Emit(kSlogdet, {}, FactorsOf(LuFactor(matrix)), a.location(), 2);
  return {out[0], out[1]};
}

Var MatrixPower(const Arg& a, int64_t power) {
  LocationScope scope(a.location());
  Var factor = Square("linalg.matrix_power", a);
  if (!factor.ok()) return factor;
  if (power == 0) return IdentityLike(factor);
  if (power < 0) factor = Inv(factor);
  uint64_t left = power < 0 ? -static_cast<uint64_t>(power) : static_cast<uint64_t>(power);
  Var result;
  for (;;) {
    if (left % 2 == 1) result = result.empty() ? factor : Matmul(result, factor);
    left /= 2;
    if (left == 0) return result;
    factor = Matmul(factor, factor);
  }
}

}  // namespace tenferro::linalg
