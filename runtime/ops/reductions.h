#ifndef TENFERRO_RUNTIME_OPS_REDUCTIONS_H_
#define TENFERRO_RUNTIME_OPS_REDUCTIONS_H_

#include "tenferro/runtime/arg.h"

namespace tenferro {

// Reductions that are written with those of tenferro/runtime/ops/reduce.h. Each removes `axes`, or all axes without the
// list. Errors: a dtype that the function does not take; an axis that does not exist or stands twice. Without the list
// options are written with their type, Norm(x, NormOptions{.order = 1}): braces alone could be a list of axes.

// kYes: the reduced axes stay, with extent 1, so that the result broadcasts to the operand.
enum class KeepDims : uint8_t { kNo, kYes };

// Σ x², of complex numbers Σ |x|² in a real dtype. Dtypes: all but bool; integers wrap. Derivative: Σ 2x·dx, complex:
// Σ 2 Re(conj(x)·dx).
Var ReduceSumSquares(const Arg& x, KeepDims keep = KeepDims::kNo);
Var ReduceSumSquares(const Arg& x, const Ints& axes, KeepDims keep = KeepDims::kNo);

// Σ x/n; NaN over no elements. Dtypes: float, complex. Derivative: Σ dx/n.
Var Mean(const Arg& x, KeepDims keep = KeepDims::kNo);
Var Mean(const Arg& x, const Ints& axes, KeepDims keep = KeepDims::kNo);

struct VarianceOptions {
  KeepDims keep = KeepDims::kNo;
  double ddof = 0;  // degrees of freedom taken off the number of elements: 1 for an unbiased estimate
};

// Σ |x − mean|²/(n − ddof), in a real dtype, in two passes; no finite number for n ≤ ddof. Dtypes: float, complex.
// Derivative: 2 Σ Re(conj(x − mean)·dx)/(n − ddof).
Var Variance(const Arg& x, const VarianceOptions& options = {});
Var Variance(const Arg& x, const Ints& axes, const VarianceOptions& options = {});

// The variance's square root, which overflows only where the result does. Dtypes: float, complex. Derivative: that of
// the norm of x − mean: 0 where all elements are equal.
Var StandardDeviation(const Arg& x, const VarianceOptions& options = {});
Var StandardDeviation(const Arg& x, const Ints& axes, const VarianceOptions& options = {});

struct NormOptions {
  KeepDims keep = KeepDims::kNo;
  double order = 2;  // above 0; infinity: the largest modulus
};

// (Σ |x|^p)^(1/p) over the elements as those of a vector, in a real dtype; 0 over no elements. Scaled, so that nothing
// overflows or vanishes but the result. Dtypes: float, complex. Errors: an order that is not above 0. Derivative: Σ
// (|x|/y)^(p−1)·d|x|, for ∞ an equal share to each of the largest; 0 for elements that are 0, so at the zero vector
// too. Accuracy: that of ReduceSum and a few ULP.
Var Norm(const Arg& x, const NormOptions& options = {});
Var Norm(const Arg& x, const Ints& axes, const NormOptions& options = {});

// Whether any element (all elements) are other than 0, a bool; NaN is. False (true) over no elements. Dtypes: all.
// Derivative: none.
Var Any(const Arg& x, KeepDims keep = KeepDims::kNo);
Var Any(const Arg& x, const Ints& axes, KeepDims keep = KeepDims::kNo);
Var All(const Arg& x, KeepDims keep = KeepDims::kNo);
Var All(const Arg& x, const Ints& axes, KeepDims keep = KeepDims::kNo);

// log Σ exp(x), with the largest (real part) taken out first: no overflow. −∞ over no elements and where all are −∞,
// with derivative 0 there. Dtypes: float, complex (principal branch). Derivative: Σ exp(x − y)·dx.
Var LogSumExp(const Arg& x, KeepDims keep = KeepDims::kNo);
Var LogSumExp(const Arg& x, const Ints& axes, KeepDims keep = KeepDims::kNo);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_REDUCTIONS_H_
