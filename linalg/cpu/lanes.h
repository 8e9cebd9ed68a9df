#ifndef TENFERRO_LINALG_CPU_LANES_H_
#define TENFERRO_LINALG_CPU_LANES_H_

#define HWY_COMPILE_ONLY_STATIC 1
#include <hwy/highway.h>

#include "tenferro/linalg/cpu/panel.h"

namespace tenferro::linalg::TENFERRO_ISA {

namespace hn = hwy::HWY_NAMESPACE;

template <class R>
using Tag = hn::ScalableTag<R>;
template <class R>
using Vector = hn::Vec<Tag<R>>;

template <class R>
HWY_INLINE int64_t LaneCount() {
  return static_cast<int64_t>(hn::Lanes(Tag<R>()));
}

// 32 vector registers, or the 16 of SSE and AVX2.
#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3 || HWY_TARGET == HWY_AVX2
inline constexpr bool kManyRegisters = false;
#else
inline constexpr bool kManyRegisters = true;
#endif

template <class R>
HWY_INLINE R Sum(Vector<R> v) {
  return hn::GetLane(hn::SumOfLanes(Tag<R>(), v));
}

// A vector of scalars of either kind.
template <class R, bool kComplex>
struct Lanes {
  Vector<R> re;
  Vector<R> im;
};

template <class R, bool kComplex>
HWY_INLINE Lanes<R, kComplex> ZeroLanes() {
  return {hn::Zero(Tag<R>()), hn::Zero(Tag<R>())};
}

template <class R, bool kComplex>
HWY_INLINE Lanes<R, kComplex> LoadLanes(const R* p, int64_t imag) {
  Lanes<R, kComplex> v;
  v.re = hn::LoadU(Tag<R>(), p);
  if constexpr (kComplex) {
    v.im = hn::LoadU(Tag<R>(), p + imag);
  } else {
    v.im = hn::Zero(Tag<R>());
  }
  return v;
}

template <class R, bool kComplex>
HWY_INLINE void StoreLanes(const Lanes<R, kComplex>& v, R* p, int64_t imag) {
  hn::StoreU(v.re, Tag<R>(), p);
  if constexpr (kComplex) hn::StoreU(v.im, Tag<R>(), p + imag);
}

template <class R, bool kComplex>
HWY_INLINE Lanes<R, kComplex> SetLanes(Scalar<R> x) {
  return {hn::Set(Tag<R>(), x.re), hn::Set(Tag<R>(), x.im)};
}

// c + a·b.
template <class R, bool kComplex>
HWY_INLINE Lanes<R, kComplex> MulAdd(const Lanes<R, kComplex>& a, const Lanes<R, kComplex>& b,
                                     const Lanes<R, kComplex>& c) {
  Lanes<R, kComplex> r = c;
  r.re = hn::MulAdd(a.re, b.re, r.re);
  if constexpr (kComplex) {
    r.re = hn::NegMulAdd(a.im, b.im, r.re);
    r.im = hn::MulAdd(a.re, b.im, r.im);
    r.im = hn::MulAdd(a.im, b.re, r.im);
  }
  return r;
}

// c − a·b.
template <class R, bool kComplex>
HWY_INLINE Lanes<R, kComplex> NegMulAdd(const Lanes<R, kComplex>& a, const Lanes<R, kComplex>& b,
                                        const Lanes<R, kComplex>& c) {
  Lanes<R, kComplex> r = c;
  r.re = hn::NegMulAdd(a.re, b.re, r.re);
  if constexpr (kComplex) {
    r.re = hn::MulAdd(a.im, b.im, r.re);
    r.im = hn::NegMulAdd(a.re, b.im, r.im);
    r.im = hn::NegMulAdd(a.im, b.re, r.im);
  }
  return r;
}

// c + conj(a)·b.
template <class R, bool kComplex>
HWY_INLINE Lanes<R, kComplex> ConjMulAdd(const Lanes<R, kComplex>& a, const Lanes<R, kComplex>& b,
                                         const Lanes<R, kComplex>& c) {
  Lanes<R, kComplex> r = c;
  r.re = hn::MulAdd(a.re, b.re, r.re);
  if constexpr (kComplex) {
    r.re = hn::MulAdd(a.im, b.im, r.re);
    r.im = hn::MulAdd(a.re, b.im, r.im);
    r.im = hn::NegMulAdd(a.im, b.re, r.im);
  }
  return r;
}

template <class R, bool kComplex>
HWY_INLINE Scalar<R> SumLanes(const Lanes<R, kComplex>& v) {
  if constexpr (kComplex) return {Sum<R>(v.re), Sum<R>(v.im)};
  return {Sum<R>(v.re), R{0}};
}

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_LANES_H_
