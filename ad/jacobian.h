#ifndef TENFERRO_AD_JACOBIAN_H_
#define TENFERRO_AD_JACOBIAN_H_

#include <vector>

#include "absl/types/span.h"
#include "tenferro/runtime/var.h"

namespace tenferro::ad {

struct JacobianOptions {
  // The output is a holomorphic function of a complex wrt; the result is its complex derivative.
  bool holomorphic = false;
};

// All partial derivatives ∂output[i…]/∂wrt[j…]. Shape: the output's axes, then those of wrt. The derivative is found
// once and applied to all unit tangents together by the batching rules. Errors: those of Jvp; an operation without a
// batching rule; a complex wrt, unless holomorphic. Cost: as many jvps as wrt has elements, in one.
Var Jacfwd(const Var& output, const Var& wrt, const JacobianOptions& options = {},
           Location location = Location::current());
std::vector<Var> Jacfwd(const Var& output, absl::Span<const Var> wrt, const JacobianOptions& options = {},
                        Location location = Location::current());
// The same from as many vjps as the output has elements, better where these are the fewer. For a real output and a
// complex wrt each row is a gradient in the convention of Vjp. Errors: also a complex output, unless holomorphic.
Var Jacrev(const Var& output, const Var& wrt, const JacobianOptions& options = {},
           Location location = Location::current());
std::vector<Var> Jacrev(const Var& output, absl::Span<const Var> wrt, const JacobianOptions& options = {},
                        Location location = Location::current());

// Second derivatives of a real scalar with respect to a real wrt: forward over reverse. Shape: wrt's axes twice.
Var Hessian(const Var& loss, const Var& wrt, Location location = Location::current());

}  // namespace tenferro::ad

#endif  // TENFERRO_AD_JACOBIAN_H_
