#include "tenferro/linalg/eigh.h"

#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/matrix_shapes.h"
#include "tenferro/linalg/spectral_slots.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/sort.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::linalg {
namespace {

using spectral_internal::CheckSquare;
using spectral_internal::Invalid;
using spectral_internal::VectorShape;

absl::Status InferEigvalsh(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(CheckSquare(inputs[0]));
  outputs.push_back({RealOf(inputs[0].dtype), VectorShape(inputs[0])});
  return absl::OkStatus();
}

absl::Status InferEigh(const OpDef& op, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(InferEigvalsh(op, words, inputs, outputs));
  outputs.push_back(inputs[0]);
  return absl::OkStatus();
}

absl::Status InferEighOfEps(const OpDef& op, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(shapes::CheckDerivativeEps(Decode<EighAttributes>(words).derivative_eps));
  return InferEigh(op, words, inputs, outputs);
}

absl::Status InferGeneralized(const OpDef& op, WordSpan words, absl::Span<const ValueType> inputs,
                              ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(InferEigh(op, words, inputs, outputs));
  if (inputs[1] != inputs[0]) {
    return Invalid("needs two matrices of one type, got ", inputs[0].ToString(), " and ", inputs[1].ToString());
  }
  return absl::OkStatus();
}

}  // namespace

constexpr OpDef kEigh{.name = "linalg.eigh",
                      .infer = InferEighOfEps,
                      .dtypes = kFloatOrComplexSet,
                      .batch = BatchAllOperands,
                      .print = PrintAttributes<EighAttributes>,
                      .slots = &spectral_slots};
constexpr OpDef kEigvalsh{.name = "linalg.eigvalsh",
                          .infer = InferEigvalsh,
                          .dtypes = kFloatOrComplexSet,
                          .batch = BatchAllOperands,
                          .slots = &spectral_slots};
constexpr OpDef kGeneralizedEigh{.name = "linalg.generalized_eigh",
                                 .infer = InferGeneralized,
                                 .dtypes = kFloatOrComplexSet,
                                 .batch = BatchAllOperands,
                                 .slots = &spectral_slots};

EighResult Eigh(const Arg& a, const EighOptions& options) {
  LocationScope scope(a.location());
  const Vars outputs =
      Emit(kEigh, Encode(EighAttributes{options.derivative_eps}), {a.Tensor(kEigh.name)}, a.location(), 2);
  return {outputs[0], options.gauge == Gauge::kRaw ? outputs[1] : InPivotGauge(outputs[1])};
}

Var Eigvalsh(const Arg& a) { return EmitUnary(kEigvalsh, a); }

EighResult GeneralizedEigh(const Arg& a, const Arg& b) {
  const char* const name = kGeneralizedEigh.name;
  const Vars outputs = Emit(kGeneralizedEigh, {}, {a.Tensor(name), b.Tensor(name)}, a.location(), 2);
  return {outputs[0], outputs[1]};
}

Var InPivotGauge(const Var& x) {
  if (!x.ok() || x.dim(0) == 0) return x;
  Ints column;
  for (int i = 1; i < x.rank(); ++i) column.push_back(i);
  const Var pivot = BroadcastInDim(ArgMax(Abs(x), 0), x.shape(), column);
  const Var here = Eq(Iota(x, DType::kI64, x.shape(), 0), pivot);
  const Var entry = ReduceSum(Select(here, x, ZerosLike(x)), {0});
  const Var size = Convert(Abs(entry), x.dtype());
  // The pivot's imaginary part would keep a rounding error.
  return Select(here, BroadcastInDim(size, x.shape(), column), ScaleColumns(x, Conj(entry) / size));
}

Var HermitianFromLower(const Var& x) {
  const Var row = Iota(x, DType::kI64, x.shape(), 0), column = Iota(x, DType::kI64, x.shape(), 1);
  const Var zero = ZerosLike(x);
  const Var below = Select(Gt(row, column), x, zero);
  return below + Adjoint(below) + Select(Eq(row, column), Convert(Real(x), x.dtype()), zero);
}

Var LowerFromHermitian(const Var& x) {
  const Var row = Iota(x, DType::kI64, x.shape(), 0), column = Iota(x, DType::kI64, x.shape(), 1);
  const Var zero = ZerosLike(x);
  return Select(Gt(row, column), x * 2, Select(Eq(row, column), Convert(Real(x), x.dtype()), zero));
}

}  // namespace tenferro::linalg
