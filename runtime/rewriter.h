#ifndef TENFERRO_RUNTIME_REWRITER_H_
#define TENFERRO_RUNTIME_REWRITER_H_

#include "tenferro/runtime/node_table.h"

namespace tenferro {

// What a simplification rule may ask and build while a program is put together.
class Rewriter {
 public:
  virtual ~Rewriter() = default;
  virtual const NodeTable& nodes() const = 0;
  // The value of `op` on these inputs: merged with an equal one and simplified in its turn.
  virtual ValueId Emit(const OpDef& op, WordSpan attributes, absl::Span<const ValueId> inputs,
                       const ValueType& type) = 0;

  const Node& Producer(ValueId value) const { return nodes().node(nodes().producer(value)); }
  // True if `value` is made by `op`.
  bool Is(ValueId value, const OpDef& op) const { return Producer(value).op == &op; }
  WordSpan Attributes(ValueId value) const { return nodes().attributes(Producer(value)); }
  ValueId Operand(ValueId value, int i) const { return nodes().inputs(Producer(value))[i]; }
  const ValueType& Type(ValueId value) const { return nodes().type(value); }
};

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_REWRITER_H_
