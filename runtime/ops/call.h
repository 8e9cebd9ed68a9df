#ifndef TENFERRO_RUNTIME_OPS_CALL_H_
#define TENFERRO_RUNTIME_OPS_CALL_H_

#include <vector>

#include "tenferro/runtime/graph.h"

namespace tenferro {

extern const OpDef kCall;  // attribute 0: index among the graph's bodies

// The shape rule of operations with a body, which says the types itself: an error for a node made without one.
absl::Status InferWithBody(const OpDef&, WordSpan, absl::Span<const ValueType>, ValueTypes&);

// Traces `function` as a body of its own and applies it to `arguments`. The function may use any value of the
// surrounding graph; what it uses becomes a further operand. The result is what calling the function itself would give;
// Compile inlines it. Errors: those of the operations in the function; no argument.
std::vector<Var> Call(absl::Span<const Var> arguments, const TracedFunction& function,
                      Location location = Location::current());

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_CALL_H_
