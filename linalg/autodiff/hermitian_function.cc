#include "tenferro/linalg/hermitian_function.h"

#include "absl/strings/str_cat.h"
#include "tenferro/linalg/autodiff/spectral_rules.h"
#include "tenferro/linalg/eigh.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/runtime/ops/emit.h"

namespace tenferro::linalg::spectral_internal {
namespace {

const ScalarFunction& FunctionOf(const NodeView& node) {
  return Decode<HermitianFunctionAttributes>(node.attributes).get();
}

}  // namespace

void JvpHermitianFunction(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents) {
  output_tangents[0] =
      HermitianFunctionDerivative(FunctionOf(node), node.inputs[0], HermitianFromLower(tangents[0]));
}

// The derivative is its own transpose.
void VjpHermitianFunction(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                          absl::Span<Var> input_cotangents) {
  input_cotangents[0] = LowerFromHermitian(
      HermitianFunctionDerivative(FunctionOf(node), node.inputs[0], HermitianPart(cotangents[0])));
}

void JvpHermitianFunctionDerivative(const NodeView& node, absl::Span<const Var> tangents,
                                    absl::Span<Var> output_tangents) {
  const ScalarFunction& f = FunctionOf(node);
  const Var &a = node.inputs[0], &e = node.inputs[1];
  Var moved;
  if (!tangents[0].empty()) {
    moved = f.second != nullptr
                ? HermitianFunctionSecond(f, a, e, HermitianFromLower(tangents[0]))
                : ErrorVar(Location::current(), node.op.name,
                           absl::StrCat("the function ", f.name, " has no second derivative"));
  }
  if (!tangents[1].empty()) moved = SumOrOther(moved, HermitianFunctionDerivative(f, a, tangents[1]));
  output_tangents[0] = moved;
}

void TransposeHermitianFunctionDerivative(const NodeView& node, absl::Span<const Var> cotangents, OperandSet,
                                          absl::Span<Var> input_cotangents) {
  input_cotangents[1] = HermitianFunctionDerivative(FunctionOf(node), node.inputs[0], cotangents[0]);
}

void JvpHermitianFunctionSecond(const NodeView& node, absl::Span<const Var> tangents,
                                absl::Span<Var> output_tangents) {
  const ScalarFunction& f = FunctionOf(node);
  const Var &a = node.inputs[0], &e1 = node.inputs[1], &e2 = node.inputs[2];
  Var moved;
  if (!tangents[0].empty()) {
    moved = ErrorVar(Location::current(), node.op.name, "has no third derivative");
  }
  if (!tangents[1].empty()) moved = SumOrOther(moved, HermitianFunctionSecond(f, a, tangents[1], e2));
  if (!tangents[2].empty()) moved = SumOrOther(moved, HermitianFunctionSecond(f, a, e1, tangents[2]));
  output_tangents[0] = moved;
}

void TransposeHermitianFunctionSecond(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                                      absl::Span<Var> input_cotangents) {
  const ScalarFunction& f = FunctionOf(node);
  for (int operand : {1, 2}) {
    if (!HasOperand(wanted, operand)) continue;
    input_cotangents[operand] =
        HermitianFunctionSecond(f, node.inputs[0], cotangents[0], Adjoint(node.inputs[3 - operand]));
  }
}

}  // namespace tenferro::linalg::spectral_internal
