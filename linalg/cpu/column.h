#ifndef TENFERRO_LINALG_CPU_COLUMN_H_
#define TENFERRO_LINALG_CPU_COLUMN_H_

#include "tenferro/linalg/cpu/lanes.h"

// Loops over one column of a panel: `rows` reals that are a multiple of kPad<R>, imaginary parts `imag` further.
namespace tenferro::linalg::TENFERRO_ISA {

template <class R>
inline constexpr R kEpsilon = sizeof(R) == 8 ? R(2.220446049250313e-16) : R(1.1920929e-7f);

// A norm below this, in a matrix scaled to about 1, has squares whose rounding is no longer relative: take it for zero.
template <class R>
inline constexpr R kNegligible = sizeof(R) == 8 ? R(1e-140) : R(1e-15f);

// f.template operator()<kCount>(j) for groups of kCount neighbouring columns from j on: the more at once, the fewer
// loads of what they share.
template <bool kComplex, class F>
HWY_INLINE void ForColumnGroups(int64_t columns, const F& f) {
  int64_t j = 0;
  if constexpr (kManyRegisters && !kComplex) {
    for (; j + 8 <= columns; j += 8) f.template operator()<8>(j);
  }
  for (; j + 4 <= columns; j += 4) f.template operator()<4>(j);
  switch (columns - j) {
    case 3: return f.template operator()<3>(j);
    case 2: return f.template operator()<2>(j);
    case 1: return f.template operator()<1>(j);
  }
}

// xᴴy.
template <class R, bool kComplex>
HWY_INLINE Scalar<R> Dot(const R* x, int64_t x_imag, const R* y, int64_t y_imag, int64_t rows) {
  const int64_t lanes = LaneCount<R>();
  Lanes<R, kComplex> even = ZeroLanes<R, kComplex>(), odd = even;
  int64_t i = 0;
  for (; i + 2 * lanes <= rows; i += 2 * lanes) {
    even = ConjMulAdd(LoadLanes<R, kComplex>(x + i, x_imag), LoadLanes<R, kComplex>(y + i, y_imag), even);
    odd = ConjMulAdd(LoadLanes<R, kComplex>(x + i + lanes, x_imag), LoadLanes<R, kComplex>(y + i + lanes, y_imag), odd);
  }
  if (i < rows) even = ConjMulAdd(LoadLanes<R, kComplex>(x + i, x_imag), LoadLanes<R, kComplex>(y + i, y_imag), even);
  even.re = hn::Add(even.re, odd.re);
  if constexpr (kComplex) even.im = hn::Add(even.im, odd.im);
  return SumLanes(even);
}

template <class R, bool kComplex>
HWY_INLINE R SquaredNorm(const R* x, int64_t imag, int64_t rows) {
  const int64_t lanes = LaneCount<R>();
  Vector<R> even = hn::Zero(Tag<R>()), odd = even;
  int64_t i = 0;
  for (; i + 2 * lanes <= rows; i += 2 * lanes) {
    const Lanes<R, kComplex> a = LoadLanes<R, kComplex>(x + i, imag), b = LoadLanes<R, kComplex>(x + i + lanes, imag);
    even = hn::MulAdd(a.re, a.re, even);
    odd = hn::MulAdd(b.re, b.re, odd);
    if constexpr (kComplex) {
      even = hn::MulAdd(a.im, a.im, even);
      odd = hn::MulAdd(b.im, b.im, odd);
    }
  }
  if (i < rows) {
    const Lanes<R, kComplex> a = LoadLanes<R, kComplex>(x + i, imag);
    even = hn::MulAdd(a.re, a.re, even);
    if constexpr (kComplex) even = hn::MulAdd(a.im, a.im, even);
  }
  return Sum<R>(hn::Add(even, odd));
}

// y += c·x.
template <class R, bool kComplex>
HWY_INLINE void AddScaled(Scalar<R> c, const R* x, int64_t x_imag, R* y, int64_t y_imag, int64_t rows) {
  const int64_t lanes = LaneCount<R>();
  const Lanes<R, kComplex> factor = SetLanes<R, kComplex>(c);
  for (int64_t i = 0; i < rows; i += lanes) {
    StoreLanes(MulAdd(LoadLanes<R, kComplex>(x + i, x_imag), factor, LoadLanes<R, kComplex>(y + i, y_imag)), y + i,
               y_imag);
  }
}

// y = c·x for real c.
template <class R, bool kComplex>
HWY_INLINE void CopyScaled(R c, const R* x, int64_t x_imag, R* y, int64_t y_imag, int64_t rows) {
  const int64_t lanes = LaneCount<R>();
  const Vector<R> factor = hn::Set(Tag<R>(), c);
  for (int64_t i = 0; i < rows; i += lanes) {
    Lanes<R, kComplex> v = LoadLanes<R, kComplex>(x + i, x_imag);
    v.re = hn::Mul(v.re, factor);
    if constexpr (kComplex) v.im = hn::Mul(v.im, factor);
    StoreLanes(v, y + i, y_imag);
  }
}

template <class R, bool kComplex>
HWY_INLINE void ClearColumn(R* x, int64_t imag, int64_t rows) {
  const int64_t lanes = LaneCount<R>();
  for (int64_t i = 0; i < rows; i += lanes) StoreLanes(ZeroLanes<R, kComplex>(), x + i, imag);
}

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_COLUMN_H_
