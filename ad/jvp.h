#ifndef TENFERRO_AD_JVP_H_
#define TENFERRO_AD_JVP_H_

#include <vector>

#include "absl/types/span.h"
#include "tenferro/runtime/var.h"

namespace tenferro::ad {

// Directional derivatives: the tangents of `outputs` when the `wrt` move along `tangents`. Appended to the outputs'
// graph, so they can be differentiated again. Shapes: tangents[i] has the type of wrt[i]; result i that of outputs[i].
// An output that does not move gets zeros. Errors (carried by every result): an operation without a derivative rule; a
// wrt on which no output depends, or only through operations whose derivative is zero everywhere; values of different
// graphs; wrong types. Cost: linear in the number of operations between wrt and outputs.
std::vector<Var> Jvp(absl::Span<const Var> outputs, absl::Span<const Var> wrt, absl::Span<const Var> tangents,
                     Location location = Location::current());
// The same with an empty Var for an output that does not move, whatever the wrt are.
std::vector<Var> JvpOptional(absl::Span<const Var> outputs, absl::Span<const Var> wrt, absl::Span<const Var> tangents,
                             Location location = Location::current());
Var Jvp(const Var& output, const Var& wrt, const Var& tangent, Location location = Location::current());

}  // namespace tenferro::ad

#endif  // TENFERRO_AD_JVP_H_
