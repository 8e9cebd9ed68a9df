#ifndef TENFERRO_CPU_KERNELS_LIBRARY_FUNCTIONS_H_
#define TENFERRO_CPU_KERNELS_LIBRARY_FUNCTIONS_H_

#include <stdint.h>

namespace tenferro {

// The C library's functions, element by element, for the few arguments where SLEEF's leave their accuracy.

// exp(x) and exp(|x|)/2 near the largest numbers.
void LastExp(double* y, const double* x, int64_t count);
void HalfExpOfSize(double* y, const double* x, int64_t count);
// log |Γ(x)| where x < 0, and any number elsewhere: near its zeros there SLEEF's has no digits.
void NegativeLgamma(float* y, const float* x, int64_t count);
void NegativeLgamma(double* y, const double* x, int64_t count);

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_LIBRARY_FUNCTIONS_H_
