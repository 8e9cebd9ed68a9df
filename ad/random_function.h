#ifndef TENFERRO_AD_RANDOM_FUNCTION_H_
#define TENFERRO_AD_RANDOM_FUNCTION_H_

#include <vector>

#include "tenferro/runtime/graph.h"

namespace tenferro::ad {

// For tests: a composition of random differentiable operations on f64 and c128, away from kinks and poles. The same for
// the same seed, whenever and in whatever context it is called.
struct RandomFunction {
  explicit RandomFunction(uint32_t seed);
  std::vector<Var> operator()(absl::Span<const Var> inputs) const;

  uint32_t seed;
  std::vector<Tensor> inputs;  // where to take it
};

}  // namespace tenferro::ad

#endif  // TENFERRO_AD_RANDOM_FUNCTION_H_
