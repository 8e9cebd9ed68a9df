#ifndef TENFERRO_RUNTIME_OPS_BARRIER_H_
#define TENFERRO_RUNTIME_OPS_BARRIER_H_

#include <vector>

#include "absl/types/span.h"
#include "tenferro/runtime/var.h"

namespace tenferro {

extern const OpDef kBarrier;  // attribute: how many of the operands pass

// `values` once more, as values of their own: what is computed from them is neither merged with what was computed from
// the originals, nor does it run before one of `after` is there. Costs nothing itself. Errors: no value.
// Derivative: the tangents of `values`.
std::vector<Var> Barrier(absl::Span<const Var> values, absl::Span<const Var> after,
                         Location location = Location::current());

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_BARRIER_H_
