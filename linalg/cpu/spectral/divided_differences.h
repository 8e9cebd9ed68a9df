#ifndef TENFERRO_LINALG_CPU_SPECTRAL_DIVIDED_DIFFERENCES_H_
#define TENFERRO_LINALG_CPU_SPECTRAL_DIVIDED_DIFFERENCES_H_

#include "tenferro/linalg/hermitian_function.h"

namespace tenferro::linalg {

// f[x, y] and f[x, y, z]: the derivative, and half the second one, where the arguments are equal. Symmetric in every
// bit.
double DividedDifference(const ScalarFunction& f, double x, double y);
double DividedDifference(const ScalarFunction& f, double x, double y, double z);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_SPECTRAL_DIVIDED_DIFFERENCES_H_
