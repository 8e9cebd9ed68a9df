#ifndef TENFERRO_AD_GRAD_H_
#define TENFERRO_AD_GRAD_H_

#include <functional>
#include <vector>

#include "absl/types/span.h"
#include "tenferro/runtime/var.h"

namespace tenferro::ad {

// Gradient of the real scalar `loss` with respect to one value or several, in one sweep.
// Errors: those of Vjp; the loss is no f32[] or f64[].
Var Grad(const Var& loss, const Var& wrt, Location location = Location::current());
std::vector<Var> Grad(const Var& loss, absl::Span<const Var> wrt, Location location = Location::current());
// With an empty Var for a wrt without influence.
std::vector<Var> GradOptional(const Var& loss, absl::Span<const Var> wrt, Location location = Location::current());

// A loss and its gradients, which share the forward computation.
struct LossAndGradients {
  Var loss;
  std::vector<Var> gradients;
};
LossAndGradients ValueAndGrad(const std::function<Var(absl::Span<const Var>)>& function, absl::Span<const Var> wrt,
                              Location location = Location::current());

// Hessian of the loss times `vector`: the jvp of the gradient.
Var Hvp(const Var& loss, const Var& wrt, const Var& vector, Location location = Location::current());

}  // namespace tenferro::ad

#endif  // TENFERRO_AD_GRAD_H_
