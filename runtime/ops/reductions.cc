#include "tenferro/runtime/ops/reductions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/arithmetic.h"
#include "tenferro/runtime/ops/composite.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/stop_gradient.h"

namespace tenferro {
namespace {

using namespace composite_internal;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

Var Kept(const Var& reduced, const Var& x, const Ints& axes, KeepDims keep) {
  return keep == KeepDims::kYes ? KeepAxes(reduced, x, axes) : reduced;
}

// `nothing` where the sum is 0, else f(sum), where derivatives do not meet the sum 0 either.
template <class F>
Var UnlessZero(const Var& sum, const Arg& nothing, F f) {
  const Var zero = Eq(sum, 0);
  return Select(zero, nothing, f(Select(zero, 1, sum)));
}

Var EuclideanNorm(const Var& x, const Ints& axes) {
  const Var factor = ScaleToOne(LargestModulus(x, axes));
  const Var sum = ReduceSum(SquaredModulus(ScaledBy(x, Spread(factor, x, axes))), axes);
  return UnlessZero(sum, 0, [&](const Var& s) { return Sqrt(s) / factor; });
}

// Divided by the largest modulus, the largest power is 1, whatever the order.
Var NormOfOrder(double order, const Var& x, const Ints& axes) {
  const Var largest = LargestModulus(x, axes);
  const Var scale = Select(And(Gt(largest, 0), IsFinite(largest)), largest, 1);
  const Var sum =
      ReduceSum(UnlessZero(Abs(x) / Spread(scale, x, axes), 0, [order](const Var& a) { return Pow(a, order); }), axes);
  return UnlessZero(sum, 0, [&](const Var& s) { return Pow(s, 1 / order) * scale; });
}

Var DeviationFromMean(const Var& x, const Ints& axes) { return x - Spread(Mean(x, axes), x, axes); }

double DegreesOfFreedom(const Var& x, const Ints& axes, double ddof) { return std::max(Count(x, axes) - ddof, 0.0); }

}  // namespace

Var ReduceSumSquares(const Arg& x, const Ints& axes, KeepDims keep) {
  LocationScope scope(x.location());
  const Var var = Operand("reduce_sum_squares", x, kNumberSet, axes);
  return var.ok() ? Kept(ReduceSum(SquaredModulus(var), axes), var, axes, keep) : var;
}

Var Mean(const Arg& x, const Ints& axes, KeepDims keep) {
  LocationScope scope(x.location());
  const Var var = Operand("mean", x, kFloatOrComplexSet, axes);
  return var.ok() ? Kept(ReduceSum(var, axes) / Count(var, axes), var, axes, keep) : var;
}

Var Variance(const Arg& x, const Ints& axes, const VarianceOptions& options) {
  LocationScope scope(x.location());
  const Var var = Operand("variance", x, kFloatOrComplexSet, axes);
  if (!var.ok()) return var;
  const Var sum = ReduceSum(SquaredModulus(DeviationFromMean(var, axes)), axes);
  return Kept(sum / DegreesOfFreedom(var, axes, options.ddof), var, axes, options.keep);
}

Var StandardDeviation(const Arg& x, const Ints& axes, const VarianceOptions& options) {
  LocationScope scope(x.location());
  const Var var = Operand("standard_deviation", x, kFloatOrComplexSet, axes);
  if (!var.ok()) return var;
  const Var norm = EuclideanNorm(DeviationFromMean(var, axes), axes);
  return Kept(norm / std::sqrt(DegreesOfFreedom(var, axes, options.ddof)), var, axes, options.keep);
}

Var Norm(const Arg& x, const Ints& axes, const NormOptions& options) {
  LocationScope scope(x.location());
  const Var var = Operand("norm", x, kFloatOrComplexSet, axes);
  if (!var.ok()) return var;
  if (!(options.order > 0)) {
    return ErrorVar(x.location(), "norm", absl::StrCat("the order must be above 0, got ", options.order));
  }
  int64_t words[2];
  const bool infinite = options.order == kInfinity;
  for (double exponent : {options.order, 1 / options.order}) {
    if (infinite || WeakScalar(exponent).Store(RealOf(var.dtype()), words).ok()) continue;
    return ErrorVar(x.location(), "norm",
                    absl::StrCat("the order ", options.order, " is out of range for ", Name(var.dtype())));
  }
  const bool empty = var.shape().size() == 0;
  const Var norm = empty || options.order == 1  ? ReduceSum(Abs(var), axes)
                   : options.order == 2         ? EuclideanNorm(var, axes)
                   : infinite                   ? ReduceMax(Abs(var), axes)
                                                : NormOfOrder(options.order, var, axes);
  return Kept(norm, var, axes, options.keep);
}

Var Any(const Arg& x, const Ints& axes, KeepDims keep) {
  LocationScope scope(x.location());
  const Var var = Operand("any", x, kAnySet, axes);
  return var.ok() ? Kept(ReduceMax(Cast(var, DType::kBool), axes), var, axes, keep) : var;
}

Var All(const Arg& x, const Ints& axes, KeepDims keep) {
  LocationScope scope(x.location());
  const Var var = Operand("all", x, kAnySet, axes);
  return var.ok() ? Kept(ReduceMin(Cast(var, DType::kBool), axes), var, axes, keep) : var;
}

Var LogSumExp(const Arg& x, const Ints& axes, KeepDims keep) {
  LocationScope scope(x.location());
  const Var var = Operand("log_sum_exp", x, kFloatOrComplexSet, axes);
  if (!var.ok()) return var;
  const Var largest = StopGradient(ReduceMax(Real(var), axes));
  const Var shift = Convert(Select(IsFinite(largest), largest, 0), var.dtype());
  const Var sum = ReduceSum(Exp(var - Spread(shift, var, axes)), axes);
  return Kept(UnlessZero(sum, -kInfinity, [&](const Var& s) { return Log(s) + shift; }), var, axes, keep);
}

Var ReduceSumSquares(const Arg& x, KeepDims keep) { return ReduceSumSquares(x, AllAxes(x), keep); }
Var Mean(const Arg& x, KeepDims keep) { return Mean(x, AllAxes(x), keep); }
Var Variance(const Arg& x, const VarianceOptions& options) { return Variance(x, AllAxes(x), options); }
Var StandardDeviation(const Arg& x, const VarianceOptions& options) {
  return StandardDeviation(x, AllAxes(x), options);
}
Var Norm(const Arg& x, const NormOptions& options) { return Norm(x, AllAxes(x), options); }
Var Any(const Arg& x, KeepDims keep) { return Any(x, AllAxes(x), keep); }
Var All(const Arg& x, KeepDims keep) { return All(x, AllAxes(x), keep); }
Var LogSumExp(const Arg& x, KeepDims keep) { return LogSumExp(x, AllAxes(x), keep); }

}  // namespace tenferro
