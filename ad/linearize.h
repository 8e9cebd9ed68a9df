#ifndef TENFERRO_AD_LINEARIZE_H_
#define TENFERRO_AD_LINEARIZE_H_

#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "tenferro/ad/linear_tape.h"
#include "tenferro/runtime/var.h"

namespace tenferro::ad {

// The derivative of some outputs with respect to some wrt, as a linear map that is found once and applied many times.
// Its coefficients are values of the graph.
class LinearMap {
 public:
  // The error of Linearize, which every application carries too.
  absl::Status status() const;
  // Tangents of the outputs from those of the wrt; zeros for an output that does not move.
  std::vector<Var> Jvp(absl::Span<const Var> tangents, Location location = Location::current()) const;
  // The transpose: cotangents of the wrt from those of the outputs; zeros where there are none.
  std::vector<Var> Vjp(absl::Span<const Var> cotangents, Location location = Location::current()) const;

 private:
  friend LinearMap Linearize(absl::Span<const Var>, absl::Span<const Var>, Location);
  // An error Var unless `vars` have the types of `expected`.
  static Var Check(const char* what, absl::Span<const Var> vars, absl::Span<const Var> expected,
                   const Location& location);

  std::vector<Var> outputs_, wrt_;
  std::shared_ptr<LinearTape> tape_;
  std::vector<Var> results_;  // tangents of the outputs as the tape has them
};

// Errors: those of Jvp.
LinearMap Linearize(absl::Span<const Var> outputs, absl::Span<const Var> wrt, Location location = Location::current());

}  // namespace tenferro::ad

#endif  // TENFERRO_AD_LINEARIZE_H_
