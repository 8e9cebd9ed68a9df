#include "tenferro/runtime/ops/activations.h"

#include <algorithm>
#include <limits>
#include <numbers>

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/arithmetic.h"
#include "tenferro/runtime/ops/composite.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/math.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/reductions.h"
#include "tenferro/runtime/ops/stop_gradient.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

using namespace composite_internal;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// x·share with a share that is 0 at −∞ and 1 at ∞, where the product and its derivatives have no number.
Var Gated(const Var& x, const Var& share) { return Select(IsFinite(x), x, 0) * share + Select(Eq(x, kInfinity), x, 0); }

// The shares of both Gelus are 0 or 1 in every bit beyond ±60. Bounded, no square or cube overflows on the way.
Var Bounded(const Var& x) { return Clamp(x, -60, 60); }

// What softmax takes out along an axis: the largest number, 0 where that is no number.
Var Shift(const Var& x, const Ints& axes) {
  const Var largest = StopGradient(ReduceMax(x, axes));
  return Spread(Select(IsFinite(largest), largest, 0), x, axes);
}

// The pieces of a softmax over the elements where the mask holds.
struct Masked {
  Var error = {};      // not ok when the operands do not fit
  Var mask = {};       // in x's shape
  Var shifted = {};    // x less the largest; 0 outside the mask
  Var exponents = {};  // e^shifted; 0 outside the mask
  Var sum = {};        // their sum in x's shape; 1 where it is 0
};

Masked MaskedPieces(const char* op, const Arg& x, const Arg& mask, int axis) {
  const Ints axes{axis};
  const Var var = Operand(op, x, kFloatSet, axes);
  if (!var.ok()) return {.error = var};
  const Var chosen = Operand(op, mask, kAnySet);
  if (!chosen.ok()) return {.error = chosen};
  const absl::StatusOr<Shape> shape = BroadcastShapes(chosen.shape(), var.shape());
  if (chosen.dtype() != DType::kBool || !shape.ok() || *shape != var.shape()) {
    return {.error = ErrorVar(x.location(), op,
                              absl::StrCat("the mask must be bool and broadcast to ", var.shape().ToString(), ", got ",
                                           chosen.type().ToString()))};
  }
  Masked pieces{.mask = BroadcastTo(chosen, var.shape())};
  const Var shift = Shift(Select(pieces.mask, var, -kInfinity), axes);
  pieces.shifted = Select(pieces.mask, var - shift, 0);
  pieces.exponents = Select(pieces.mask, Exp(pieces.shifted), 0);
  const Var sum = ReduceSum(pieces.exponents, axes);
  pieces.sum = Spread(Select(Eq(sum, 0), 1, sum), var, axes);
  return pieces;
}

// y·scale + bias, with what the options give.
Var ScaleAndShift(const char* op, const Location& location, Var y, Ints axes, const NormalizationOptions& options) {
  std::sort(axes.begin(), axes.end());
  Shape shape;
  for (int64_t axis : axes) shape.push_back(y.shape()[static_cast<int>(axis)]);
  for (const Var* var : {&options.scale, &options.bias}) {
    if (var->empty()) continue;
    if (!var->ok()) return *var;
    const char* name = var == &options.scale ? "scale" : "bias";
    if (var->shape() != shape) {
      return ErrorVar(
          location, op,
          absl::StrCat("the ", name, " must have shape ", shape.ToString(), ", got ", var->type().ToString()));
    }
    const Var spread = BroadcastInDim(*var, y.shape(), axes);
    y = var == &options.scale ? y * spread : y + spread;
  }
  return y;
}

// x/√(mean of x² + ε), scaled where squares would overflow.
Var Normalized(const Var& x, const Ints& axes, double epsilon) {
  const Var factor = ScaleBelowOverflow(LargestModulus(x, axes));
  const Var scaled = x * Spread(factor, x, axes);
  const Var power = Mean(Square(scaled), axes) + Square(factor) * epsilon;
  return scaled * Spread(Rsqrt(power), x, axes);
}

Var CheckEpsilon(const char* op, const Arg& x, const Ints& axes, double epsilon) {
  if (!(epsilon >= 0)) return ErrorVar(x.location(), op, absl::StrCat("epsilon must not be negative, got ", epsilon));
  return Operand(op, x, kFloatSet, axes);
}

}  // namespace

Var Sigmoid(const Arg& x) {
  LocationScope scope(x.location());
  const Var var = Operand("sigmoid", x, kFloatSet);
  return var.ok() ? Logistic(var) : var;
}

Var Silu(const Arg& x) {
  LocationScope scope(x.location());
  const Var var = Operand("silu", x, kFloatSet);
  return var.ok() ? Gated(var, Sigmoid(var)) : var;
}

Var Softplus(const Arg& x) {
  LocationScope scope(x.location());
  const Var var = Operand("softplus", x, kFloatSet);
  if (!var.ok()) return var;
  // A choice and no maximum or modulus: both sides have the same derivatives of every order at 0.
  const Var positive = Gt(var, 0);
  return Select(positive, var, 0) + Log1p(Exp(Select(positive, -var, var)));
}

Var Relu(const Arg& x) {
  LocationScope scope(x.location());
  const Var var = Operand("relu", x, kFloatSet);
  return var.ok() ? Select(Le(var, 0), 0, var) : var;
}

Var Gelu(const Arg& x) {
  LocationScope scope(x.location());
  const Var var = Operand("gelu", x, kFloatSet);
  // Φ(x) = ½ erfc(−x/√2).
  return var.ok() ? Gated(var, Erfc(Bounded(var) * (-std::numbers::sqrt2 / 2)) / 2) : var;
}

Var GeluTanh(const Arg& x) {
  LocationScope scope(x.location());
  const Var var = Operand("gelu_tanh", x, kFloatSet);
  if (!var.ok()) return var;
  const Var bounded = Bounded(var);
  const double twice_root = 1.5957691216057308;  // 2√(2/π)
  return Gated(var, Sigmoid(bounded * (Square(bounded) * 0.044715 + 1) * twice_root));
}

Var Softmax(const Arg& x, int axis) {
  LocationScope scope(x.location());
  const Ints axes{axis};
  const Var var = Operand("softmax", x, kFloatSet, axes);
  if (!var.ok()) return var;
  const Var exponents = Exp(var - Shift(var, axes));
  return exponents / Spread(ReduceSum(exponents, axes), var, axes);
}

Var LogSoftmax(const Arg& x, int axis) {
  LocationScope scope(x.location());
  const Ints axes{axis};
  const Var var = Operand("log_softmax", x, kFloatSet, axes);
  if (!var.ok()) return var;
  const Var shifted = var - Shift(var, axes);
  return shifted - Spread(Log(ReduceSum(Exp(shifted), axes)), var, axes);
}

Var MaskedSoftmax(const Arg& x, const Arg& mask, int axis) {
  LocationScope scope(x.location());
  const Masked pieces = MaskedPieces("masked_softmax", x, mask, axis);
  return pieces.error.empty() ? pieces.exponents / pieces.sum : pieces.error;
}

Var MaskedLogSoftmax(const Arg& x, const Arg& mask, int axis) {
  LocationScope scope(x.location());
  const Masked pieces = MaskedPieces("masked_log_softmax", x, mask, axis);
  if (!pieces.error.empty()) return pieces.error;
  return Select(pieces.mask, pieces.shifted - Log(pieces.sum), -kInfinity);
}

Var LayerNorm(const Arg& x, const Ints& axes, const NormalizationOptions& options) {
  LocationScope scope(x.location());
  const Var var = CheckEpsilon("layer_norm", x, axes, options.epsilon);
  if (!var.ok()) return var;
  const Var centred = var - Spread(Mean(var, axes), var, axes);
  return ScaleAndShift("layer_norm", x.location(), Normalized(centred, axes, options.epsilon), axes, options);
}

Var RmsNorm(const Arg& x, const Ints& axes, const NormalizationOptions& options) {
  LocationScope scope(x.location());
  const Var var = CheckEpsilon("rms_norm", x, axes, options.epsilon);
  if (!var.ok()) return var;
  return ScaleAndShift("rms_norm", x.location(), Normalized(var, axes, options.epsilon), axes, options);
}

}  // namespace tenferro
