#include "tenferro/runtime/ops/composite.h"

#include <numbers>

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/arithmetic.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/stop_gradient.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::composite_internal {
namespace {

// Exponents that stay far from both ends of the range, for the factors and for the squares of what they scale.
double LargestExponent(DType dtype) { return dtype == DType::kF32 ? 100 : 1000; }
double HarmlessExponent(DType dtype) { return dtype == DType::kF32 ? 50 : 400; }

Var ExponentOf(const Var& size) { return Round(Log(size) * std::numbers::log2e); }

Var PowerOfTwo(const Var& exponent) { return StopGradient(Pow(2, exponent)); }

}  // namespace

Var Operand(const char* op, const Arg& x, DTypeSet dtypes, const Ints& axes) {
  const Var var = x.Tensor(op);
  if (!var.ok()) return var;
  if (!Contains(dtypes, var.dtype())) {
    return ErrorVar(x.location(), op, absl::StrCat("does not take ", Name(var.dtype())));
  }
  const absl::Status status = CheckAxes("axis", axes, var.rank());
  return status.ok() ? var : ErrorVar(x.location(), op, status.message());
}

Ints AllAxes(const Arg& x) { return FirstAxes(x.var().rank()); }

Var Spread(const Var& reduced, const Var& like, const Ints& axes) {
  return BroadcastInDim(reduced, like.shape(), OtherAxes(axes, like.rank()));
}

Var KeepAxes(const Var& reduced, const Var& like, const Ints& axes) {
  Shape shape = like.shape();
  for (int64_t axis : axes) shape[static_cast<int>(axis)] = 1;
  return Reshape(reduced, shape);
}

double Count(const Var& x, const Ints& axes) {
  double count = 1;
  for (int64_t axis : axes) count *= static_cast<double>(x.dim(static_cast<int>(axis)));
  return count;
}

Var SquaredModulus(const Var& x) { return IsComplex(x.dtype()) ? Square(Real(x)) + Square(Imag(x)) : Square(x); }

Var LargestModulus(const Var& x, const Ints& axes) { return StopGradient(Max(ReduceMax(Abs(x), axes), 0)); }

Var ScaleToOne(const Var& size) {
  const double most = LargestExponent(size.dtype());
  return PowerOfTwo(-Clamp(ExponentOf(size), -most, most));
}

Var ScaleBelowOverflow(const Var& size) {
  return PowerOfTwo(-Clamp(ExponentOf(size) - HarmlessExponent(size.dtype()), 0, LargestExponent(size.dtype())));
}

Var ScaledBy(const Var& x, const Var& factor) {
  return IsComplex(x.dtype()) ? MakeComplex(Real(x) * factor, Imag(x) * factor) : x * factor;
}

}  // namespace tenferro::composite_internal
