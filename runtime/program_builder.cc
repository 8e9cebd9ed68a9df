#include "tenferro/runtime/program_builder.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/source.h"

namespace tenferro {
namespace {

constexpr int64_t kSmallConstantBytes = 64;

// Which of the graph's nodes are needed: everything that leads from `outputs` back to `inputs` or to sources.
std::vector<bool> NeededNodes(const NodeTable& nodes, absl::Span<const ValueId> inputs,
                              absl::Span<const ValueId> outputs) {
  std::vector<bool> needed(nodes.num_nodes());
  std::vector<bool> is_input(nodes.num_nodes());
  for (ValueId input : inputs) is_input[nodes.producer(input)] = true;
  for (ValueId output : outputs) needed[nodes.producer(output)] = true;
  for (size_t i = nodes.num_nodes(); i-- > 0;) {
    if (!needed[i] || is_input[i]) continue;
    for (ValueId input : nodes.inputs(nodes.node(i))) needed[nodes.producer(input)] = true;
  }
  return needed;
}

}  // namespace

ProgramBuilder::ProgramBuilder() : data_(std::make_shared<GraphData>()), table_(64) {}

ValueId ProgramBuilder::Input(const ValueType& type, const Location& location) {
  const int64_t index = data_->nodes.num_values();
  return data_->nodes.Add(kInput, {index}, {}, {type}, location);
}

ValueId ProgramBuilder::Constant(const Tensor& value, const Location& location) {
  const ValueType type{value.dtype(), value.shape()};
  const absl::StatusOr<const void*> bytes = value.HostData();
  if (bytes.ok() && value.size() == 1) {
    FullAttributes full{value.dtype(), value.shape(), 0, 0};
    int64_t words[2] = {0, 0};
    std::memcpy(words, *bytes, SizeOf(value.dtype()));
    full.low = words[0];
    full.high = words[1];
    return EmitMerged(kFull, Encode(full), {}, {type}, location);
  }
  Words key = Encode(FullAttributes{value.dtype(), value.shape(), 0, 0});
  const int64_t size = value.size() * SizeOf(value.dtype());
  if (bytes.ok() && value.IsDense() && size <= kSmallConstantBytes) {
    Words content((size + 7) / 8, 0);
    if (size > 0) std::memcpy(content.data(), *bytes, size);
    key.insert(key.end(), content.begin(), content.end());
  } else {
    key.push_back(reinterpret_cast<intptr_t>(value.storage().get()));
    key.push_back(value.offset());
    key.insert(key.end(), value.strides().begin(), value.strides().end());
  }
  const auto [entry, is_new] = constants_.emplace(std::move(key), 0);
  if (is_new) {
    const int64_t index = data_->constants.size();
    data_->constants.push_back(value);
    entry->second = data_->nodes.Add(kConstant, {index}, {}, {type}, location);
  } else {
    ++statistics_.nodes_merged;
  }
  return entry->second;
}

size_t ProgramBuilder::Hash(const OpDef& op, WordSpan attributes, absl::Span<const ValueId> inputs) const {
  uint64_t hash = reinterpret_cast<uintptr_t>(&op);
  const auto mix = [&](uint64_t value) {
    hash = (hash ^ value) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
  };
  for (int64_t word : attributes) mix(word);
  for (ValueId input : inputs) mix(input);
  return hash;
}

void ProgramBuilder::Grow() {
  std::vector<uint32_t> old = std::move(table_);
  table_.assign(old.size() * 2, 0);
  for (uint32_t entry : old) {
    if (entry == 0) continue;
    const Node& node = data_->nodes.node(entry - 1);
    size_t slot = Hash(*node.op, data_->nodes.attributes(node), data_->nodes.inputs(node)) & (table_.size() - 1);
    while (table_[slot] != 0) slot = (slot + 1) & (table_.size() - 1);
    table_[slot] = entry;
  }
}

ValueId ProgramBuilder::EmitMerged(const OpDef& op, WordSpan attributes, absl::Span<const ValueId> inputs,
                                   absl::Span<const ValueType> types, const Location& location) {
  if ((entries_ + 1) * 2 > table_.size()) Grow();
  size_t slot = Hash(op, attributes, inputs) & (table_.size() - 1);
  for (; table_[slot] != 0; slot = (slot + 1) & (table_.size() - 1)) {
    const Node& node = data_->nodes.node(table_[slot] - 1);
    if (node.op == &op && data_->nodes.attributes(node) == attributes && data_->nodes.inputs(node) == inputs) {
      ++statistics_.nodes_merged;
      return node.first_output;
    }
  }
  const ValueId first = data_->nodes.Add(op, attributes, inputs, types, location);
  table_[slot] = static_cast<uint32_t>(data_->nodes.num_nodes());
  ++entries_;
  return first;
}

ValueId ProgramBuilder::Emit(const OpDef& op, WordSpan attributes, absl::Span<const ValueId> inputs,
                             const ValueType& type) {
  if (op.simplify != nullptr) {
    const ValueId simpler = op.simplify(*this, attributes, inputs, type);
    if (simpler != kNoValue) {
      ++statistics_.nodes_simplified;
      return simpler;
    }
  }
  return EmitMerged(op, attributes, inputs, {type}, location_);
}

absl::Status ProgramBuilder::Inline(const GraphData& graph, absl::Span<const ValueId> inputs,
                                    absl::Span<const ValueId> arguments, absl::Span<const ValueId> outputs,
                                    std::vector<ValueId>& results) {
  const NodeTable& nodes = graph.nodes;
  const std::vector<bool> needed = NeededNodes(nodes, inputs, outputs);
  std::vector<ValueId> mapped(nodes.num_values(), kNoValue);
  for (size_t i = 0; i < inputs.size(); ++i) mapped[inputs[i]] = arguments[i];
  for (size_t i = 0; i < nodes.num_nodes(); ++i) {
    const Node& node = nodes.node(i);
    if (!needed[i] || (node.num_outputs > 0 && mapped[node.first_output] != kNoValue)) continue;
    ++statistics_.nodes_visited;
    location_ = node.location;
    if (node.op == &kInput) {
      return absl::InvalidArgumentError(absl::StrCat("compile: the outputs need the input ",
                                                     nodes.type(node.first_output).ToString(), " made at ",
                                                     ToString(node.location), ", which is not among the inputs"));
    }
    if (node.op == &kConstant) {
      mapped[node.first_output] = Constant(graph.constants[nodes.attributes(node)[0]], node.location);
      continue;
    }
    absl::InlinedVector<ValueId, 4> operands;
    for (ValueId input : nodes.inputs(node)) operands.push_back(mapped[input]);
    if (node.op->kind == OpKind::kCall) {
      const Body& body = *graph.bodies[nodes.attributes(node)[0]];
      std::vector<ValueId> inlined;
      absl::Status s = Inline(body.graph, body.inputs, operands, body.outputs, inlined);
      if (!s.ok()) return s;
      std::copy(inlined.begin(), inlined.end(), mapped.begin() + node.first_output);
      continue;
    }
    if (node.num_outputs == 1) {
      mapped[node.first_output] = Emit(*node.op, nodes.attributes(node), operands, nodes.type(node.first_output));
      continue;
    }
    ValueTypes types;
    for (uint32_t k = 0; k < node.num_outputs; ++k) types.push_back(nodes.type(node.first_output + k));
    const ValueId first = EmitMerged(*node.op, nodes.attributes(node), operands, types, node.location);
    for (uint32_t k = 0; k < node.num_outputs; ++k) mapped[node.first_output + k] = first + k;
  }
  for (ValueId output : outputs) results.push_back(mapped[output]);
  return absl::OkStatus();
}

Program ProgramBuilder::Finish(absl::Span<const ValueId> inputs, absl::Span<const ValueId> outputs) {
  const NodeTable& nodes = data_->nodes;
  std::vector<bool> needed = NeededNodes(nodes, {}, outputs);
  for (ValueId input : inputs) needed[nodes.producer(input)] = true;
  auto compact = std::make_shared<GraphData>();
  std::vector<ValueId> mapped(nodes.num_values(), kNoValue);
  for (size_t i = 0; i < nodes.num_nodes(); ++i) {
    if (!needed[i]) continue;
    const Node& node = nodes.node(i);
    absl::InlinedVector<ValueId, 4> operands;
    for (ValueId input : nodes.inputs(node)) operands.push_back(mapped[input]);
    ValueTypes types;
    for (uint32_t k = 0; k < node.num_outputs; ++k) types.push_back(nodes.type(node.first_output + k));
    Words attributes(nodes.attributes(node).begin(), nodes.attributes(node).end());
    if (node.op == &kConstant) {
      compact->constants.push_back(data_->constants[attributes[0]]);
      attributes[0] = static_cast<int64_t>(compact->constants.size()) - 1;
    }
    const ValueId first = compact->nodes.Add(*node.op, attributes, operands, types, node.location);
    for (uint32_t k = 0; k < node.num_outputs; ++k) mapped[node.first_output + k] = first + k;
  }
  std::vector<ValueId> program_inputs, program_outputs;
  for (ValueId input : inputs) program_inputs.push_back(mapped[input]);
  for (ValueId output : outputs) program_outputs.push_back(mapped[output]);
  return Program(std::move(compact), std::move(program_inputs), std::move(program_outputs), statistics_);
}

}  // namespace tenferro
