#ifndef TENFERRO_RUNTIME_OPS_EMIT_H_
#define TENFERRO_RUNTIME_OPS_EMIT_H_

#include <initializer_list>

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro {

// How operation functions turn what the user wrote into operands of a record.

// Applies an operation without attributes to one tensor.
Var EmitUnary(const OpDef& op, const Arg& x);
// Applies it to two, promoted to one dtype and broadcast to one shape; a number takes the tensor's dtype and shape.
Var EmitBinary(const OpDef& op, const Arg& a, const Arg& b);

// The operands as tensors of one dtype and shape; numbers take the tensors' dtype, or, where there are numbers only,
// the first one that holds them of bool, i64, f64 and c128, in the context and shape of `like`. An error has its place
// and name.
absl::Status MatchOperands(const OpDef& op, std::initializer_list<const Arg*> args, const Var& like, Vars& operands);

// The sum of two, where an empty Var is zero.
Var SumOrOther(const Var& a, const Var& b);

// `x` with a further last axis of extent `size` along which it is constant; `x` itself when it has one already.
Var WithBatchAxis(const Var& x, bool batched, Dim size);

// The batching rule of operations whose attributes and results stay as they are when every operand has one more last
// axis: unbatched operands repeat along it.
void BatchAllOperands(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_EMIT_H_
