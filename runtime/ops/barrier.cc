#include "tenferro/runtime/ops/barrier.h"

#include <algorithm>

#include "tenferro/runtime/ops/emit.h"

namespace tenferro {
namespace {

struct BarrierAttributes {
  int64_t passing = 0;
  void Fields(auto&& field) { field("passing", passing); }
};

absl::Status InferBarrier(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const int64_t passing = Decode<BarrierAttributes>(words).passing;
  for (const ValueType& input : inputs.first(passing)) outputs.push_back(input);
  return absl::OkStatus();
}

void JvpBarrier(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  std::copy_n(tangents.begin(), node.outputs.size(), output_tangents.begin());
}

void VjpBarrier(const NodeView&, absl::Span<const Var> cotangents, OperandSet, absl::Span<Var> input_cotangents) {
  std::copy(cotangents.begin(), cotangents.end(), input_cotangents.begin());
}

void BatchBarrier(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs) {
  Vars operands(node.inputs.begin(), node.inputs.end());
  for (size_t i = 0; i < outputs.size(); ++i) operands[i] = WithBatchAxis(operands[i], HasOperand(batched, i), size);
  const Vars results =
      Emit(node.op, node.attributes, operands, Location::current(), static_cast<int>(outputs.size()));
  std::copy(results.begin(), results.end(), outputs.begin());
}

}  // namespace

constexpr OpDef kBarrier{.name = "barrier",
                         .infer = InferBarrier,
                         .kind = OpKind::kBarrier,
                         .jvp = JvpBarrier,
                         .vjp = VjpBarrier,
                         .batch = BatchBarrier,
                         .print = PrintAttributes<BarrierAttributes>};

std::vector<Var> Barrier(absl::Span<const Var> values, absl::Span<const Var> after, Location location) {
  if (values.empty()) return {ErrorVar(location, kBarrier.name, "there is no value")};
  if (values[0].ok() && InnermostContext(values)->holds_numbers()) return {values.begin(), values.end()};
  Vars operands(values.begin(), values.end());
  operands.insert(operands.end(), after.begin(), after.end());
  const Vars results = Emit(kBarrier, Encode(BarrierAttributes{static_cast<int64_t>(values.size())}), operands,
                            location, static_cast<int>(values.size()));
  return std::vector<Var>(results.begin(), results.end());
}

}  // namespace tenferro
