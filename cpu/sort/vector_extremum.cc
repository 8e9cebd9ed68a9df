// The search for the extremum of a line, a block at a time.

#include "tenferro/cpu/sort/vector_extremum.h"

#include "tenferro/cpu/kernels/vector.h"

namespace tenferro::TENFERRO_ISA {
namespace {

template <class T>
constexpr bool kIsFloat = T(0.5) != T(0);

// x > best, or x is NaN.
template <bool kLargest, class V>
HWY_INLINE auto Better(V x, V best) {
  using T = hn::TFromV<V>;
  if constexpr (kIsFloat<T>) {
    return hn::Not(kLargest ? hn::Le(x, best) : hn::Ge(x, best));
  } else {
    return kLargest ? hn::Gt(x, best) : hn::Lt(x, best);
  }
}

template <class T, bool kLargest>
bool AnyBetterThan(const T* x, int64_t n, T number) {
  const Tag<T> d;
  const Vector<T> best = hn::Set(d, number);
  auto any = hn::MaskFromVec(hn::Zero(d));
  for (int64_t i = 0; i < n; i += kLanes<T>) any = hn::Or(any, Better<kLargest>(hn::LoadU(d, x + i), best));
  return !hn::AllFalse(d, any);
}

// Once NaN, a lane stays so: nothing is better than NaN but NaN.
template <class T, bool kLargest>
T ExtremumOf(const T* x, int64_t n) {
  const Tag<T> d;
  Vector<T> best = hn::LoadU(d, x);
  for (int64_t i = kLanes<T>; i < n; i += kLanes<T>) {
    const Vector<T> v = hn::LoadU(d, x + i);
    auto better = Better<kLargest>(v, best);
    if constexpr (kIsFloat<T>) better = hn::And(better, hn::Eq(best, best));
    best = hn::IfThenElse(better, v, best);
  }
  T lanes[kLanes<T>];
  hn::StoreU(best, d, lanes);
  T extremum = lanes[0];
  for (T lane : lanes) {
    if (lane != lane) return lane;
    if (kLargest ? lane > extremum : lane < extremum) extremum = lane;
  }
  return extremum;
}

template <class T>
bool AnyBetter(const T* x, int64_t n, T best, bool largest) {
  return largest ? AnyBetterThan<T, true>(x, n, best) : AnyBetterThan<T, false>(x, n, best);
}
template <class T>
T Extremum(const T* x, int64_t n, bool largest) {
  return largest ? ExtremumOf<T, true>(x, n) : ExtremumOf<T, false>(x, n);
}

}  // namespace

constexpr ExtremumLoops<float> kExtremumF32 = {AnyBetter<float>, Extremum<float>};
constexpr ExtremumLoops<double> kExtremumF64 = {AnyBetter<double>, Extremum<double>};
constexpr ExtremumLoops<int32_t> kExtremumI32 = {AnyBetter<int32_t>, Extremum<int32_t>};
constexpr ExtremumLoops<int64_t> kExtremumI64 = {AnyBetter<int64_t>, Extremum<int64_t>};

}  // namespace tenferro::TENFERRO_ISA
