#include "tenferro/linalg/lu.h"

#include "tenferro/linalg/factor_slots.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/matrix_shapes.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/matrix_parts.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/stop_gradient.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"

namespace tenferro::linalg {
namespace {

ValueType PermutationOf(Dim length, const ValueType& a) { return {DType::kI64, shapes::VectorShape(length, a.shape)}; }
ValueType ParityOf(const ValueType& a) { return {RealOf(a.dtype), shapes::BatchShape(a.shape)}; }

absl::Status InferLu(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ValueType& a = inputs[0];
  TENFERRO_RETURN_IF_ERROR(shapes::CheckMatrix(a));
  outputs.push_back(a);
  outputs.push_back(PermutationOf(a.shape[0], a));
  outputs.push_back(ParityOf(a));
  outputs.push_back(PermutationOf(shapes::Smaller(a.shape), a));
  return absl::OkStatus();
}

absl::Status InferFullPivotLu(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ValueType& a = inputs[0];
  TENFERRO_RETURN_IF_ERROR(shapes::CheckMatrix(a));
  outputs.push_back(a);
  outputs.push_back(PermutationOf(a.shape[0], a));
  outputs.push_back(PermutationOf(a.shape[1], a));
  outputs.push_back(ParityOf(a));
  return absl::OkStatus();
}

absl::Status InferLuSolve(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ValueType &a = inputs[0], &b = inputs[3];
  TENFERRO_RETURN_IF_ERROR(shapes::CheckSquare(a));
  TENFERRO_RETURN_IF_ERROR(shapes::CheckType("lu", inputs[1], a));
  TENFERRO_RETURN_IF_ERROR(shapes::CheckType("permutation", inputs[2], PermutationOf(a.shape[0], a)));
  if (b.shape.rank() < 2) return shapes::Invalid("needs right-hand sides [n, k, batch…], got ", b.ToString());
  TENFERRO_RETURN_IF_ERROR(shapes::CheckType("b", b, {a.dtype, shapes::MatrixShape(a.shape[0], b.shape[1], a.shape)}));
  outputs.push_back(b);
  return absl::OkStatus();
}

// The unit lower triangular factor [m, k, batch…] of packed ones.
Var LowerFactor(const Var& packed) {
  const int64_t k = std::min(packed.dim(0), packed.dim(1));
  const Var below = Tril(FirstColumns(packed, k), -1);
  if (!below.ok()) return below;
  return below + BroadcastInDim(Eye(packed, packed.dtype(), packed.dim(0), k), below.shape(), {0, 1});
}

Var UpperFactor(const Var& packed) { return Triu(FirstRows(packed, std::min(packed.dim(0), packed.dim(1)))); }

}  // namespace

constexpr OpDef kLu{.name = "linalg.lu",
                    .infer = InferLu,
                    .dtypes = kFloatOrComplexSet,
                    .batch = BatchAllOperands,
                    .slots = &factor_slots};
constexpr OpDef kFullPivotLu{.name = "linalg.full_pivot_lu",
                             .infer = InferFullPivotLu,
                             .dtypes = kFloatOrComplexSet,
                             .batch = BatchAllOperands,
                             .slots = &factor_slots};
constexpr OpDef kLuSolve{.name = "linalg.lu_solve",
                         .infer = InferLuSolve,
                         .dtypes = kFloatOrComplexSet,
                         .linear = 0b1000,
                         .batch = BatchAllOperands,
                         .print = PrintAttributes<LuSolveOptions>,
                         .slots = &factor_slots};

LuResult Lu(const Arg& a) {
  LocationScope scope(a.location());
  const Vars out = Emit(kLu, {}, {a.Tensor(kLu.name)}, a.location(), 4);
  return {out[1], LowerFactor(out[0]), UpperFactor(out[0]), out[2], out[3]};
}

FullPivotLuResult FullPivotLu(const Arg& a) {
  LocationScope scope(a.location());
  const Vars out = Emit(kFullPivotLu, {}, {a.Tensor(kFullPivotLu.name)}, a.location(), 4);
  return {out[1], LowerFactor(out[0]), UpperFactor(out[0]), out[2], out[3]};
}

Var PermutationMatrix(const Arg& permutation, DType dtype) {
  LocationScope scope(permutation.location());
  const Var p = permutation.Tensor("linalg.permutation_matrix");
  if (!p.ok()) return p;
  if (p.rank() == 0 || p.dtype() != DType::kI64) {
    return ErrorVar(permutation.location(), "linalg.permutation_matrix",
                    absl::StrCat("needs a permutation i64[n, batch…], got ", p.type().ToString()));
  }
  // Column j of p holds its one in row permutation[j].
  Shape shape{p.shape()[0], p.shape()[0]};
  Ints axes{1};
  for (int i = 1; i < p.rank(); ++i) {
    shape.push_back(p.shape()[i]);
    axes.push_back(i + 1);
  }
  return Convert(Eq(BroadcastInDim(p, shape, axes), Iota(p, DType::kI64, shape, 0)), dtype);
}

LuFactors LuFactor(const Arg& a) {
  LocationScope scope(a.location());
  const Var matrix = a.Tensor("linalg.lu_factor");
  if (matrix.ok()) {
    if (absl::Status status = shapes::CheckSquare(matrix.type()); !status.ok()) {
      const Var error = ErrorVar(a.location(), "linalg.lu_factor", status.message());
      return {error, error, error, error};
    }
  }
  const Vars out = Emit(kLu, {}, {StopGradient(matrix)}, a.location(), 4);
  return {matrix, out[0], out[1], out[2]};
}

Var LuSolve(const LuFactors& factors, const Arg& b, const LuSolveOptions& options) {
  LocationScope scope(b.location());
  const shapes::RightSides right = shapes::AsMatrix(kLuSolve.name, factors.a, b);
  return right.Restore(
      EmitOne(kLuSolve, Encode(options), {factors.a, factors.lu, factors.permutation, right.matrix}, b.location()));
}

}  // namespace tenferro::linalg
