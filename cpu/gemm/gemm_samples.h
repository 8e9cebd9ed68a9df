#ifndef TENFERRO_CPU_GEMM_GEMM_SAMPLES_H_
#define TENFERRO_CPU_GEMM_GEMM_SAMPLES_H_

// What the tests of products share: dtypes, instruction sets, random elements, equality of bits.

#include <cmath>
#include <complex>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "gtest/gtest.h"
#include "tenferro/cpu/kernels/isa.h"
#include "tenferro/tensor/dtype.h"

namespace tenferro {

using GemmTypes = ::testing::Types<bool, int32_t, int64_t, uint8_t, uint32_t, uint64_t, float, double,
                                   std::complex<float>, std::complex<double>>;

using Random = std::mt19937_64;

inline int64_t Uniform(Random& random, int64_t low, int64_t high) {
  return std::uniform_int_distribution<int64_t>(low, high)(random);
}

template <class T>
inline constexpr bool kIsComplex = false;
template <class T>
inline constexpr bool kIsComplex<std::complex<T>> = true;
template <class T>
inline constexpr bool kIsReal = std::is_floating_point_v<T>;

// Those that compute T differently: integers have one kernel.
template <class T>
std::vector<Isa> SupportedIsas() {
  if (!kIsReal<T> && !kIsComplex<T>) return {BestIsa()};
  std::vector<Isa> isas;
  for (Isa isa : {Isa::kV2, Isa::kV3, Isa::kV4, Isa::kNeon}) {
    if (IsSupported(isa)) isas.push_back(isa);
  }
  return isas;
}

template <class T>
T RandomValue(Random& random, bool special) {
  if constexpr (kIsComplex<T>) {
    using R = typename T::value_type;
    return {RandomValue<R>(random, special), RandomValue<R>(random, special)};
  } else if constexpr (kIsReal<T>) {
    if (special && Uniform(random, 0, 9) == 0) {
      constexpr T kSpecial[] = {T(0),
                                T(-0.0),
                                std::numeric_limits<T>::infinity(),
                                -std::numeric_limits<T>::infinity(),
                                std::numeric_limits<T>::quiet_NaN(),
                                std::numeric_limits<T>::denorm_min(),
                                std::numeric_limits<T>::max()};
      return kSpecial[Uniform(random, 0, 6)];
    }
    return std::uniform_real_distribution<T>(-1, 1)(random);
  } else {
    return static_cast<T>(random());
  }
}

inline bool SameReal(double x, double y) {
  return std::isnan(x) ? std::isnan(y) : x == y && std::signbit(x) == std::signbit(y);
}

template <class T>
bool Same(T x, T y) {
  if constexpr (kIsComplex<T>) {
    return SameReal(x.real(), y.real()) && SameReal(x.imag(), y.imag());
  } else if constexpr (kIsReal<T>) {
    return SameReal(x, y);
  } else {
    return x == y;
  }
}

}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_GEMM_SAMPLES_H_
