#include "tenferro/cpu/kernels/lgamma.h"

#include <math.h>

namespace tenferro {

void MendLgamma(float* y, const float* x, int64_t count) {
  int sign;
  for (int64_t i = 0; i < count; ++i) {
    if (x[i] < 0) y[i] = static_cast<float>(::lgamma_r(static_cast<double>(x[i]), &sign));
  }
}
void MendLgamma(double* y, const double* x, int64_t count) {
  int sign;
  for (int64_t i = 0; i < count; ++i) {
    if (x[i] < 0) y[i] = ::lgamma_r(x[i], &sign);
  }
}

}  // namespace tenferro
