#ifndef TENFERRO_AD_RULE_CASES_H_
#define TENFERRO_AD_RULE_CASES_H_

// For tests: tables of functions whose derivatives are checked, one row for each rule.

#include <string>
#include <tuple>
#include <vector>

#include "gtest/gtest.h"
#include "tenferro/runtime/graph.h"

namespace tenferro::ad {

struct RuleCase {
  const char* name;
  std::vector<Shape> shapes;  // of the inputs
  TracedFunction function;
  double low = -1.5, high = 1.5;  // of the inputs
  bool real = true, complex = true;
};

// The rows once for f64 and once for c128, as they say.
std::vector<std::tuple<RuleCase, DType>> RealAndComplex(const std::vector<RuleCase>& rules);

// Numbers of f32, f64 or c128 in [low, high], apart from each other so that no maximum is close to a tie; complex ones
// have a phase below a right angle.
Tensor RuleInput(DType dtype, const Shape& shape, double low, double high, int which);

// Compares the derivatives with differences and with each other, to second order, on one thread.
class RuleTest : public testing::TestWithParam<std::tuple<RuleCase, DType>> {
 protected:
  void Check();
};

// "add_f64".
std::string RuleName(const testing::TestParamInfo<std::tuple<RuleCase, DType>>& info);

}  // namespace tenferro::ad

#endif  // TENFERRO_AD_RULE_CASES_H_
