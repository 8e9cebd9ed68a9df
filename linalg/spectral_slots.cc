#include "tenferro/linalg/spectral_slots.h"

namespace tenferro::linalg {

constinit FamilySlots spectral_slots{
    .family = "spectral", .cpu_target = "//linalg:cpu", .derivative_target = "//linalg:autodiff"};

namespace spectral_internal {

absl::Status CheckSquare(const ValueType& a) {
  if (!IsFloatOrComplex(a.dtype)) return Invalid("does not take ", Name(a.dtype));
  if (a.shape.rank() < 2 || a.shape[0] != a.shape[1]) {
    return Invalid("needs a square matrix [n, n, batch…], got ", a.ToString());
  }
  return absl::OkStatus();
}

absl::Status InferAlike(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(CheckSquare(inputs[0]));
  for (const ValueType& input : inputs) {
    if (input != inputs[0]) {
      return Invalid("needs matrices of one type, got ", inputs[0].ToString(), " and ", input.ToString());
    }
  }
  outputs.push_back(inputs[0]);
  return absl::OkStatus();
}

Shape VectorShape(const ValueType& a) {
  Shape shape{a.shape[0]};
  for (int i = 2; i < a.shape.rank(); ++i) shape.push_back(a.shape[i]);
  return shape;
}

}  // namespace spectral_internal
}  // namespace tenferro::linalg
