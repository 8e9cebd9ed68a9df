#ifndef TENFERRO_AD_VJP_H_
#define TENFERRO_AD_VJP_H_

#include <vector>

#include "absl/types/span.h"
#include "tenferro/runtime/var.h"

namespace tenferro::ad {

// Cotangents of `wrt`, which may be any values of the graph, from those of `outputs` in one sweep: for real tensors
// Σ_outputs seedᵀ ∂output/∂wrt; for complex ones under <a, b> = Re Σ conj(a) b, so that the gradient of a real loss is
// ∂L/∂Re z + i ∂L/∂Im z (PyTorch's convention). When one wrt depends on another, each gets its total derivative.
// Appended to the outputs' graph, so they can be differentiated again.
// Shapes: seeds[i] has the type of outputs[i]; result i that of wrt[i].
// Errors (carried by every result): an operation without a derivative rule; a wrt on which no output depends, or only
// through operations whose derivative is zero everywhere; values of different graphs; wrong types. Cost: linear in the
// number of operations between wrt and outputs. Cotangents of several consumers are summed in data-flow order, so the
// bits do not depend on the order in which the graph was written.
std::vector<Var> Vjp(absl::Span<const Var> outputs, absl::Span<const Var> wrt, absl::Span<const Var> seeds,
                     Location location = Location::current());
// The same with an empty Var for a wrt without influence.
std::vector<Var> VjpOptional(absl::Span<const Var> outputs, absl::Span<const Var> wrt, absl::Span<const Var> seeds,
                             Location location = Location::current());

}  // namespace tenferro::ad

#endif  // TENFERRO_AD_VJP_H_
