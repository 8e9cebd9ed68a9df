#include "tenferro/ad/grad.h"

#include "absl/strings/str_cat.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/ad/vjp.h"
#include "tenferro/runtime/ops/source.h"

namespace tenferro::ad {
namespace {

// Whether the loss is what a gradient is defined for; errors of its own pass.
Var CheckLoss(const Var& loss, const Location& location) {
  if (!loss.ok() || (loss.rank() == 0 && IsFloat(loss.dtype()))) return loss;
  return ErrorVar(location, "grad",
                  absl::StrCat("needs a real scalar, got ", loss.type().ToString(), ": give Vjp a seed"));
}

}  // namespace

std::vector<Var> Grad(const Var& loss, absl::Span<const Var> wrt, Location location) {
  const Location here = LocationScope::Resolve(location);
  const Var checked = CheckLoss(loss, here);
  return Vjp({checked}, wrt, {checked.ok() ? OnesLike(checked, here) : checked}, here);
}

Var Grad(const Var& loss, const Var& wrt, Location location) {
  return Grad(loss, absl::Span<const Var>(&wrt, 1), location)[0];
}

std::vector<Var> GradOptional(const Var& loss, absl::Span<const Var> wrt, Location location) {
  const Location here = LocationScope::Resolve(location);
  const Var checked = CheckLoss(loss, here);
  return VjpOptional({checked}, wrt, {checked.ok() ? OnesLike(checked, here) : checked}, here);
}

LossAndGradients ValueAndGrad(const std::function<Var(absl::Span<const Var>)>& function, absl::Span<const Var> wrt,
                              Location location) {
  LossAndGradients result;
  result.loss = function(wrt);
  result.gradients = Grad(result.loss, wrt, location);
  return result;
}

Var Hvp(const Var& loss, const Var& wrt, const Var& vector, Location location) {
  return Jvp(Grad(loss, wrt, location), wrt, vector, location);
}

}  // namespace tenferro::ad
