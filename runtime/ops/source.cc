#include "tenferro/runtime/ops/source.h"

#include <cstring>

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/slots.h"

namespace tenferro {

constinit FamilySlots source_slots{
    .family = "source", .cpu_target = nullptr, .derivative_target = nullptr};

namespace {

// Inputs and constants are recorded by the graph, which knows their types.
absl::Status InferNothing(const OpDef&, WordSpan, absl::Span<const ValueType>, ValueTypes&) {
  return absl::InternalError("is made by the graph alone");
}

absl::Status InferFull(const OpDef&, WordSpan words, absl::Span<const ValueType>, ValueTypes& outputs) {
  const FullAttributes attributes = Decode<FullAttributes>(words);
  outputs.push_back({attributes.dtype, attributes.shape});
  return absl::OkStatus();
}

absl::Status InferIota(const OpDef& op, WordSpan words, absl::Span<const ValueType>, ValueTypes& outputs) {
  const IotaAttributes attributes = Decode<IotaAttributes>(words);
  if (!Contains(op.dtypes, attributes.dtype)) {
    return absl::InvalidArgumentError(absl::StrCat("does not take ", Name(attributes.dtype)));
  }
  if (attributes.axis < 0 || attributes.axis >= attributes.shape.rank()) {
    return absl::InvalidArgumentError(
        absl::StrCat("axis ", attributes.axis, " does not exist in shape ", attributes.shape.ToString()));
  }
  outputs.push_back({attributes.dtype, attributes.shape});
  return absl::OkStatus();
}

std::string PrintFull(WordSpan words) {
  const FullAttributes attributes = Decode<FullAttributes>(words);
  return Dispatch(attributes.dtype, [&]<class T>() -> std::string {
    T value;
    const int64_t bytes[2] = {attributes.low, attributes.high};
    std::memcpy(&value, bytes, sizeof value);
    if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
      return absl::StrCat("value=", value.real(), "+", value.imag(), "i");
    } else {
      return absl::StrCat("value=", value);
    }
  });
}

Var EmitSource(const OpDef& op, const Var& like, WordSpan attributes, const Location& location) {
  const Location here = LocationScope::Resolve(location);
  if (like.empty()) return ErrorVar(here, op.name, "an operand is an empty Var");
  if (!like.ok()) return like;
  return like.context()->Emit(op, attributes, {}, here)[0];
}

}  // namespace

constexpr OpDef kInput{.name = "input", .infer = InferNothing, .kind = OpKind::kSource, .slots = &source_slots};
constexpr OpDef kConstant{.name = "constant", .infer = InferNothing, .kind = OpKind::kSource, .slots = &source_slots};
constexpr OpDef kFull{
    .name = "full", .infer = InferFull, .kind = OpKind::kSource, .print = PrintFull, .slots = &source_slots};
constexpr OpDef kIota{.name = "iota",
                      .infer = InferIota,
                      .kind = OpKind::kSource,
                      .dtypes = kNumberSet,
                      .print = PrintAttributes<IotaAttributes>,
                      .slots = &source_slots};

Var Full(const Var& like, DType dtype, const Shape& shape, const WeakScalar& value, Location location) {
  int64_t words[2];
  if (absl::Status stored = value.Store(dtype, words); !stored.ok()) {
    return ErrorVar(location, kFull.name, stored.message());
  }
  return EmitSource(kFull, like, Encode(FullAttributes{dtype, shape, words[0], words[1]}), location);
}

Var FullLike(const Var& like, const WeakScalar& value, Location location) {
  return Full(like, like.dtype(), like.shape(), value, location);
}

Var ZerosLike(const Var& like, Location location) { return FullLike(like, false, location); }

Var OnesLike(const Var& like, Location location) { return FullLike(like, true, location); }

Var Iota(const Var& like, DType dtype, const Shape& shape, int axis, Location location) {
  return EmitSource(kIota, like, Encode(IotaAttributes{dtype, shape, axis}), location);
}

}  // namespace tenferro
