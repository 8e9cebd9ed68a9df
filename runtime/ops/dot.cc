#include "tenferro/runtime/ops/dot.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/slots.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"

namespace tenferro {

constinit FamilySlots dot_slots{.family = "dot", .cpu_target = "//cpu/kernels:dot", .derivative_target = nullptr};

namespace {

Ints Joined(const Ints& a, const Ints& b) {
  Ints all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

// Axes of an operand that are neither batch nor contracted.
Ints FreeAxes(const Ints& batch, const Ints& contract, int rank) { return OtherAxes(Joined(batch, contract), rank); }

absl::Status CheckPairs(const char* what, const Ints& lhs_axes, const Ints& rhs_axes, const ValueType& lhs,
                        const ValueType& rhs) {
  bool equal = lhs_axes.size() == rhs_axes.size();
  for (size_t i = 0; equal && i < lhs_axes.size(); ++i) equal = lhs.shape[lhs_axes[i]] == rhs.shape[rhs_axes[i]];
  if (equal) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(what, " dimensions differ, got lhs ", lhs.ToString(), " and rhs ", rhs.ToString()));
}

absl::Status InferDotGeneral(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const DotGeneralAttributes axes = Decode<DotGeneralAttributes>(words);
  const ValueType& lhs = inputs[0];
  const ValueType& rhs = inputs[1];
  if (lhs.dtype != rhs.dtype) {
    return absl::InvalidArgumentError(
        absl::StrCat("dtypes differ, got lhs ", lhs.ToString(), " and rhs ", rhs.ToString()));
  }
  TENFERRO_RETURN_IF_ERROR(CheckAxes("lhs axis", Joined(axes.lhs_batch, axes.lhs_contract), lhs.shape.rank()));
  TENFERRO_RETURN_IF_ERROR(CheckAxes("rhs axis", Joined(axes.rhs_batch, axes.rhs_contract), rhs.shape.rank()));
  TENFERRO_RETURN_IF_ERROR(CheckPairs("contracting", axes.lhs_contract, axes.rhs_contract, lhs, rhs));
  TENFERRO_RETURN_IF_ERROR(CheckPairs("batch", axes.lhs_batch, axes.rhs_batch, lhs, rhs));
  Shape shape;
  for (int64_t axis : axes.lhs_batch) shape.push_back(lhs.shape[axis]);
  for (int64_t axis : FreeAxes(axes.lhs_batch, axes.lhs_contract, lhs.shape.rank())) shape.push_back(lhs.shape[axis]);
  for (int64_t axis : FreeAxes(axes.rhs_batch, axes.rhs_contract, rhs.shape.rank())) shape.push_back(rhs.shape[axis]);
  outputs.push_back({lhs.dtype, shape});
  return absl::OkStatus();
}

// The cotangent of one operand: the result's cotangent contracted with the other operand over the other's free axes.
// What comes out has the axes (batch, this operand's free ones, the contracted ones in the other operand's order) and
// is put in place.
Var CotangentOf(const Var& ct, const Var& other, int rank, const Ints& batch, const Ints& contract,
                const Ints& other_batch, const Ints& other_contract, bool is_lhs) {
  const int batches = static_cast<int>(batch.size());
  const Ints free = FreeAxes(batch, contract, rank);
  const Ints other_free = FreeAxes(other_batch, other_contract, other.rank());
  const int first_other = batches + (is_lhs ? static_cast<int>(free.size()) : 0);
  Ints ct_contract;
  for (size_t i = 0; i < other_free.size(); ++i) ct_contract.push_back(first_other + static_cast<int>(i));
  const Var product = DotGeneral(ct, Conj(other),
                                 {.lhs_contract = ct_contract,
                                  .rhs_contract = other_free,
                                  .lhs_batch = FirstAxes(batches),
                                  .rhs_batch = other_batch});
  // place[i]: which axis of this operand axis i of the product is.
  Ints place = Joined(batch, free);
  Ints sorted = other_contract;
  std::sort(sorted.begin(), sorted.end());
  for (int64_t axis : sorted) {
    for (size_t i = 0; i < other_contract.size(); ++i) {
      if (other_contract[i] == axis) place.push_back(contract[i]);
    }
  }
  return Transpose(product, InversePermutation(place));
}

void TransposeDot(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                  absl::Span<Var> input_cotangents) {
  const DotGeneralAttributes axes = Decode<DotGeneralAttributes>(node.attributes);
  const Var& lhs = node.inputs[0];
  const Var& rhs = node.inputs[1];
  if (HasOperand(wanted, 0)) {
    input_cotangents[0] = CotangentOf(cotangents[0], rhs, lhs.rank(), axes.lhs_batch, axes.lhs_contract, axes.rhs_batch,
                                      axes.rhs_contract, true);
  }
  if (HasOperand(wanted, 1)) {
    input_cotangents[1] = CotangentOf(cotangents[0], lhs, rhs.rank(), axes.rhs_batch, axes.rhs_contract, axes.lhs_batch,
                                      axes.lhs_contract, false);
  }
}

// Axis `axis` becomes the last.
Var MoveToEnd(const Var& x, int axis) {
  Ints order = OtherAxes({axis}, x.rank());
  order.push_back(axis);
  return Transpose(x, order);
}

// An axis that one operand has becomes the last of its free ones, one that both have the last of the batch axes.
void BatchDotGeneral(const NodeView& node, OperandSet batched, Dim, absl::Span<Var> outputs) {
  DotGeneralAttributes axes = Decode<DotGeneralAttributes>(node.attributes);
  const Var& lhs = node.inputs[0];
  const Var& rhs = node.inputs[1];
  if (batched == 0b11) {
    axes.lhs_batch.push_back(lhs.rank() - 1);
    axes.rhs_batch.push_back(rhs.rank() - 1);
    outputs[0] = MoveToEnd(DotGeneral(lhs, rhs, axes), static_cast<int>(axes.lhs_batch.size()) - 1);
    return;
  }
  const Var product = DotGeneral(lhs, rhs, axes);
  const int of_lhs = lhs.rank() - static_cast<int>(axes.lhs_contract.size());
  outputs[0] = HasOperand(batched, 0) ? MoveToEnd(product, of_lhs - 1) : product;
}

}  // namespace

constexpr OpDef kDotGeneral{.name = "dot_general",
                            .infer = InferDotGeneral,
                            .linear = 0b11,
                            .multilinear = true,
                            .transpose = TransposeDot,
                            .batch = BatchDotGeneral,
                            .print = PrintAttributes<DotGeneralAttributes>,
                            .slots = &dot_slots};

Var DotGeneral(const Arg& lhs, const Arg& rhs, const DotGeneralAttributes& axes) {
  LocationScope scope(lhs.location());
  const Var a = lhs.Tensor(kDotGeneral.name);
  const Var b = rhs.Tensor(kDotGeneral.name);
  if (!a.ok() || !b.ok()) return EmitOne(kDotGeneral, {}, {a, b}, lhs.location());
  const absl::StatusOr<DType> dtype = Promote(a.dtype(), b.dtype());
  if (!dtype.ok()) return ErrorVar(lhs.location(), kDotGeneral.name, dtype.status().message());
  return EmitOne(kDotGeneral, Encode(axes), {Convert(a, *dtype), Convert(b, *dtype)}, lhs.location());
}

Var Matmul(const Arg& a, const Arg& b) {
  LocationScope scope(a.location());
  const Var lhs = a.Tensor("matmul");
  const Var rhs = b.Tensor("matmul");
  if (!lhs.ok()) return lhs;
  if (!rhs.ok()) return rhs;
  const auto fail = [&](absl::string_view what) {
    return ErrorVar(a.location(), "matmul",
                    absl::StrCat(what, ", got lhs ", lhs.type().ToString(), " and rhs ", rhs.type().ToString()));
  };
  if (lhs.rank() < 2 || rhs.rank() < 2) return fail("needs matrices");
  if (lhs.shape()[1] != rhs.shape()[0]) return fail("contracting dimensions differ");
  DotGeneralAttributes axes{.lhs_contract = {1}, .rhs_contract = {0}, .lhs_batch = {}, .rhs_batch = {}};
  bool batches_agree = lhs.rank() == rhs.rank();
  for (int i = 2; batches_agree && i < lhs.rank(); ++i) {
    batches_agree = lhs.shape()[i] == rhs.shape()[i];
    axes.lhs_batch.push_back(i);
    axes.rhs_batch.push_back(i);
  }
  if (!batches_agree) return fail("batch axes differ");
  const Var product = DotGeneral(lhs, rhs, axes);
  const int batches = lhs.rank() - 2;
  Ints order{batches, batches + 1};
  for (int i = 0; i < batches; ++i) order.push_back(i);
  return batches == 0 ? product : Transpose(product, order);
}

}  // namespace tenferro
