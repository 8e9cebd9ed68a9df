#include "tenferro/experiments/small_function.h"

#include <cmath>

#include "tenferro/ad/grad.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"

namespace tenferro {

Var SmallFunction(const Var& x) { return ReduceSum(Sin(x) * (x * x)); }

Var SmallFunctionGrad(const Var& x) { return ad::Grad(SmallFunction(x), x); }

Var SmallFunctionJvp(const Var& x, const Var& v) { return ad::Jvp(SmallFunction(x), x, v); }

Var SmallFunctionHvp(const Var& x, const Var& v) { return ad::Hvp(SmallFunction(x), x, v); }

std::vector<double> SmallFunctionPoints(int64_t n) {
  std::vector<double> points(n);
  for (int64_t i = 0; i < n; ++i)
    points[i] = n == 1 ? -2.0 : -2.0 + 4.0 * static_cast<double>(i) / static_cast<double>(n - 1);
  return points;
}

std::vector<double> SmallFunctionDirection(int64_t n) {
  std::vector<double> direction(n);
  for (int64_t i = 0; i < n; ++i) direction[i] = std::cos(static_cast<double>(i));
  return direction;
}

}  // namespace tenferro
