#ifndef TENFERRO_FFT_CPU_BUTTERFLY_H_
#define TENFERRO_FFT_CPU_BUTTERFLY_H_

#include "tenferro/fft/cpu/complex_vector.h"

// Transforms v[k] ← Σ_i e^(−2πi·ik/R) v[i] of R numbers in registers.
namespace tenferro::fft::TENFERRO_ISA {
namespace {

template <class D>
HWY_INLINE void Butterfly2(Complex<D>& a, Complex<D>& b) {
  const Complex<D> sum = a + b;
  b = a - b;
  a = sum;
}

template <class D>
HWY_INLINE void Butterfly4(Complex<D>& v0, Complex<D>& v1, Complex<D>& v2, Complex<D>& v3) {
  const Complex<D> even = v0 + v2, odd = v1 + v3;
  const Complex<D> a = v0 - v2, b = v1 - v3;
  v0 = even + odd;
  v2 = even - odd;
  v1 = {hn::Add(a.re, b.im), hn::Sub(a.im, b.re)};
  v3 = {hn::Sub(a.re, b.im), hn::Add(a.im, b.re)};
}

template <class D>
HWY_INLINE void Butterfly8(D d, Complex<D>* v) {
  const auto root = hn::Set(d, static_cast<hn::TFromD<D>>(0.70710678118654752440084436210484903928L));
  for (int i = 0; i < 4; ++i) Butterfly2(v[i], v[i + 4]);
  const Complex<D> b1 = v[5], b2 = v[6], b3 = v[7];
  v[5] = {hn::Mul(hn::Add(b1.re, b1.im), root), hn::Mul(hn::Sub(b1.im, b1.re), root)};
  v[6] = TimesMinusI(b2);
  v[7] = {hn::Mul(hn::Sub(b3.im, b3.re), root), hn::Neg(hn::Mul(hn::Add(b3.re, b3.im), root))};
  Butterfly4(v[0], v[1], v[2], v[3]);
  Butterfly4(v[4], v[5], v[6], v[7]);
  const Complex<D> x1 = v[4], x2 = v[1], x3 = v[5], x4 = v[2], x5 = v[6], x6 = v[3];
  v[1] = x1;
  v[2] = x2;
  v[3] = x3;
  v[4] = x4;
  v[5] = x5;
  v[6] = x6;
}

// Odd R by sums and differences of v[i] and v[R − i]; `roots` are pairs of cos and sin 2πk/R.
template <int R, class D, class T>
HWY_INLINE void OddButterfly(D d, Complex<D>* v, const T* roots) {
  constexpr int kHalf = (R - 1) / 2;
  Complex<D> sum[kHalf], difference[kHalf];
  Complex<D> all = v[0];
#pragma GCC unroll 8
  for (int i = 0; i < kHalf; ++i) {
    sum[i] = v[i + 1] + v[R - 1 - i];
    difference[i] = v[i + 1] - v[R - 1 - i];
    all = all + sum[i];
  }
#pragma GCC unroll 8
  for (int k = 1; k <= kHalf; ++k) {
    auto cosine = hn::Set(d, roots[2 * k]), sine = hn::Set(d, roots[2 * k + 1]);
    Complex<D> even = {hn::MulAdd(cosine, sum[0].re, v[0].re), hn::MulAdd(cosine, sum[0].im, v[0].im)};
    Complex<D> odd = {hn::Mul(sine, difference[0].re), hn::Mul(sine, difference[0].im)};
#pragma GCC unroll 8
    for (int i = 1; i < kHalf; ++i) {
      const int at = (i + 1) * k % R;
      cosine = hn::Set(d, roots[2 * at]);
      sine = hn::Set(d, roots[2 * at + 1]);
      even = {hn::MulAdd(cosine, sum[i].re, even.re), hn::MulAdd(cosine, sum[i].im, even.im)};
      odd = {hn::MulAdd(sine, difference[i].re, odd.re), hn::MulAdd(sine, difference[i].im, odd.im)};
    }
    v[k] = {hn::Add(even.re, odd.im), hn::Sub(even.im, odd.re)};
    v[R - k] = {hn::Sub(even.re, odd.im), hn::Add(even.im, odd.re)};
  }
  v[0] = all;
}

// The same for any odd radix.
template <class D, class T>
HWY_INLINE void OddButterfly(D d, int64_t radix, Complex<D>* v, const T* roots) {
  const int64_t half = (radix - 1) / 2;
  Complex<D> all = v[0];
  for (int64_t i = 1; i <= half; ++i) {
    Butterfly2(v[i], v[radix - i]);
    all = all + v[i];
  }
  Complex<D> result[2 * 32];
  for (int64_t k = 1; k <= half; ++k) {
    Complex<D> even = v[0], odd = {hn::Zero(d), hn::Zero(d)};
    int64_t at = 0;
    for (int64_t i = 1; i <= half; ++i) {
      at += k;
      if (at >= radix) at -= radix;
      const auto cosine = hn::Set(d, roots[2 * at]), sine = hn::Set(d, roots[2 * at + 1]);
      even = {hn::MulAdd(cosine, v[i].re, even.re), hn::MulAdd(cosine, v[i].im, even.im)};
      odd = {hn::MulAdd(sine, v[radix - i].re, odd.re), hn::MulAdd(sine, v[radix - i].im, odd.im)};
    }
    result[k] = {hn::Add(even.re, odd.im), hn::Sub(even.im, odd.re)};
    result[radix - k] = {hn::Sub(even.re, odd.im), hn::Add(even.im, odd.re)};
  }
  v[0] = all;
  for (int64_t k = 1; k < radix; ++k) v[k] = result[k];
}

// Radix 0 stands for the odd `radix` of the argument.
template <int R, class D, class T>
HWY_INLINE void Butterfly(D d, int64_t radix, Complex<D>* v, const T* roots) {
  if constexpr (R == 0) {
    OddButterfly(d, radix, v, roots);
  } else if constexpr (R == 2) {
    Butterfly2(v[0], v[1]);
  } else if constexpr (R == 4) {
    Butterfly4(v[0], v[1], v[2], v[3]);
  } else if constexpr (R == 8) {
    Butterfly8(d, v);
  } else if constexpr (R > 1) {
    OddButterfly<R>(d, v, roots);
  }
}

}  // namespace
}  // namespace tenferro::fft::TENFERRO_ISA

#endif  // TENFERRO_FFT_CPU_BUTTERFLY_H_
