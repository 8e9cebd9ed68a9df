#ifndef TENFERRO_CPU_KERNELS_VECTOR_H_
#define TENFERRO_CPU_KERNELS_VECTOR_H_

// Loops over tiles, for kernel files that are compiled once per instruction set in namespace TENFERRO_ISA. Everything
// is in an unnamed namespace: no function of one instruction set can replace that of another at link time.

#include <stddef.h>
#include <stdint.h>

#ifndef HWY_COMPILE_ONLY_STATIC
#define HWY_COMPILE_ONLY_STATIC 1
#endif
#include "hwy/highway.h"
#include "tenferro/cpu/kernels/tile.h"

namespace tenferro::TENFERRO_ISA {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::ScalableTag<T>;
template <class T>
using Vector = hn::Vec<Tag<T>>;
template <class T>
constexpr int64_t kLanes = HWY_MAX_BYTES / sizeof(T);

// `value` in every lane of a vector like `x`.
template <class V>
HWY_INLINE V Constant(V, double value) {
  return hn::Set(hn::DFromV<V>(), static_cast<hn::TFromV<V>>(value));
}

// IEEE 754-2019 maximum and minimum: NaN if either operand is, -0 < +0. hn::Max answers its second operand for NaN and
// for two zeros; the sign of a zero comes from "and" and "or" of equal operands.
template <class V>
HWY_INLINE V Maximum(V a, V b) {
  const V larger = hn::IfThenElse(hn::Eq(a, b), hn::And(a, b), hn::Max(a, b));
  return hn::IfThenElse(hn::IsNaN(a), a, larger);
}
template <class V>
HWY_INLINE V Minimum(V a, V b) {
  const V smaller = hn::IfThenElse(hn::Eq(a, b), hn::Or(a, b), hn::Min(a, b));
  return hn::IfThenElse(hn::IsNaN(a), a, smaller);
}

// Loads and stores of the first `count` lanes, 0 < count < kLanes<T>; what the other lanes load does not matter.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
template <class T>
HWY_INLINE Vector<T> LoadFirst(const T* from, int64_t count) {
  const Tag<T> d;
  return hn::MaskedLoad(hn::FirstN(d, static_cast<size_t>(count)), d, from);
}
template <class T>
HWY_INLINE void StoreFirst(Vector<T> x, T* to, int64_t count) {
  const Tag<T> d;
  hn::BlendedStore(x, hn::FirstN(d, static_cast<size_t>(count)), d, to);
}
#else
// A masked load of these instruction sets touches all lanes. Of two lanes only the first can be wanted; through memory
// more would wait for the stores.
template <class T>
HWY_INLINE Vector<T> LoadFirst(const T* from, int64_t count) {
  if constexpr (kLanes<T> == 2) {
    return hn::Set(Tag<T>(), *from);
  } else {
    T lanes[kLanes<T>] = {};
    for (int64_t i = 0; i < kLanes<T>; ++i) {
      if (i < count) lanes[i] = from[i];
    }
    return hn::LoadU(Tag<T>(), lanes);
  }
}
template <class T>
HWY_INLINE void StoreFirst(Vector<T> x, T* to, int64_t count) {
  if constexpr (kLanes<T> == 2) {
    *to = hn::GetLane(x);
  } else {
    T lanes[kLanes<T>];
    hn::StoreU(x, Tag<T>(), lanes);
    for (int64_t i = 0; i < kLanes<T>; ++i) {
      if (i < count) to[i] = lanes[i];
    }
  }
}
#endif

// Vectors of one pass of the main loop: enough to keep the load and store ports busy where F is a few instructions. One
// for F that costs more than its loads, to save code.
constexpr int kUnrolled = 4;
constexpr int kSingle = 1;

// to[i] = F(x[i], …) for i < n, a vector at a time. F is a lambda without captures.
template <class T, int kVectors, class F, class... X>
HWY_INLINE void Map(T* to, int64_t n, const X*... x) {
  const Tag<T> d;
  constexpr int64_t kN = kLanes<T>;
  const F f;
  int64_t i = 0;
  if constexpr (kVectors == kUnrolled) {
    for (; i <= n - kUnrolled * kN; i += kUnrolled * kN) {
      HWY_UNROLL(4)
      for (int64_t j = i; j < i + kUnrolled * kN; j += kN) hn::StoreU(f(hn::LoadU(d, x + j)...), d, to + j);
    }
  }
  for (; i < n; i += kN) {
    const int64_t count = n - i;
    const Vector<T> y = f((count >= kN ? hn::LoadU(d, x + i) : LoadFirst<T>(x + i, count))...);
    if (count >= kN) {
      hn::StoreU(y, d, to + i);
    } else {
      StoreFirst<T>(y, to + i, count);
    }
  }
}

// The same loops as TileFn. kParts is the number of T to an element: 2 for complex numbers, which F sees interleaved.
template <class T, int kVectors, int kParts, class F>
void Unary(void* out, const void* const* in, int64_t n) {
  Map<T, kVectors, F>(static_cast<T*>(out), n * kParts, static_cast<const T*>(in[0]));
}
template <class T, int kVectors, int kParts, class F>
void Binary(void* out, const void* const* in, int64_t n) {
  Map<T, kVectors, F>(static_cast<T*>(out), n * kParts, static_cast<const T*>(in[0]), static_cast<const T*>(in[1]));
}

}  // namespace
}  // namespace tenferro::TENFERRO_ISA

#endif  // TENFERRO_CPU_KERNELS_VECTOR_H_
