#include "tenferro/fft/records.h"
#include "tenferro/fft/slots.h"
#include "tenferro/runtime/derivative.h"

namespace tenferro::fft {
namespace {

// The matrix scale·e^(−2πi·jk/n) is symmetric, so its adjoint is its conjugate.
void TransposeTransform(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                        absl::Span<Var> input_cotangents) {
  TransformAttributes transform = Decode<TransformAttributes>(node.attributes);
  transform.inverse = !transform.inverse;
  input_cotangents[0] = Transform(cotangents[0], transform);
}

// Re Σ_k conj(ȳ_k) g_k Σ_j x_j e^(−2πi·jk/n) = Σ_j x_j Re Σ_k g_k ȳ_k e^(2πi·jk/n).
void TransposeRealToHalf(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                         absl::Span<Var> input_cotangents) {
  input_cotangents[0] = HalfToReal(cotangents[0], Decode<HalfAttributes>(node.attributes));
}
void TransposeHalfToReal(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                         absl::Span<Var> input_cotangents) {
  input_cotangents[0] = RealToHalf(cotangents[0], Decode<HalfAttributes>(node.attributes));
}

constexpr DerivativeRules kRules[] = {
    {&kTransform, nullptr, nullptr, TransposeTransform},
    {&kRealToHalf, nullptr, nullptr, TransposeRealToHalf},
    {&kHalfToReal, nullptr, nullptr, TransposeHalfToReal},
};
constexpr DerivativeFamily kFamily{kRules};
[[maybe_unused]] const bool filled = FillSlot(fft_slots, &FamilySlots::derivative, &kFamily);

}  // namespace
}  // namespace tenferro::fft
