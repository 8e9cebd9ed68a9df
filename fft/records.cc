#include "tenferro/fft/records.h"

#include "absl/strings/str_cat.h"
#include "tenferro/fft/slots.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/tensor/status.h"

namespace tenferro::fft {

constinit FamilySlots fft_slots{.family = "fft", .cpu_target = "//fft:cpu", .derivative_target = "//fft:autodiff"};

namespace {

template <class... Pieces>
absl::Status Invalid(const Pieces&... pieces) {
  return absl::InvalidArgumentError(absl::StrCat(pieces...));
}

absl::Status CheckDType(const OpDef& op, const ValueType& x) {
  if (Contains(op.dtypes, x.dtype)) return absl::OkStatus();
  return Invalid("takes ", op.dtypes == kFloatSet ? "real" : "complex", " numbers, got ", x.ToString());
}

absl::Status InferTransform(const OpDef& op, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ValueType& x = inputs[0];
  const TransformAttributes transform = Decode<TransformAttributes>(words);
  TENFERRO_RETURN_IF_ERROR(CheckDType(op, x));
  if (transform.axes.empty()) return Invalid("needs at least one axis");
  TENFERRO_RETURN_IF_ERROR(CheckAxes("axis", transform.axes, x.shape.rank()));
  for (int64_t axis : transform.axes) {
    if (x.shape.extent(static_cast<int>(axis)) == 0) return Invalid("axis ", axis, " of ", x.ToString(), " is empty");
  }
  outputs.push_back(x);
  return absl::OkStatus();
}

absl::Status CheckHalf(const OpDef& op, const HalfAttributes& half, const ValueType& x, int64_t extent) {
  TENFERRO_RETURN_IF_ERROR(CheckDType(op, x));
  TENFERRO_RETURN_IF_ERROR(CheckAxes("axis", {half.axis}, x.shape.rank()));
  if (half.n < 1) return Invalid("n must be at least 1, got ", half.n);
  if (x.shape.extent(static_cast<int>(half.axis)) != extent) {
    return Invalid("n = ", half.n, " needs an axis of ", extent, ", got axis ", half.axis, " of ", x.ToString());
  }
  return absl::OkStatus();
}

absl::Status InferRealToHalf(const OpDef& op, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const HalfAttributes half = Decode<HalfAttributes>(words);
  TENFERRO_RETURN_IF_ERROR(CheckHalf(op, half, inputs[0], half.n));
  outputs.push_back({ComplexOf(inputs[0].dtype), inputs[0].shape});
  outputs[0].shape[static_cast<int>(half.axis)] = half.n / 2 + 1;
  return absl::OkStatus();
}

absl::Status InferHalfToReal(const OpDef& op, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const HalfAttributes half = Decode<HalfAttributes>(words);
  TENFERRO_RETURN_IF_ERROR(CheckHalf(op, half, inputs[0], half.n / 2 + 1));
  outputs.push_back({RealOf(inputs[0].dtype), inputs[0].shape});
  outputs[0].shape[static_cast<int>(half.axis)] = half.n;
  return absl::OkStatus();
}

}  // namespace

constexpr OpDef kTransform{.name = "fft.transform",
                           .infer = InferTransform,
                           .dtypes = kComplexSet,
                           .linear = 0b1,
                           .batch = BatchAllOperands,
                           .print = PrintAttributes<TransformAttributes>,
                           .slots = &fft_slots};
constexpr OpDef kRealToHalf{.name = "fft.real_to_half",
                            .infer = InferRealToHalf,
                            .dtypes = kFloatSet,
                            .linear = 0b1,
                            .batch = BatchAllOperands,
                            .print = PrintAttributes<HalfAttributes>,
                            .slots = &fft_slots};
constexpr OpDef kHalfToReal{.name = "fft.half_to_real",
                            .infer = InferHalfToReal,
                            .dtypes = kComplexSet,
                            .linear = 0b1,
                            .batch = BatchAllOperands,
                            .print = PrintAttributes<HalfAttributes>,
                            .slots = &fft_slots};

Var Transform(const Arg& x, const TransformAttributes& attributes) {
  return EmitOne(kTransform, Encode(attributes), {x.Tensor(kTransform.name)}, x.location());
}
Var RealToHalf(const Arg& x, const HalfAttributes& attributes) {
  return EmitOne(kRealToHalf, Encode(attributes), {x.Tensor(kRealToHalf.name)}, x.location());
}
Var HalfToReal(const Arg& y, const HalfAttributes& attributes) {
  return EmitOne(kHalfToReal, Encode(attributes), {y.Tensor(kHalfToReal.name)}, y.location());
}

}  // namespace tenferro::fft
