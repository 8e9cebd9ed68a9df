// Real lines of even length as complex ones of half the length. With Z the transform of z[t] = x[2t] + i·x[2t + 1], h
// their number, w = e^(−2πi/(2h)), S = Z[k] + conj Z[h − k] and Q = −i·(Z[k] − conj Z[h − k]):
//   X[k] = (S + w^k·Q)/2, X[h − k] = conj(S − w^k·Q)/2.
// Source: J. W. Cooley, P. A. W. Lewis, P. D. Welch, J. Sound Vib. 12 (1970) 315.
#include "tenferro/fft/cpu/complex_vector.h"
#include "tenferro/fft/cpu/line.h"

namespace tenferro::fft::TENFERRO_ISA {
namespace {

template <class D>
struct Pair {
  Complex<D> low, high;  // at k and at half − k
};

template <class D>
HWY_INLINE Pair<D> Finish(const Complex<D>& a, const Complex<D>& b, const Complex<D>& root, hn::Vec<D> factor) {
  const Complex<D> conjugate = Conjugate(b);
  const Complex<D> even = a + conjugate, odd = root * TimesMinusI(a - conjugate);
  return {Scaled(even + odd, factor, factor), Scaled(Conjugate(even - odd), factor, factor)};
}

// P = conj(w^k)·(X[k] − conj X[h − k]): Z[k] = S + i·P, Z[h − k] = conj S + i·conj P.
template <class D>
HWY_INLINE Pair<D> Begin(const Complex<D>& a, const Complex<D>& b, const Complex<D>& root, hn::Vec<D> factor) {
  const Complex<D> conjugate = Conjugate(b);
  const Complex<D> even = Scaled(a + conjugate, factor, factor);
  const Complex<D> odd = Conjugate(root) * Scaled(a - conjugate, factor, factor);
  return {{hn::Sub(even.re, odd.im), hn::Add(even.im, odd.re)}, {hn::Add(even.re, odd.im), hn::Sub(odd.re, even.im)}};
}

template <class D>
HWY_INLINE Complex<D> Reversed(D d, const Complex<D>& a) {
  if constexpr (kLanesOf<D> == 1) {
    return a;
  } else {
    return {hn::Reverse(d, a.re), hn::Reverse(d, a.im)};
  }
}

// One vector's worth of pairs of a line from k on.
template <bool kFinish, class D, class T>
HWY_INLINE void PairsFrom(D d, const HalfLine<T>& half, int64_t k, const T* from, T* to) {
  constexpr int64_t W = kLanesOf<D>;
  const int64_t mirror = half.half - k - W + 1;
  const Complex<D> a = LoadPairs(d, from + 2 * k), b = Reversed(d, LoadPairs(d, from + 2 * mirror));
  const Complex<D> root = LoadPairs(d, half.roots + 2 * k);
  const auto factor = hn::Set(d, half.inner * T(0.5));
  const Pair<D> pair = kFinish ? Finish(a, b, root, factor) : Begin(a, b, root, factor);
  StorePairs(d, pair.low, to + 2 * k);
  StorePairs(d, Reversed(d, pair.high), to + 2 * mirror);
}

template <bool kFinish, class T>
void LinePairs(const HalfLine<T>& half, const T* from, T* to) {
  const int64_t end = (half.half + 1) / 2;
  int64_t k = 1;
  for (; k + kLanes<T> <= end; k += kLanes<T>) PairsFrom<kFinish>(Tag<T>(), half, k, from, to);
  for (; k < end; ++k) PairsFrom<kFinish>(OneLane<T>(), half, k, from, to);
}

template <bool kFinish, class T>
void TilePairs(const HalfLine<T>& half, const T* from, T* to) {
  const Tag<T> d;
  using D = Tag<T>;
  constexpr int64_t W = kLanes<T>;
  const auto factor = hn::Set(d, half.inner * T(0.5));
  for (int64_t k = 1; k < (half.half + 1) / 2; ++k) {
    const int64_t at = k * 2 * W, mirror = (half.half - k) * 2 * W;
    const Complex<D> a = LoadSplit(d, from + at, W), b = LoadSplit(d, from + mirror, W);
    const Complex<D> root = Repeated(d, half.roots + 2 * k);
    const Pair<D> pair = kFinish ? Finish(a, b, root, factor) : Begin(a, b, root, factor);
    StoreSplit(d, kFinish ? pair.low : Conjugate(pair.low), to + at, W);
    StoreSplit(d, kFinish ? pair.high : Conjugate(pair.high), to + mirror, W);
  }
}

}  // namespace

template <class T>
void FinishHalfLine(const HalfLine<T>& half, T* x) {
  const int64_t h = half.half;
  const T re = x[0], im = x[1];
  LinePairs<true>(half, x, x);
  if (h % 2 == 0) {
    x[h] *= half.inner;
    x[h + 1] *= -half.inner;
  }
  x[0] = (re + im) * half.ends;
  x[1] = 0;
  x[2 * h] = (re - im) * half.ends;
  x[2 * h + 1] = 0;
}

template <class T>
void FinishHalfTile(const HalfLine<T>& half, T* tile) {
  const Tag<T> d;
  constexpr int64_t W = kLanes<T>;
  const int64_t h = half.half;
  TilePairs<true>(half, tile, tile);
  if (h % 2 == 0) {
    const auto factor = hn::Set(d, half.inner);
    T* const row = tile + h * W;
    StoreSplit(d, Scaled(LoadSplit(d, row, W), factor, hn::Neg(factor)), row, W);
  }
  const auto a = LoadSplit(d, tile, W);
  const auto ends = hn::Set(d, half.ends);
  hn::StoreU(hn::Mul(hn::Add(a.re, a.im), ends), d, tile);
  hn::StoreU(hn::Zero(d), d, tile + W);
  hn::StoreU(hn::Mul(hn::Sub(a.re, a.im), ends), d, tile + h * 2 * W);
  hn::StoreU(hn::Zero(d), d, tile + h * 2 * W + W);
}

template <class T>
void BeginHalfLine(const HalfLine<T>& half, const T* x, T* z) {
  const int64_t h = half.half;
  LinePairs<false>(half, x, z);
  if (h % 2 == 0) {
    z[h] = x[h] * half.inner;
    z[h + 1] = x[h + 1] * -half.inner;
  }
  z[0] = (x[0] + x[2 * h]) * half.ends;
  z[1] = (x[0] - x[2 * h]) * half.ends;
}

template <class T>
void BeginHalfTile(const HalfLine<T>& half, const T* x, T* z) {
  const Tag<T> d;
  constexpr int64_t W = kLanes<T>;
  const int64_t h = half.half;
  TilePairs<false>(half, x, z);
  if (h % 2 == 0) {
    const auto factor = hn::Set(d, half.inner);
    StoreSplit(d, Scaled(LoadSplit(d, x + h * W, W), factor, factor), z + h * W, W);
  }
  const auto first = hn::LoadU(d, x), last = hn::LoadU(d, x + h * 2 * W), ends = hn::Set(d, half.ends);
  hn::StoreU(hn::Mul(hn::Add(first, last), ends), d, z);
  hn::StoreU(hn::Neg(hn::Mul(hn::Sub(first, last), ends)), d, z + W);
}

#define TENFERRO_INSTANTIATE(T)                                     \
  template void FinishHalfLine<T>(const HalfLine<T>&, T*);          \
  template void FinishHalfTile<T>(const HalfLine<T>&, T*);          \
  template void BeginHalfLine<T>(const HalfLine<T>&, const T*, T*); \
  template void BeginHalfTile<T>(const HalfLine<T>&, const T*, T*);
TENFERRO_INSTANTIATE(float)
TENFERRO_INSTANTIATE(double)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::fft::TENFERRO_ISA
