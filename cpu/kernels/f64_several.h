#ifndef TENFERRO_CPU_KERNELS_F64_SEVERAL_H_
#define TENFERRO_CPU_KERNELS_F64_SEVERAL_H_

// Several of this instruction set's vectors of f64 at a time, step by step, so that the steps of one fill the waiting
// times of the others.

#include "tenferro/cpu/kernels/vector.h"

namespace tenferro::TENFERRO_ISA {
namespace {

// Elsewhere the error terms below would themselves be rounded.
constexpr bool kHasFma = HWY_TARGET != HWY_SSE4;

using Doubles = Vector<double>;
using Integers = hn::Vec<hn::RebindToSigned<Tag<double>>>;
using Lanes = hn::Mask<Tag<double>>;

constexpr int kTogether = 2;

// f for each of some vectors (or masks) together.
template <class V>
struct Several {
  V of[kTogether];
};
template <class F, class... X>
HWY_INLINE auto Each(F f, const Several<X>&... x) {
  Several<decltype(f(x.of[0]...))> y;
#pragma GCC unroll 4
  for (int i = 0; i < kTogether; ++i) y.of[i] = f(x.of[i]...);
  return y;
}
using F64 = Several<Doubles>;
using I64 = Several<Integers>;
using Choice = Several<Lanes>;

HWY_INLINE Doubles Splat(double value) { return hn::Set(Tag<double>(), value); }
HWY_INLINE F64 operator+(const F64& a, const F64& b) {
  return Each([](auto x, auto y) { return hn::Add(x, y); }, a, b);
}
HWY_INLINE F64 operator-(const F64& a, const F64& b) {
  return Each([](auto x, auto y) { return hn::Sub(x, y); }, a, b);
}
HWY_INLINE F64 operator*(const F64& a, const F64& b) {
  return Each([](auto x, auto y) { return hn::Mul(x, y); }, a, b);
}
HWY_INLINE F64 operator+(const F64& a, double b) {
  return Each([=](auto x) { return hn::Add(x, Splat(b)); }, a);
}
HWY_INLINE F64 operator-(const F64& a, double b) {
  return Each([=](auto x) { return hn::Sub(x, Splat(b)); }, a);
}
HWY_INLINE F64 operator-(double a, const F64& b) {
  return Each([=](auto x) { return hn::Sub(Splat(a), x); }, b);
}
HWY_INLINE F64 operator*(const F64& a, double b) {
  return Each([=](auto x) { return hn::Mul(x, Splat(b)); }, a);
}
// a·b + c and c − a·b, rounded once.
HWY_INLINE F64 MulAdd(const F64& a, const F64& b, const F64& c) {
  return Each([](auto x, auto y, auto z) { return hn::MulAdd(x, y, z); }, a, b, c);
}
HWY_INLINE F64 MulAdd(const F64& a, double b, double c) {
  return Each([=](auto x) { return hn::MulAdd(x, Splat(b), Splat(c)); }, a);
}
HWY_INLINE F64 MulAdd(const F64& a, double b, const F64& c) {
  return Each([=](auto x, auto z) { return hn::MulAdd(x, Splat(b), z); }, a, c);
}
HWY_INLINE F64 NegMulAdd(const F64& a, const F64& b, const F64& c) {
  return Each([](auto x, auto y, auto z) { return hn::NegMulAdd(x, y, z); }, a, b, c);
}
HWY_INLINE F64 NegMulAdd(const F64& a, double b, const F64& c) {
  return Each([=](auto x, auto z) { return hn::NegMulAdd(x, Splat(b), z); }, a, c);
}
HWY_INLINE F64 Choose(const Choice& where, const F64& yes, const F64& no) {
  return Each([](auto m, auto x, auto y) { return hn::IfThenElse(m, x, y); }, where, yes, no);
}
HWY_INLINE F64 Choose(const Choice& where, double yes, double no) {
  return Each([=](auto m) { return hn::IfThenElse(m, Splat(yes), Splat(no)); }, where);
}

}  // namespace
}  // namespace tenferro::TENFERRO_ISA

#endif  // TENFERRO_CPU_KERNELS_F64_SEVERAL_H_
