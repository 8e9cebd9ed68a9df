#ifndef TENFERRO_CPU_KERNELS_COMPLEX_VECTOR_H_
#define TENFERRO_CPU_KERNELS_COMPLEX_VECTOR_H_

// Complex numbers in vectors that hold real and imaginary parts in turn.

#include "tenferro/cpu/kernels/vector.h"

namespace tenferro::TENFERRO_ISA {
namespace {

// (re, im) -> (im, re) for each number.
template <class V>
HWY_INLINE V SwapParts(V z) {
  return hn::Reverse2(hn::DFromV<V>(), z);
}

template <class V>
HWY_INLINE V Conjugate(V z) {
  const hn::DFromV<V> d;
  return hn::Xor(z, hn::OddEven(hn::SignBit(d), hn::Zero(d)));
}

// Two products and their sum for each part, never a fused multiply-add: a·b = b·a in every bit, and z·conj(z) is real.
template <class V>
HWY_INLINE V Product(V a, V b) {
  const V by_real = hn::Mul(a, hn::DupEven(b));
  const V by_imag = hn::Mul(SwapParts(a), hn::DupOdd(b));
  return hn::OddEven(hn::Add(by_real, by_imag), hn::Sub(by_real, by_imag));
}

}  // namespace
}  // namespace tenferro::TENFERRO_ISA

#endif  // TENFERRO_CPU_KERNELS_COMPLEX_VECTOR_H_
