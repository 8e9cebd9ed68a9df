#ifndef TENFERRO_AD_CHECK_GRADS_H_
#define TENFERRO_AD_CHECK_GRADS_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "tenferro/runtime/engine.h"
#include "tenferro/runtime/graph.h"

namespace tenferro::ad {

struct CheckGradsOptions {
  int order = 1;             // derivatives up to this order: 2 checks the derivative of the reverse derivative too
  double step = 0;           // of the differences; 0: chosen by the precision of the inputs
  double tolerance = 0;      // of jvp against differences, relative to the larger of 1 and the values; 0: chosen
  double dot_tolerance = 0;  // of <w, J v> against <Jᵀw, v>, likewise
};

// Tests the derivatives of `function` at `inputs`: jvp against central differences of fourth order along fixed
// pseudo-random directions, and vjp against jvp by the dot-product test. Integer and bool inputs stay as they are.
// Returns OK, or an error whose message says which comparison failed, at which output and element, with both numbers
// and the bound; or the error that the function, its derivative or the engine gave.
absl::Status CheckGrads(const Engine& engine, const TracedFunction& function, absl::Span<const Tensor> inputs,
                        const CheckGradsOptions& options = {});

}  // namespace tenferro::ad

#endif  // TENFERRO_AD_CHECK_GRADS_H_
