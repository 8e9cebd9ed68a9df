#ifndef TENFERRO_CPU_KERNELS_SLEEF_FUNCTIONS_H_
#define TENFERRO_CPU_KERNELS_SLEEF_FUNCTIONS_H_

// SLEEF's functions of at most 1.0 ULP (u10; u05: 0.5, u15: 1.5 ULP) on this instruction set's vectors, as overloads
// for f32 and f64.

#include <sleef.h>

#include "tenferro/cpu/kernels/vector.h"

#if HWY_TARGET == HWY_AVX3
#define TENFERRO_SLEEF_F32(function, ulp) Sleef_##function##f16_##ulp##avx512f
#define TENFERRO_SLEEF_F64(function, ulp) Sleef_##function##d8_##ulp##avx512f
#elif HWY_TARGET == HWY_AVX2
#define TENFERRO_SLEEF_F32(function, ulp) Sleef_##function##f8_##ulp##avx2
#define TENFERRO_SLEEF_F64(function, ulp) Sleef_##function##d4_##ulp##avx2
#elif HWY_TARGET == HWY_SSE4
#define TENFERRO_SLEEF_F32(function, ulp) Sleef_##function##f4_##ulp##sse4
#define TENFERRO_SLEEF_F64(function, ulp) Sleef_##function##d2_##ulp##sse4
#else
#define TENFERRO_SLEEF_F32(function, ulp) Sleef_##function##f4_##ulp##advsimd
#define TENFERRO_SLEEF_F64(function, ulp) Sleef_##function##d2_##ulp##advsimd
#endif

#define TENFERRO_SLEEF_UNARY(name, function, ulp)                                                                    \
  HWY_INLINE Vector<float> name(Vector<float> x) { return Vector<float>{TENFERRO_SLEEF_F32(function, ulp)(x.raw)}; } \
  HWY_INLINE Vector<double> name(Vector<double> x) { return Vector<double>{TENFERRO_SLEEF_F64(function, ulp)(x.raw)}; }
#define TENFERRO_SLEEF_BINARY(name, function, ulp)                          \
  HWY_INLINE Vector<float> name(Vector<float> x, Vector<float> y) {         \
    return Vector<float>{TENFERRO_SLEEF_F32(function, ulp)(x.raw, y.raw)};  \
  }                                                                         \
  HWY_INLINE Vector<double> name(Vector<double> x, Vector<double> y) {      \
    return Vector<double>{TENFERRO_SLEEF_F64(function, ulp)(x.raw, y.raw)}; \
  }

namespace tenferro::TENFERRO_ISA {
namespace {
namespace sleef {

TENFERRO_SLEEF_UNARY(Exp, exp, u10)
TENFERRO_SLEEF_UNARY(Expm1, expm1, u10)
TENFERRO_SLEEF_UNARY(Log, log, u10)
TENFERRO_SLEEF_UNARY(Log1p, log1p, u10)
TENFERRO_SLEEF_UNARY(Sin, sin, u10)
TENFERRO_SLEEF_UNARY(Cos, cos, u10)
TENFERRO_SLEEF_UNARY(Sinh, sinh, u10)
TENFERRO_SLEEF_UNARY(Cosh, cosh, u10)
TENFERRO_SLEEF_UNARY(Tanh, tanh, u10)
TENFERRO_SLEEF_UNARY(Exp2, exp2, u10)
TENFERRO_SLEEF_UNARY(Log2, log2, u10)
TENFERRO_SLEEF_UNARY(Log10, log10, u10)
TENFERRO_SLEEF_UNARY(Cbrt, cbrt, u10)
TENFERRO_SLEEF_UNARY(Tan, tan, u10)
TENFERRO_SLEEF_UNARY(Asin, asin, u10)
TENFERRO_SLEEF_UNARY(Acos, acos, u10)
TENFERRO_SLEEF_UNARY(Atan, atan, u10)
TENFERRO_SLEEF_UNARY(Asinh, asinh, u10)
TENFERRO_SLEEF_UNARY(Acosh, acosh, u10)
TENFERRO_SLEEF_UNARY(Atanh, atanh, u10)
TENFERRO_SLEEF_UNARY(Erf, erf, u10)
TENFERRO_SLEEF_UNARY(Erfc, erfc, u15)
TENFERRO_SLEEF_UNARY(Lgamma, lgamma, u10)
TENFERRO_SLEEF_BINARY(Pow, pow, u10)
TENFERRO_SLEEF_BINARY(Atan2, atan2, u10)
TENFERRO_SLEEF_BINARY(Hypot, hypot, u05)

}  // namespace sleef
}  // namespace
}  // namespace tenferro::TENFERRO_ISA

#undef TENFERRO_SLEEF_UNARY
#undef TENFERRO_SLEEF_BINARY
#undef TENFERRO_SLEEF_F32
#undef TENFERRO_SLEEF_F64

#endif  // TENFERRO_CPU_KERNELS_SLEEF_FUNCTIONS_H_
