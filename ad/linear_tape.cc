#include "tenferro/ad/linear_tape.h"

#include <bit>

#include "tenferro/ad/accumulate.h"
#include "tenferro/ad/active_nodes.h"
#include "tenferro/ad/post_order.h"

namespace tenferro::ad {

Var LinearTape::Tangent(const ValueType& type) {
  values_.push_back({type, -1});
  ++num_tangents_;
  return Var(shared_from_this(), static_cast<ValueId>(values_.size() - 1));
}

Vars LinearTape::Emit(const OpDef& op, WordSpan attributes, absl::Span<const Var> inputs, const Location& location) {
  bool on_tape = false;
  for (const Var& input : inputs) on_tape |= IsOwn(input);
  if (!on_tape) return graph_->Emit(op, attributes, inputs, location);
  absl::StatusOr<ValueTypes> types = InferTypes(op, attributes, inputs, location);
  if (!types.ok()) return {Var::Error(types.status())};
  const ValueId first = static_cast<ValueId>(values_.size());
  Vars outputs;
  for (const ValueType& type : *types) {
    values_.push_back({type, static_cast<int>(entries_.size())});
    outputs.emplace_back(shared_from_this(), static_cast<ValueId>(values_.size() - 1));
  }
  Entry entry{&op, Words(attributes.begin(), attributes.end()), {}, {}, first, static_cast<int>(types->size())};
  for (const Var& input : inputs) {
    entry.inputs.push_back(IsOwn(input) ? Var() : input);
    entry.own_inputs.push_back(IsOwn(input) ? static_cast<int64_t>(input.id()) : -1);
  }
  entries_.push_back(std::move(entry));
  return outputs;
}

Vars LinearTape::EmitWithBody(const OpDef& op, std::shared_ptr<const Body> body, WordSpan attributes,
                              absl::Span<const Var> inputs, const Location& location) {
  bool on_tape = false;
  for (const Var& input : inputs) on_tape |= IsOwn(input);
  if (!on_tape) return graph_->EmitWithBody(op, body, attributes, inputs, location);
  if (body->extra == nullptr || body->extra->derivative_is_of_body()) {
    const std::vector<Var> results = InlineBody(*body, inputs, {}, true);
    return Vars(results.begin(), results.end());
  }
  return {ErrorVar(location, op.name, "a tangent rule may not apply it to a tangent")};
}

std::vector<int> LinearTape::ConsumersFirst(absl::Span<const Var> results) const {
  std::vector<int64_t> roots;
  for (const Var& result : results) roots.push_back(IsOwn(result) ? values_[result.id()].node : -1);
  const std::vector<int64_t> order = PostOrder(
      roots, entries_.size(), [&](int64_t entry) { return static_cast<int>(entries_[entry].inputs.size()); },
      [&](int64_t entry, int i) -> int64_t {
        const int64_t own = entries_[entry].own_inputs[i];
        return own < 0 ? -1 : values_[own].node;
      });
  return std::vector<int>(order.rbegin(), order.rend());
}

std::vector<Var> LinearTape::Transpose(absl::Span<const Var> results, absl::Span<const Var> cotangents) {
  Accumulator sums(values_.size());
  for (size_t i = 0; i < results.size(); ++i) {
    if (IsOwn(results[i]) && !cotangents[i].empty()) sums.Add(results[i].id(), cotangents[i]);
  }
  for (int index : ConsumersFirst(results)) {
    const Entry& entry = entries_[index];
    Vars outputs(entry.num_outputs);
    bool any = false;
    for (int k = 0; k < entry.num_outputs; ++k) {
      outputs[k] = sums.Get(entry.first_output + k);
      any |= !outputs[k].empty();
    }
    if (!any) continue;
    OperandSet own = 0;
    Vars inputs = entry.inputs;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (entry.own_inputs[i] < 0) continue;
      own |= OperandSet{1} << i;
      inputs[i] = Var(shared_from_this(), static_cast<ValueId>(entry.own_inputs[i]));
    }
    Vars shares(inputs.size());
    const Vars unknown(entry.num_outputs);
    const VjpRule transpose = RulesOf(*entry.op).transpose;
    const bool several = std::popcount(own) > 1;
    if (transpose == nullptr || (own & ~entry.op->linear) != 0 || (several && entry.op->multilinear)) {
      const Var error =
          ErrorVar(Location::current(), entry.op->name, "is not linear in a tangent, so it cannot be reversed");
      return std::vector<Var>(num_tangents_, error);
    }
    transpose({*entry.op, entry.attributes, inputs, unknown}, outputs, own, absl::MakeSpan(shares));
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (HasOperand(own, i) && !shares[i].empty()) sums.Add(inputs[i].id(), shares[i]);
    }
  }
  std::vector<Var> result;
  for (size_t i = 0; i < num_tangents_; ++i) result.push_back(sums.Get(i));
  return result;
}

std::vector<Var> LinearTape::Replay(absl::Span<const Var> results, absl::Span<const Var> tangents,
                                    Repeat repeat) const {
  std::vector<Var> values(values_.size());
  for (size_t i = 0; i < num_tangents_; ++i) values[i] = tangents[i];
  const std::vector<int> order = ConsumersFirst(results);
  for (size_t position = order.size(); position-- > 0;) {
    const Entry& entry = entries_[order[position]];
    Vars inputs = entry.inputs;
    OperandSet own = 0;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (entry.own_inputs[i] < 0) continue;
      own |= OperandSet{1} << i;
      inputs[i] = values[entry.own_inputs[i]];
    }
    const Vars outputs = repeat(entry, inputs, own);
    for (int k = 0; k < entry.num_outputs; ++k) {
      if (!outputs[k].ok()) return std::vector<Var>(results.size(), outputs[k]);
      values[entry.first_output + k] = outputs[k];
    }
  }
  std::vector<Var> replayed;
  for (const Var& result : results) replayed.push_back(IsOwn(result) ? values[result.id()] : result);
  return replayed;
}

std::vector<Var> LinearTape::Apply(absl::Span<const Var> results, absl::Span<const Var> tangents) const {
  return Replay(results, tangents, [](const Entry& entry, absl::Span<const Var> inputs, OperandSet) {
    return tenferro::Emit(*entry.op, entry.attributes, inputs, Location::current(), entry.num_outputs);
  });
}

std::vector<Var> LinearTape::ApplyBatched(absl::Span<const Var> results, absl::Span<const Var> tangents,
                                          Dim size) const {
  return Replay(results, tangents, [size](const Entry& entry, absl::Span<const Var> inputs, OperandSet own) {
    Vars outputs(entry.num_outputs);
    if (entry.op->batch == nullptr) {
      for (Var& output : outputs) output = ErrorVar(Location::current(), entry.op->name, "has no batching rule");
    } else {
      entry.op->batch({*entry.op, entry.attributes, inputs, {}}, own, size, absl::MakeSpan(outputs));
    }
    return outputs;
  });
}

}  // namespace tenferro::ad
