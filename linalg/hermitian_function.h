#ifndef TENFERRO_LINALG_HERMITIAN_FUNCTION_H_
#define TENFERRO_LINALG_HERMITIAN_FUNCTION_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro::linalg {

// A real function with its derivatives, all of plain C++. A constant of the program: it is compared by address and must
// outlive every graph, program and tensor that came from it. What it returns must depend on its argument alone.
struct ScalarFunction {
  const char* name;
  double (*value)(double x);
  double (*derivative)(double x);
  // The second derivative; without it the matrix function has derivatives of first order alone.
  double (*second)(double x) = nullptr;
  // The divided differences f[x, y] = (f(x) − f(y))/(x − y) and f[x, y, z] in a form without cancellation. Where they
  // are not given, quotients and quadratures of the derivatives serve, whichever is estimated to be more accurate.
  double (*divided)(double x, double y) = nullptr;
  double (*divided_twice)(double x, double y, double z) = nullptr;
  bool nonnegative = false;  // eigenvalues from −n·eps·max|w| to 0 count as 0
};

// f(A) = V·diag(f(w))·Vᴴ for a Hermitian matrix A = V·diag(w)·Vᴴ, [n, n, batch…].
//
// Only the lower triangle is read; cotangents stand there alike. Dtypes: float, complex; f is evaluated in double.
// Errors: another dtype, not square (carried); an element that is not finite, no convergence (when run).
// Derivative: V·(f[w_i, w_j] ∘ (Vᴴ dA V))·Vᴴ with divided differences, f' where two eigenvalues are equal, and the
// like of second order: finite and exact at degenerate eigenvalues. Third derivatives are an error, and second ones
// without `second`. Where f or f' is not finite at an eigenvalue, neither is the result.
// Accuracy: a few eps·max|f'(w)|·max|w|. Cost: Eigh and two products; a derivative of second order 4·n³ scalar steps.
// Source: Ju. L. Daleckii and S. G. Krein (1965); N. J. Higham, Functions of Matrices (2008), section 3.2.
Var HermitianFunction(const Arg& a, const ScalarFunction& f);

// The square root and its inverse of a positive semidefinite matrix; NaN where an eigenvalue is negative, or 0 for the
// inverse and for the derivatives at 0.
Var HermitianSqrt(const Arg& a);
Var HermitianInverseSqrt(const Arg& a);
Var HermitianExp(const Arg& a);
// NaN where an eigenvalue is not positive.
Var HermitianLog(const Arg& a);

extern const OpDef kHermitianFunction, kHermitianFunctionDerivative, kHermitianFunctionSecond;

struct HermitianFunctionAttributes {
  int64_t function = 0;  // the address of the ScalarFunction
  void Fields(auto&& field) { field("function", function); }
  const ScalarFunction& get() const { return *reinterpret_cast<const ScalarFunction*>(function); }
};

// The first derivative along e and the second along e1 and e2, at a Hermitian a. Linear in every direction, which may
// be any matrix; symmetric in e1 and e2. Shapes: all [n, n, batch…].
Var HermitianFunctionDerivative(const ScalarFunction& f, const Var& a, const Var& e);
Var HermitianFunctionSecond(const ScalarFunction& f, const Var& a, const Var& e1, const Var& e2);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_HERMITIAN_FUNCTION_H_
