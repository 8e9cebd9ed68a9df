#include "tenferro/linalg/eig.h"

#include "tenferro/linalg/spectral_slots.h"
#include "tenferro/runtime/ops/emit.h"

namespace tenferro::linalg {
namespace {

using spectral_internal::CheckSquare;
using spectral_internal::VectorShape;

absl::Status InferEigvals(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(CheckSquare(inputs[0]));
  outputs.push_back({RealOf(inputs[0].dtype) == DType::kF32 ? DType::kC64 : DType::kC128, VectorShape(inputs[0])});
  return absl::OkStatus();
}

// Values, vectors and, for the derivative, the inverse of the vectors.
absl::Status InferEig(const OpDef& op, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(InferEigvals(op, words, inputs, outputs));
  for (int i = 0; i < 2; ++i) outputs.push_back({outputs[0].dtype, inputs[0].shape});
  return absl::OkStatus();
}

absl::Status InferSchur(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(CheckSquare(inputs[0]));
  for (int i = 0; i < 2; ++i) outputs.push_back(inputs[0]);
  return absl::OkStatus();
}

}  // namespace

constexpr OpDef kEig{.name = "linalg.eig",
                     .infer = InferEig,
                     .dtypes = kFloatOrComplexSet,
                     .batch = BatchAllOperands,
                     .slots = &spectral_slots};
constexpr OpDef kEigvals{.name = "linalg.eigvals",
                         .infer = InferEigvals,
                         .dtypes = kFloatOrComplexSet,
                         .batch = BatchAllOperands,
                         .slots = &spectral_slots};
constexpr OpDef kSchur{.name = "linalg.schur",
                       .infer = InferSchur,
                       .dtypes = kFloatOrComplexSet,
                       .not_differentiable = "order and phases of a Schur form are the algorithm's choice",
                       .batch = BatchAllOperands,
                       .slots = &spectral_slots};

EigResult Eig(const Arg& a, const EigOptions& options) {
  LocationScope scope(a.location());
  const Vars outputs = Emit(kEig, {}, {a.Tensor(kEig.name)}, a.location(), 3);
  return {outputs[0], options.gauge == Gauge::kRaw ? outputs[1] : InPivotGauge(outputs[1])};
}

Var Eigvals(const Arg& a) { return EmitUnary(kEigvals, a); }

SchurResult Schur(const Arg& a) {
  const Vars outputs = Emit(kSchur, {}, {a.Tensor(kSchur.name)}, a.location(), 2);
  return {outputs[0], outputs[1]};
}

EigWithInverse EigAndInverse(const Var& a) {
  const Vars outputs = Emit(kEig, {}, {a}, Location::current(), 3);
  return {outputs[0], outputs[1], outputs[2]};
}

}  // namespace tenferro::linalg
