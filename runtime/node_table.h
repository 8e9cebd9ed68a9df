#ifndef TENFERRO_RUNTIME_NODE_TABLE_H_
#define TENFERRO_RUNTIME_NODE_TABLE_H_

#include <cstdint>
#include <deque>
#include <vector>

#include "absl/types/span.h"
#include "tenferro/runtime/location.h"
#include "tenferro/runtime/op.h"

namespace tenferro {

// Names one value: a node with n outputs owns n consecutive ids.
using ValueId = uint32_t;

// One application of an operation; its lists stand in the table.
struct Node {
  const OpDef* op;
  Location location;
  uint32_t first_input;
  uint32_t num_inputs;
  uint32_t first_word;
  uint32_t num_words;
  ValueId first_output;
  uint32_t num_outputs;
};

// Append-only list of nodes in which every input is made before it is used: graphs and programs are such lists.
class NodeTable {
 public:
  // Returns the id of the first output.
  ValueId Add(const OpDef& op, WordSpan attributes, absl::Span<const ValueId> inputs,
              absl::Span<const ValueType> outputs, const Location& location);

  size_t num_nodes() const { return nodes_.size(); }
  size_t num_values() const { return types_.size(); }
  const Node& node(uint32_t index) const { return nodes_[index]; }
  absl::Span<const Node> nodes() const { return nodes_; }
  absl::Span<const ValueId> inputs(const Node& node) const {
    return absl::MakeConstSpan(inputs_).subspan(node.first_input, node.num_inputs);
  }
  WordSpan attributes(const Node& node) const {
    return absl::MakeConstSpan(words_).subspan(node.first_word, node.num_words);
  }
  // Index of the node that makes a value.
  uint32_t producer(ValueId value) const { return producers_[value]; }
  const ValueType& type(ValueId value) const { return types_[value]; }
  // Bytes held, for tests of linear growth.
  int64_t bytes() const;

 private:
  std::vector<Node> nodes_;
  std::vector<ValueId> inputs_;
  std::vector<int64_t> words_;
  std::deque<ValueType> types_;  // references stay valid while nodes are added: a rule may hold a shape and emit
  std::vector<uint32_t> producers_;
};

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_NODE_TABLE_H_
