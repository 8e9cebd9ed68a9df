#include "tenferro/runtime/node_table.h"

namespace tenferro {

ValueId NodeTable::Add(const OpDef& op, WordSpan attributes, absl::Span<const ValueId> inputs,
                       absl::Span<const ValueType> outputs, const Location& location) {
  const ValueId first_output = static_cast<ValueId>(types_.size());
  nodes_.push_back({.op = &op,
                    .location = location,
                    .first_input = static_cast<uint32_t>(inputs_.size()),
                    .num_inputs = static_cast<uint32_t>(inputs.size()),
                    .first_word = static_cast<uint32_t>(words_.size()),
                    .num_words = static_cast<uint32_t>(attributes.size()),
                    .first_output = first_output,
                    .num_outputs = static_cast<uint32_t>(outputs.size())});
  inputs_.insert(inputs_.end(), inputs.begin(), inputs.end());
  words_.insert(words_.end(), attributes.begin(), attributes.end());
  types_.insert(types_.end(), outputs.begin(), outputs.end());
  producers_.resize(types_.size(), static_cast<uint32_t>(nodes_.size() - 1));
  return first_output;
}

int64_t NodeTable::bytes() const {
  return nodes_.capacity() * sizeof(Node) + inputs_.capacity() * sizeof(ValueId) + words_.capacity() * sizeof(int64_t) +
         types_.size() * sizeof(ValueType) + producers_.capacity() * sizeof(uint32_t);
}

}  // namespace tenferro
