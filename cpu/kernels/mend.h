#ifndef TENFERRO_CPU_KERNELS_MEND_H_
#define TENFERRO_CPU_KERNELS_MEND_H_

// What makes SLEEF's functions keep their accuracy, and independent of their neighbours, in every lane.

#include "tenferro/cpu/kernels/sleef_functions.h"
#include "tenferro/cpu/kernels/vector.h"

namespace tenferro::TENFERRO_ISA {
namespace {

template <class V>
constexpr bool kIsF32 = sizeof(hn::TFromV<V>) == 4;

// Replaces the lanes of `y` chosen by `wrong`, rarely any, by those of better().
template <class V, class M, class F>
HWY_INLINE V Mend(M wrong, V y, F better) {
  if (hn::AllFalse(hn::DFromV<V>(), wrong)) return y;
  return hn::IfThenElse(wrong, better(), y);
}

// f(x) = x·(1 + O(x²)) with x itself where it is the nearest number: SLEEF's may be the next one, or 0 for a denormal.
template <class V>
HWY_INLINE V OrTiny(V x, V y) {
  return hn::IfThenElse(hn::Lt(hn::Abs(x), Constant(x, kIsF32<V> ? 0x1p-13 : 0x1p-27)), x, y);
}

// f(y, x, count) on the lanes, by a function that is not compiled for this instruction set.
template <class V, class T = hn::TFromV<V>>
HWY_NOINLINE V ByLibrary(V x, void (*f)(T*, const T*, int64_t)) {
  T lanes[2][kLanes<T>];
  hn::StoreU(x, Tag<T>(), lanes[0]);
  f(lanes[1], lanes[0], kLanes<T>);
  return hn::LoadU(Tag<T>(), lanes[1]);
}

// A function of f32 by its kernel for f64.
template <class F, class... X>
HWY_INLINE Vector<float> InF64(F f, X... x) {
  const hn::Half<Tag<float>> half;
  const Tag<double> wide;
  const Vector<double> low = f(hn::PromoteTo(wide, hn::LowerHalf(half, x))...);
  const Vector<double> high = f(hn::PromoteTo(wide, hn::UpperHalf(half, x))...);
  return hn::Combine(Tag<float>(), hn::DemoteTo(half, high), hn::DemoteTo(half, low));
}

// SLEEF's sine, cosine and tangent choose the reduction of a whole vector's arguments by the largest of them. Here each
// range of its thresholds is evaluated apart, so that a result does not depend on the argument's neighbours.
template <class V, class F>
HWY_NOINLINE V EachRangeApart(V x, F f) {
  const hn::DFromV<V> d;
  const auto small = hn::Lt(hn::Abs(x), Constant(x, kIsF32<V> ? 125 : 15));
  const auto middle = hn::AndNot(small, hn::Lt(hn::Abs(x), Constant(x, kIsF32<V> ? 39000 : 1e14)));
  const V zero = Constant(x, 0);
  const V in_middle = Constant(x, 1000);
  V y = f(hn::IfThenElse(hn::Or(small, middle), Constant(x, 1e30), x));
  if (!hn::AllFalse(d, small)) y = hn::IfThenElse(small, f(hn::IfThenElse(small, x, zero)), y);
  if (!hn::AllFalse(d, middle)) y = hn::IfThenElse(middle, f(hn::IfThenElse(middle, x, in_middle)), y);
  return y;
}
template <class V, class F>
HWY_INLINE V ByRange(V x, F f) {
  const auto small = hn::Lt(hn::Abs(x), Constant(x, kIsF32<V> ? 125 : 15));
  return hn::AllTrue(hn::DFromV<V>(), small) ? f(x) : EachRangeApart(x, f);
}

// SLEEF overflows before the largest numbers.
template <class V>
HWY_INLINE V Log1p(V x) {
  const auto huge = hn::Gt(x, Constant(x, kIsF32<V> ? 1e37 : 1e306));
  // x²/2 must not count here.
  const auto tiny = hn::Lt(hn::Abs(x), Constant(x, kIsF32<V> ? 0x1p-25 : 0x1p-54));
  return Mend(huge, hn::IfThenElse(tiny, x, sleef::Log1p(x)), [&] { return sleef::Log(x); });
}

}  // namespace
}  // namespace tenferro::TENFERRO_ISA

#endif  // TENFERRO_CPU_KERNELS_MEND_H_
