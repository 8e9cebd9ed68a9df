#include "tenferro/runtime/ops/elementwise_rules.h"

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/emit.h"

namespace tenferro::elementwise_internal {

absl::Status CheckOperands(const OpDef& op, absl::Span<const ValueType> inputs) {
  const DType dtype = inputs.back().dtype;
  if (!Contains(op.dtypes, dtype)) return absl::InvalidArgumentError(absl::StrCat("does not take ", Name(dtype)));
  for (const ValueType& input : inputs) {
    if (input.shape != inputs[0].shape) {
      return absl::InvalidArgumentError(
          absl::StrCat("operands have different shapes, got ", inputs[0].ToString(), " and ", input.ToString()));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckSameDTypes(absl::Span<const ValueType> inputs) {
  if (inputs[inputs.size() - 1].dtype == inputs[inputs.size() - 2].dtype) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("operands have different dtypes, got ",
                                                 inputs[inputs.size() - 2].ToString(), " and ",
                                                 inputs[inputs.size() - 1].ToString()));
}

void BatchElementwise(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs) {
  BatchAllOperands(node, batched, size, outputs);
}

}  // namespace tenferro::elementwise_internal
