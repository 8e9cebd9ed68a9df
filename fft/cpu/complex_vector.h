#ifndef TENFERRO_FFT_CPU_COMPLEX_VECTOR_H_
#define TENFERRO_FFT_CPU_COMPLEX_VECTOR_H_

#include <stdint.h>

#ifndef HWY_COMPILE_ONLY_STATIC
#define HWY_COMPILE_ONLY_STATIC 1
#endif
#include "hwy/highway.h"

namespace tenferro::fft::TENFERRO_ISA {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// At most 8 lanes, so that a last pass of radix 8 can be transposed in registers.
template <class T>
using Tag = hn::CappedTag<T, 8>;
template <class T>
constexpr int64_t kLanes = HWY_MAX_BYTES / sizeof(T) < 8 ? HWY_MAX_BYTES / sizeof(T) : 8;
template <class T>
using OneLane = hn::CappedTag<T, 1>;
template <class D>
inline constexpr int64_t kLanesOf = hn::MaxLanes(D());

template <class D>
struct Complex {
  hn::Vec<D> re, im;
};

template <class D>
HWY_INLINE Complex<D> operator+(const Complex<D>& a, const Complex<D>& b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}
template <class D>
HWY_INLINE Complex<D> operator-(const Complex<D>& a, const Complex<D>& b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}
// Every product of complex numbers is rounded like this one, so that a line has the same bits whichever lanes it is in.
template <class D>
HWY_INLINE Complex<D> operator*(const Complex<D>& a, const Complex<D>& b) {
  return {hn::MulSub(a.re, b.re, hn::Mul(a.im, b.im)), hn::MulAdd(a.re, b.im, hn::Mul(a.im, b.re))};
}
template <class D>
HWY_INLINE Complex<D> Scaled(const Complex<D>& a, hn::Vec<D> re, hn::Vec<D> im) {
  return {hn::Mul(a.re, re), hn::Mul(a.im, im)};
}
template <class D>
HWY_INLINE Complex<D> Conjugate(const Complex<D>& a) {
  return {a.re, hn::Neg(a.im)};
}
// −i·a.
template <class D>
HWY_INLINE Complex<D> TimesMinusI(const Complex<D>& a) {
  return {a.im, hn::Neg(a.re)};
}

// Pairs (re, im) of consecutive numbers.
template <class D, class T>
HWY_INLINE Complex<D> LoadPairs(D d, const T* from) {
  Complex<D> a;
  if constexpr (kLanesOf<D> == 1) {
    a.re = hn::Set(d, from[0]);
    a.im = hn::Set(d, from[1]);
  } else {
    hn::LoadInterleaved2(d, from, a.re, a.im);
  }
  return a;
}
template <class D, class T>
HWY_INLINE void StorePairs(D d, const Complex<D>& a, T* to) {
  if constexpr (kLanesOf<D> == 1) {
    to[0] = hn::GetLane(a.re);
    to[1] = hn::GetLane(a.im);
  } else {
    hn::StoreInterleaved2(a.re, a.im, d, to);
  }
}

// Real parts at `from`, imaginary parts `im` further on.
template <class D, class T>
HWY_INLINE Complex<D> LoadSplit(D d, const T* from, int64_t im) {
  return {hn::LoadU(d, from), hn::LoadU(d, from + im)};
}
template <class D, class T>
HWY_INLINE void StoreSplit(D d, const Complex<D>& a, T* to, int64_t im) {
  hn::StoreU(a.re, d, to);
  hn::StoreU(a.im, d, to + im);
}
// One number in all lanes.
template <class D, class T>
HWY_INLINE Complex<D> Repeated(D d, const T* pair) {
  return {hn::Set(d, pair[0]), hn::Set(d, pair[1])};
}

}  // namespace
}  // namespace tenferro::fft::TENFERRO_ISA

#endif  // TENFERRO_FFT_CPU_COMPLEX_VECTOR_H_
