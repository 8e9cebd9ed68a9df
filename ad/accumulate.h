#ifndef TENFERRO_AD_ACCUMULATE_H_
#define TENFERRO_AD_ACCUMULATE_H_

#include <vector>

#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/var.h"

namespace tenferro::ad {

// Sums of what is added to each value, in the order of the additions; an empty Var is zero.
class Accumulator {
 public:
  explicit Accumulator(size_t num_values) : sums_(num_values) {}

  void Add(ValueId value, const Var& share) { sums_[value] = SumOrOther(sums_[value], share); }
  const Var& Get(ValueId value) const { return sums_[value]; }

 private:
  std::vector<Var> sums_;
};

}  // namespace tenferro::ad

#endif  // TENFERRO_AD_ACCUMULATE_H_
