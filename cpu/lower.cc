#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "tenferro/cpu/cost.h"
#include "tenferro/cpu/iota.h"
#include "tenferro/cpu/plan.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/tensor/status.h"

namespace tenferro {
namespace {

// Says where to find the kernels.
absl::Status NoKernel(const Node& node) {
  const FamilySlots* slots = node.op->slots;
  if (slots == nullptr || slots->cpu_target == nullptr || slots->cpu != nullptr) {
    return AtNode(node, absl::UnimplementedError("has no CPU kernel"));
  }
  return AtNode(node, absl::FailedPreconditionError(
                          absl::StrCat("has no CPU kernel here: add \"", slots->cpu_target, "\" to deps")));
}

class Lowering {
 public:
  Lowering(const Program& program, Isa isa, EvaluateOp evaluate)
      : plan_(program, isa), nodes_(plan_.program.nodes()), evaluate_(evaluate) {}

  absl::StatusOr<Plan> Run() &&;

 private:
  absl::Status LowerNode(const Node& node);
  absl::Status LowerSource(const Node& node);
  void LowerBarrier(const Node& node);
  absl::Status LowerElementwise(const Node& node, const CpuFamily& family);
  // The number of consecutive elements that go into each result when the reduction may end a loop; else 0.
  int64_t LineOfReduction(const Node& node) const;
  absl::Status LowerReduce(const Node& node, const ReduceRow* row, int64_t line);
  // False when the family has no kernel for the node.
  absl::StatusOr<bool> LowerKernel(const Node& node, const CpuFamily& family);
  // True when the node's result is a view of its operand.
  absl::StatusOr<bool> LowerView(const Node& node, const CpuFamily& family);
  // True when the node's operands were all constants, and its results are now.
  absl::StatusOr<bool> Fold(const Node& node);
  void LowerOutput(int index, ValueId value);

  bool IsConstant(PlanValueId value) const {
    return plan_.buffers[plan_.values[value].buffer].kind == Buffer::Kind::kConstant;
  }
  Tensor ConstantTensor(PlanValueId value, bool one_element) const;
  BufferId NewBuffer(Buffer::Kind kind, DType dtype, int64_t size, int32_t index, ItemId producer);
  BufferId NewConstant(Tensor tensor);
  void SetValue(PlanValueId value, BufferId buffer, Layout layout);
  void SetDense(PlanValueId value, BufferId buffer) {
    SetValue(value, buffer, DenseLayout(plan_.values[value].type->shape));
  }
  // A value with the same elements in consecutive order.
  absl::StatusOr<PlanValueId> Dense(PlanValueId value);
  // The value itself where a loop can gather its elements on the way, else a dense copy.
  absl::StatusOr<PlanValueId> LoopOperand(PlanValueId value);
  Layout OutputLayout(const Node& node) const;
  Item& NewItem(Item::Kind kind, const Node* node);

  Plan plan_;
  const NodeTable& nodes_;
  EvaluateOp evaluate_;
  std::vector<const Node*> only_consumer_;  // null: none or several
};

BufferId Lowering::NewBuffer(Buffer::Kind kind, DType dtype, int64_t size, int32_t index, ItemId producer) {
  plan_.buffers.push_back({.kind = kind, .dtype = dtype, .index = index, .size = size, .producer = producer});
  return static_cast<BufferId>(plan_.buffers.size()) - 1;
}

BufferId Lowering::NewConstant(Tensor tensor) {
  int64_t size = tensor.storage()->bytes() / SizeOf(tensor.dtype());
  const BufferId buffer =
      NewBuffer(Buffer::Kind::kConstant, tensor.dtype(), size, static_cast<int32_t>(plan_.constants.size()), kNone);
  plan_.constants.push_back(std::move(tensor));
  return buffer;
}

void Lowering::SetValue(PlanValueId id, BufferId buffer, Layout layout) {
  PlanValue& value = plan_.values[id];
  const Walk walk = WalkOf(value.type->shape, layout);
  value.buffer = buffer;
  value.access = walk.is_dense()
                     ? (layout.offset == 0 && walk.size == plan_.buffers[buffer].size ? Access::kWhole : Access::kDense)
                 : walk.is_splat() ? Access::kSplat
                                   : Access::kStrided;
  value.layout = std::move(layout);
}

Item& Lowering::NewItem(Item::Kind kind, const Node* node) {
  plan_.items.emplace_back();
  Item& item = plan_.items.back();
  item.kind = kind;
  item.node = node;
  return item;
}

Tensor Lowering::ConstantTensor(PlanValueId id, bool one_element) const {
  const PlanValue& value = plan_.values[id];
  const Tensor& stored = plan_.constants[plan_.buffers[value.buffer].index];
  absl::StatusOr<Tensor> tensor =
      one_element ? Tensor::FromStorage(stored.storage(), value.type->dtype, Shape(), {}, value.layout.offset)
                  : Tensor::FromStorage(stored.storage(), value.type->dtype, value.type->shape, value.layout.strides,
                                        value.layout.offset);
  return tensor.ok() ? *std::move(tensor) : Tensor();
}

absl::StatusOr<PlanValueId> Lowering::Dense(PlanValueId id) {
  if (plan_.values[id].is_dense()) return id;
  if (plan_.values[id].dense_copy != static_cast<PlanValueId>(kNone)) return plan_.values[id].dense_copy;
  const PlanValueId copy = static_cast<PlanValueId>(plan_.values.size());
  plan_.values[id].dense_copy = copy;
  const ValueType& type = *plan_.values[id].type;
  plan_.values.emplace_back();
  plan_.values.back().type = &type;
  plan_.values.back().after = plan_.values[id].after;
  if (IsConstant(id) && type.shape.size() * SizeOf(type.dtype) <= kFoldedBytes) {
    TENFERRO_ASSIGN_OR_RETURN(Tensor dense, ConstantTensor(id, false).Dense());
    SetDense(copy, NewConstant(std::move(dense)));
    return copy;
  }
  const BufferId buffer =
      NewBuffer(Buffer::Kind::kTemporary, type.dtype, type.shape.size(), 0, static_cast<ItemId>(plan_.items.size()));
  Item& item = NewItem(Item::Kind::kCopy, nullptr);
  item.operands = {id};
  item.outputs = {buffer};
  SetDense(copy, buffer);
  return copy;
}

absl::StatusOr<PlanValueId> Lowering::LoopOperand(PlanValueId id) {
  const PlanValue& value = plan_.values[id];
  if (value.access == Access::kStrided &&
      !IsCheapToGather(WalkOf(value.type->shape, value.layout), SizeOf(value.type->dtype))) {
    return Dense(id);
  }
  return id;
}

absl::Status Lowering::LowerSource(const Node& node) {
  const ValueId id = node.first_output;
  const ValueType& type = nodes_.type(id);
  const WordSpan words = nodes_.attributes(node);
  if (node.op == &kInput) return absl::OkStatus();
  if (node.op == &kConstant) {
    const Tensor& tensor = plan_.program.constant(words[0]);
    if (absl::Status host = tensor.HostData().status(); !host.ok()) return AtNode(node, host);
    const Layout layout{tensor.offset(), Ints(tensor.strides().begin(), tensor.strides().end())};
    SetValue(id, NewConstant(tensor), layout);
    return absl::OkStatus();
  }
  if (node.op == &kFull) {
    TENFERRO_ASSIGN_OR_RETURN(Tensor one, Tensor::Uninitialized(type.dtype, Shape()));
    const FullAttributes attributes = Decode<FullAttributes>(words);
    const int64_t bytes[2] = {attributes.low, attributes.high};
    std::memcpy(one.storage()->data(), bytes, SizeOf(type.dtype));
    SetValue(id, NewConstant(std::move(one)), {0, Ints(type.shape.rank(), 0)});
    return absl::OkStatus();
  }
  if (node.op == &kIota) {
    // One axis counts, the others repeat it.
    const int64_t axis = Decode<IotaAttributes>(words).axis;
    const int64_t size = type.shape.size() == 0 ? 0 : type.shape.extent(axis);
    BufferId buffer;
    if (size * SizeOf(type.dtype) <= kFoldedBytes) {
      TENFERRO_ASSIGN_OR_RETURN(Tensor numbers, Tensor::Uninitialized(type.dtype, {size}));
      FillIota(type.dtype, size, numbers.storage()->data());
      buffer = NewConstant(std::move(numbers));
    } else {
      buffer = NewBuffer(Buffer::Kind::kTemporary, type.dtype, size, 0, static_cast<ItemId>(plan_.items.size()));
      NewItem(Item::Kind::kIota, &node).outputs = {buffer};
    }
    Layout layout{0, Ints(type.shape.rank(), 0)};
    layout.strides[axis] = 1;
    SetValue(id, buffer, std::move(layout));
    return absl::OkStatus();
  }
  return NoKernel(node);
}

absl::StatusOr<bool> Lowering::Fold(const Node& node) {
  const absl::Span<const ValueId> inputs = nodes_.inputs(node);
  if (inputs.empty()) return false;
  bool splat = node.op->kind == OpKind::kElementwise;
  int64_t input_bytes = 0;
  for (ValueId input : inputs) {
    if (!IsConstant(input)) return false;
    const PlanValue& value = plan_.values[input];
    splat = splat && (value.access == Access::kSplat || value.type->shape.size() == 1);
    input_bytes += plan_.buffers[value.buffer].bytes();
  }
  int64_t output_bytes = 0;
  for (uint32_t i = 0; i < node.num_outputs; ++i) {
    const ValueType& type = nodes_.type(node.first_output + i);
    output_bytes += (splat ? 1 : type.shape.size()) * SizeOf(type.dtype);
  }
  if (output_bytes > std::max(kFoldedBytes, input_bytes)) return false;

  std::vector<Tensor> operands;
  for (ValueId input : inputs) operands.push_back(ConstantTensor(input, splat));
  absl::StatusOr<std::vector<Tensor>> results = evaluate_(*node.op, nodes_.attributes(node), operands);
  if (!results.ok()) return AtNode(node, results.status());
  for (uint32_t i = 0; i < node.num_outputs; ++i) {
    const ValueId id = node.first_output + i;
    Tensor& result = (*results)[i];
    Layout layout{result.offset(), Ints(result.strides().begin(), result.strides().end())};
    if (splat) layout.strides = Ints(nodes_.type(id).shape.rank(), 0);
    SetValue(id, NewConstant(std::move(result)), std::move(layout));
  }
  return true;
}

absl::StatusOr<bool> Lowering::LowerView(const Node& node, const CpuFamily& family) {
  if (family.view == nullptr || nodes_.inputs(node).size() != 1 || node.num_outputs != 1) return false;
  PlanValueId input = nodes_.inputs(node)[0];
  const ValueType& type = nodes_.type(node.first_output);
  const WordSpan words = nodes_.attributes(node);
  Layout layout;
  if (!family.view(*node.op, words, *plan_.values[input].type, plan_.values[input].layout, type, &layout)) {
    // An operation that views no dense operand either is of another kind.
    const Layout dense = DenseLayout(plan_.values[input].type->shape);
    if (!family.view(*node.op, words, *plan_.values[input].type, dense, type, &layout)) return false;
    TENFERRO_ASSIGN_OR_RETURN(input, Dense(input));
    family.view(*node.op, words, *plan_.values[input].type, plan_.values[input].layout, type, &layout);
  }
  SetValue(node.first_output, plan_.values[input].buffer, std::move(layout));
  plan_.values[node.first_output].after = plan_.values[input].after;
  return true;
}

// The same buffers under new names, to be read after the latest of the further operands.
void Lowering::LowerBarrier(const Node& node) {
  const absl::Span<const ValueId> inputs = nodes_.inputs(node);
  BufferId latest = kNone;
  const auto producer = [&](BufferId buffer) { return buffer == kNone ? kNone : plan_.buffers[buffer].producer; };
  for (ValueId input : inputs.subspan(node.num_outputs)) {
    const BufferId buffer = plan_.values[input].buffer;
    if (producer(buffer) > producer(latest)) latest = buffer;
  }
  for (uint32_t i = 0; i < node.num_outputs; ++i) {
    const PlanValue& input = plan_.values[inputs[i]];
    SetValue(node.first_output + i, input.buffer, input.layout);
    plan_.values[node.first_output + i].after = producer(latest) == kNone ? input.after : latest;
  }
}

absl::Status Lowering::LowerElementwise(const Node& node, const CpuFamily& family) {
  const absl::Span<const ValueId> inputs = nodes_.inputs(node);
  const ValueType& type = nodes_.type(node.first_output);
  const DType from = nodes_.type(inputs[inputs.size() == 3 ? 1 : 0]).dtype;
  const TileFn tile = family.tile == nullptr ? nullptr
                                             : family.tile(plan_.isa, node.op, static_cast<uint8_t>(from),
                                                           static_cast<uint8_t>(type.dtype));
  if (tile == nullptr || inputs.size() > 3) {
    return AtNode(
        node, absl::UnimplementedError(absl::StrCat("has no CPU kernel for ", Name(from), " to ", Name(type.dtype))));
  }
  absl::InlinedVector<PlanValueId, 3> operands;
  for (ValueId input : inputs) {
    TENFERRO_ASSIGN_OR_RETURN(const PlanValueId operand, LoopOperand(input));
    operands.push_back(operand);
  }
  const ItemId id = static_cast<ItemId>(plan_.items.size());
  const BufferId buffer = NewBuffer(Buffer::Kind::kTemporary, type.dtype, type.shape.size(), 0, id);
  Item& item = NewItem(Item::Kind::kElementwise, &node);
  item.operands = std::move(operands);
  item.outputs = {buffer};
  item.size = type.shape.size();
  item.tile = tile;
  SetDense(node.first_output, buffer);
  return absl::OkStatus();
}

int64_t Lowering::LineOfReduction(const Node& node) const {
  const ValueType& type = nodes_.type(node.first_output);
  const PlanValue& operand = plan_.values[nodes_.inputs(node)[0]];
  const int64_t size = operand.type->shape.size();
  if (type.shape.size() == 1) return size;
  // Over the leading axes, of what a loop makes: as the family's kernel does it, line by line.
  const ItemId producer = plan_.buffers[operand.buffer].producer;
  if (size == 0 || operand.access != Access::kWhole || producer == kNone ||
      plan_.items[producer].kind != Item::Kind::kElementwise) {
    return 0;
  }
  const WordSpan axes = nodes_.attributes(node).subspan(1);  // after their number
  int64_t line = 1;
  bool kept_seen = false;
  for (int axis = 0; axis < operand.type->shape.rank(); ++axis) {
    const int64_t extent = operand.type->shape.extent(axis);
    if (std::find(axes.begin(), axes.end(), axis) == axes.end()) {
      kept_seen = kept_seen || extent != 1;
    } else if (extent != 1) {
      if (kept_seen) return 0;
      line *= extent;
    }
  }
  return line > kShortReduction ? line : 0;
}

absl::Status Lowering::LowerReduce(const Node& node, const ReduceRow* row, int64_t line) {
  const ValueType& type = nodes_.type(node.first_output);
  TENFERRO_ASSIGN_OR_RETURN(const PlanValueId operand, LoopOperand(nodes_.inputs(node)[0]));
  const BufferId buffer =
      NewBuffer(Buffer::Kind::kTemporary, type.dtype, type.shape.size(), 0, static_cast<ItemId>(plan_.items.size()));
  Item& item = NewItem(Item::Kind::kReduce, &node);
  item.operands = {operand};
  item.outputs = {buffer};
  item.size = plan_.values[operand].type->shape.size();
  item.line = line;
  item.reduce = row;
  SetDense(node.first_output, buffer);
  return absl::OkStatus();
}

// Dense, or what makes a transposition of the result, if that is its only use, dense.
Layout Lowering::OutputLayout(const Node& node) const {
  const Shape& shape = nodes_.type(node.first_output).shape;
  Layout layout = DenseLayout(shape);
  const Node* consumer = only_consumer_[node.first_output];
  if (consumer == nullptr || consumer->op->slots == nullptr || consumer->op->slots->cpu == nullptr) return layout;
  const CpuFamily& family = *consumer->op->slots->cpu;
  const ValueType& result = nodes_.type(consumer->first_output);
  if (family.view == nullptr || result.shape.rank() != shape.rank()) return layout;

  // Strides that say which axis they came from.
  Layout axes{0, Ints(shape.rank())};
  for (int axis = 0; axis < shape.rank(); ++axis) axes.strides[axis] = axis + 1;
  Layout seen;
  if (!family.view(*consumer->op, nodes_.attributes(*consumer), nodes_.type(node.first_output), axes, result, &seen) ||
      seen.offset != 0) {
    return layout;
  }
  const Ints dense = result.shape.ColMajorStrides();
  Ints strides(shape.rank(), 0);
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const int64_t from = seen.strides[axis] - 1;
    if (from < 0 || from >= shape.rank() || strides[from] != 0 || shape.extent(from) != result.shape.extent(axis)) {
      return layout;
    }
    strides[from] = dense[axis];
  }
  layout.strides = std::move(strides);
  return layout;
}

absl::StatusOr<bool> Lowering::LowerKernel(const Node& node, const CpuFamily& family) {
  if (family.make == nullptr) return false;
  absl::InlinedVector<PlanValueId, 3> operands;
  absl::InlinedVector<ValueType, 3> input_types, output_types;
  absl::InlinedVector<Ints, 3> input_strides;
  for (ValueId input : nodes_.inputs(node)) {
    TENFERRO_ASSIGN_OR_RETURN(const PlanValueId operand, family.strided_operands ? PlanValueId{input} : Dense(input));
    operands.push_back(operand);
    input_types.push_back(nodes_.type(input));
    input_strides.push_back(plan_.values[operand].layout.strides);
  }
  for (uint32_t i = 0; i < node.num_outputs; ++i) output_types.push_back(nodes_.type(node.first_output + i));
  KernelRequest request{.op = *node.op,
                        .attributes = nodes_.attributes(node),
                        .inputs = input_types,
                        .outputs = output_types,
                        .isa = plan_.isa};
  if (family.strided_operands) request.input_strides = input_strides;
  const Layout output_layout = family.strided_result ? OutputLayout(node) : DenseLayout(output_types[0].shape);
  if (family.strided_result) request.output_strides = output_layout.strides;
  absl::StatusOr<std::unique_ptr<Kernel>> kernel = family.make(request);
  if (!kernel.ok()) return AtNode(node, kernel.status());
  if (*kernel == nullptr) return false;

  const ItemId id = static_cast<ItemId>(plan_.items.size());
  Item& item = NewItem(Item::Kind::kKernel, &node);
  item.operands = std::move(operands);
  item.kernel = *std::move(kernel);
  for (uint32_t i = 0; i < node.num_outputs; ++i) {
    const ValueType& type = output_types[i];
    item.outputs.push_back(NewBuffer(Buffer::Kind::kTemporary, type.dtype, type.shape.size(), 0, id));
    SetValue(node.first_output + i, item.outputs[i], i == 0 ? output_layout : DenseLayout(type.shape));
  }
  return true;
}

absl::Status Lowering::LowerNode(const Node& node) {
  if (node.op->kind == OpKind::kSource) return LowerSource(node);
  if (node.op->kind == OpKind::kBarrier) {
    LowerBarrier(node);
    return absl::OkStatus();
  }
  const FamilySlots* const slots = node.op->slots;
  if (slots == nullptr || (slots->cpu == nullptr && slots->cpu_first == nullptr)) return NoKernel(node);
  if (slots->filled_twice) {
    return absl::FailedPreconditionError(
        absl::StrCat("two targets bring kernels or rules of the family ", slots->family, ": link only one"));
  }
  const CpuFamily& family = slots->cpu == nullptr ? *slots->cpu_first : *slots->cpu;
  TENFERRO_ASSIGN_OR_RETURN(const bool is_view, LowerView(node, family));
  if (is_view) return absl::OkStatus();
  TENFERRO_ASSIGN_OR_RETURN(const bool folded, Fold(node));
  if (folded) return absl::OkStatus();
  if (slots->cpu_first != nullptr) {
    TENFERRO_ASSIGN_OR_RETURN(const bool lowered, LowerKernel(node, *slots->cpu_first));
    if (lowered) return absl::OkStatus();
    if (slots->cpu == nullptr) return NoKernel(node);
  }
  if (node.op->kind == OpKind::kElementwise) return LowerElementwise(node, family);
  if (family.reduce != nullptr) {
    const ReduceRow* row =
        family.reduce(plan_.isa, node.op, static_cast<uint8_t>(nodes_.type(node.first_output).dtype));
    const bool is_full = nodes_.type(node.first_output).shape.size() == 1;
    const int64_t line = row == nullptr ? 0 : LineOfReduction(node);
    if (row != nullptr && (is_full || line > 0)) return LowerReduce(node, row, line);
  }
  TENFERRO_ASSIGN_OR_RETURN(const bool lowered, LowerKernel(node, family));
  return lowered ? absl::OkStatus() : NoKernel(node);
}

void Lowering::LowerOutput(int index, ValueId id) {
  const PlanValue& value = plan_.values[id];
  Buffer& own = plan_.buffers[value.buffer];
  if (value.access == Access::kWhole && own.kind == Buffer::Kind::kTemporary) {
    own.kind = Buffer::Kind::kOutput;
    own.index = index;
    plan_.outputs.push_back(value.buffer);
    return;
  }
  const BufferId buffer = NewBuffer(Buffer::Kind::kOutput, value.type->dtype, value.type->shape.size(), index,
                                    static_cast<ItemId>(plan_.items.size()));
  Item& item = NewItem(Item::Kind::kCopy, nullptr);
  item.operands = {id};
  item.outputs = {buffer};
  plan_.outputs.push_back(buffer);
}

absl::StatusOr<Plan> Lowering::Run() && {
  plan_.values.resize(nodes_.num_values());
  for (size_t i = 0; i < plan_.values.size(); ++i) plan_.values[i].type = &nodes_.type(static_cast<ValueId>(i));
  std::vector<uint32_t> uses(nodes_.num_values(), 0);
  only_consumer_.resize(nodes_.num_values(), nullptr);
  for (const Node& node : nodes_.nodes()) {
    for (ValueId input : nodes_.inputs(node)) only_consumer_[input] = ++uses[input] == 1 ? &node : nullptr;
  }
  for (ValueId output : plan_.program.outputs()) only_consumer_[output] = nullptr;

  for (size_t i = 0; i < plan_.program.inputs().size(); ++i) {
    const ValueId id = plan_.program.inputs()[i];
    const ValueType& type = nodes_.type(id);
    SetDense(id, NewBuffer(Buffer::Kind::kInput, type.dtype, type.shape.size(), static_cast<int32_t>(i), kNone));
  }
  for (const Node& node : nodes_.nodes()) TENFERRO_RETURN_IF_ERROR(LowerNode(node));
  for (size_t i = 0; i < plan_.program.outputs().size(); ++i) {
    LowerOutput(static_cast<int>(i), plan_.program.outputs()[i]);
  }
  return std::move(plan_);
}

}  // namespace

absl::Status AtNode(const Node& node, const absl::Status& status) {
  if (node.location.line() == 0) return status;
  return absl::Status(status.code(),
                      absl::StrCat(ToString(node.location), ": ", node.op->name, ": ", status.message()));
}

absl::StatusOr<Plan> LowerProgram(const Program& program, Isa isa, EvaluateOp evaluate) {
  return Lowering(program, isa, evaluate).Run();
}

}  // namespace tenferro
