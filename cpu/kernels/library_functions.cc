#include "tenferro/cpu/kernels/library_functions.h"

#include <math.h>

namespace tenferro {

void LastExp(double* y, const double* x, int64_t count) {
  for (int64_t i = 0; i < count; ++i) y[i] = exp(x[i]);
}
void HalfExpOfSize(double* y, const double* x, int64_t count) {
  for (int64_t i = 0; i < count; ++i) y[i] = static_cast<double>(0.5L * expl(fabsl(x[i])));
}
void NegativeLgamma(float* y, const float* x, int64_t count) {
  int sign;
  for (int64_t i = 0; i < count; ++i) y[i] = x[i] < 0 ? static_cast<float>(lgamma_r(x[i], &sign)) : 0;
}
void NegativeLgamma(double* y, const double* x, int64_t count) {
  int sign;
  for (int64_t i = 0; i < count; ++i) y[i] = x[i] < 0 ? lgamma_r(x[i], &sign) : 0;
}

}  // namespace tenferro
