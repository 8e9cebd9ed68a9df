#ifndef TENFERRO_EXPERIMENTS_SMALL_FUNCTION_H_
#define TENFERRO_EXPERIMENTS_SMALL_FUNCTION_H_

#include <cstdint>
#include <vector>

#include "tenferro/runtime/var.h"

namespace tenferro {

// f(x) = Σ sin(x)·x².
Var SmallFunction(const Var& x);
// Gradient, directional derivative along v, and Hessian times v.
Var SmallFunctionGrad(const Var& x);
Var SmallFunctionJvp(const Var& x, const Var& v);
Var SmallFunctionHvp(const Var& x, const Var& v);

// x_i = −2 + 4 i/(n − 1) and v_i = cos i.
std::vector<double> SmallFunctionPoints(int64_t n);
std::vector<double> SmallFunctionDirection(int64_t n);

}  // namespace tenferro

#endif  // TENFERRO_EXPERIMENTS_SMALL_FUNCTION_H_
