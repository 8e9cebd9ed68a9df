#ifndef TENFERRO_CPU_KERNELS_LGAMMA_H_
#define TENFERRO_CPU_KERNELS_LGAMMA_H_

#include <stdint.h>

namespace tenferro {

// Puts log |Γ(x)| there, by the C library, where x < 0: near its zeros SLEEF's has lost all digits.
void MendLgamma(float* y, const float* x, int64_t count);
void MendLgamma(double* y, const double* x, int64_t count);

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_LGAMMA_H_
