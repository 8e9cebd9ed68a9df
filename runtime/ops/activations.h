#ifndef TENFERRO_RUNTIME_OPS_ACTIVATIONS_H_
#define TENFERRO_RUNTIME_OPS_ACTIVATIONS_H_

#include "tenferro/runtime/arg.h"

namespace tenferro {

// Functions of neural networks, written with other operations so that neither they nor their derivatives of any order
// overflow on the way. Dtypes: float. Common errors: another dtype; an axis that does not exist. There is no default
// axis.

// 1/(1 + e^(−x)). Derivative: y(1 − y)·dx. Accuracy: 3 ULP, in both tails.
Var Sigmoid(const Arg& x);
// x·sigmoid(x); 0 at −∞.
Var Silu(const Arg& x);
// log(1 + e^x). Derivative: sigmoid(x)·dx. Accuracy: 3 ULP, in both tails.
Var Softplus(const Arg& x);
// x where it is above 0 or NaN, else 0. Derivative: dx where x is above 0, else 0.
Var Relu(const Arg& x);
// x·Φ(x), Φ the normal distribution's; 0 at −∞. Accuracy: a few ULP, in the left tail x². Source: Hendrycks and Gimpel,
// arXiv 1606.08415.
Var Gelu(const Arg& x);
// x·sigmoid(2u), u = √(2/π)(x + 0.044715x³): the approximation ½x(1 + tanh u) of x·Φ(x) with its left tail; 0 at −∞.
// Source: the same.
Var GeluTanh(const Arg& x);

// e^x/Σ e^x along an axis. NaN where no element is above −∞ or one is ∞. Derivative: y·(dx − Σ y·dx).
Var Softmax(const Arg& x, int axis);
// log of the softmax, without a loss in its tail. Derivative: dx − Σ softmax·dx.
Var LogSoftmax(const Arg& x, int axis);
// The softmax over the elements where the bool `mask` holds, 0 (log: −∞) elsewhere; what x holds there does not matter,
// nor to derivatives. A slice where none is above −∞ gives 0 (−∞) and the derivative 0. Shapes: the mask broadcasts to
// x. Errors: it does not, or is not bool.
Var MaskedSoftmax(const Arg& x, const Arg& mask, int axis);
Var MaskedLogSoftmax(const Arg& x, const Arg& mask, int axis);

struct NormalizationOptions {
  double epsilon = 1e-5;
  // Factors and summands for each place along the normalised axes; an empty Var: none. Shapes: the extents of these
  // axes, ascending.
  Var scale = {};
  Var bias = {};
};

// (x − mean)/√(variance + ε) over `axes`, times scale plus bias. Elements up to the largest numbers give no overflow as
// long as their sum does not. Errors: a scale or bias of another shape; a negative epsilon.
Var LayerNorm(const Arg& x, const Ints& axes, const NormalizationOptions& options = {});
// x/√(mean of x² + ε) over `axes`, times scale plus bias. Errors: those of LayerNorm.
Var RmsNorm(const Arg& x, const Ints& axes, const NormalizationOptions& options = {});

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_ACTIVATIONS_H_
