#ifndef TENFERRO_CPU_KERNELS_SCALAR_ARITHMETIC_H_
#define TENFERRO_CPU_KERNELS_SCALAR_ARITHMETIC_H_

#include <cstdint>
#include <cstring>

// Arithmetic of single elements of any dtype, for kernels whose steps follow one another. The same results as the
// elementwise operations: integers (as unsigned types) wrap, a NaN stays, −0 < +0.
namespace tenferro::scalar {

template <class T>
struct Complex {
  T re, im;
};
template <class T>
inline constexpr bool kIsComplex = false;
template <class T>
inline constexpr bool kIsComplex<Complex<T>> = true;
template <class T>
inline constexpr bool kIsFloat = false;
template <>
inline constexpr bool kIsFloat<float> = true;
template <>
inline constexpr bool kIsFloat<double> = true;

template <class T>
inline T Add(T a, T b) {
  if constexpr (kIsComplex<T>) {
    return {a.re + b.re, a.im + b.im};
  } else {
    return static_cast<T>(a + b);
  }
}

template <class T>
inline T Multiply(T a, T b) {
  if constexpr (kIsComplex<T>) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  } else {
    return static_cast<T>(a * b);
  }
}

// The sign of an extremum of two zeros: that of +0 for the larger, of −0 for the smaller.
template <class T, bool kLarger>
inline T MergeZeros(T a, T b) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  uint64_t x = 0, y = 0;
  std::memcpy(&x, &a, sizeof a);
  std::memcpy(&y, &b, sizeof b);
  x = kLarger ? x & y : x | y;
  std::memcpy(&a, &x, sizeof a);
  return a;
}

template <class T>
inline T Larger(T a, T b) {
  if constexpr (kIsFloat<T>) {
    if (a == b) return MergeZeros<T, true>(a, b);
    return a != a || a > b ? a : b;
  } else {
    return a > b ? a : b;
  }
}

template <class T>
inline T Smaller(T a, T b) {
  if constexpr (kIsFloat<T>) {
    if (a == b) return MergeZeros<T, false>(a, b);
    return a != a || a < b ? a : b;
  } else {
    return a < b ? a : b;
  }
}

}  // namespace tenferro::scalar

#endif  // TENFERRO_CPU_KERNELS_SCALAR_ARITHMETIC_H_
