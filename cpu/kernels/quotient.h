#ifndef TENFERRO_CPU_KERNELS_QUOTIENT_H_
#define TENFERRO_CPU_KERNELS_QUOTIENT_H_

#include <stdint.h>

namespace tenferro {

// Looks again at complex quotients q = a/b (parts in turn, b not zero) of which both parts are NaN, and puts there what
// an infinite operand gives by C's Annex G: an infinity or a zero.
void MendQuotients(float* q, const float* a, const float* b, int64_t count);
void MendQuotients(double* q, const double* a, const double* b, int64_t count);

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_QUOTIENT_H_
