// Which elements of a row or column of a matrix are not zero.
#ifndef TENFERRO_CPU_GEMM_NONZEROS_INL_H_
#define TENFERRO_CPU_GEMM_NONZEROS_INL_H_

#include "tenferro/cpu/gemm/axis.h"
#include "tenferro/cpu/gemm/tile-inl.h"

namespace tenferro {
namespace TENFERRO_ISA {
namespace {  // kernels.cc alone includes this file

// GemmKernel::nonzeros.
template <class T, bool kComplex>
bool Nonzeros(const void* data, const GemmAxis& axis, bool grouped, uint64_t* bits) {
  constexpr int kParts = kComplex ? 2 : 1;
  const hn::CappedTag<T, kNonzerosGroup> d;
  constexpr int64_t kLanes = hn::MaxLanes(d);
  const T* const from = static_cast<const T*>(data);
  // x − x is 0 for a finite x, NaN for others, and a NaN stays.
  T not_finite_scalar = 0;
  uint64_t word = 0;
  int64_t i = 0;
  using V = hn::Vec<decltype(d)>;
  const auto byte_of = [&](int64_t first, V& not_finite) HWY_ATTR {
    const T* const group = from + OffsetOf(axis, first) * kParts;
    uint64_t byte = 0;
    for (int64_t lane = 0; lane < kNonzerosGroup; lane += kLanes) {
      V x = hn::LoadU(d, group + lane * kParts);
      if constexpr (kComplex) {
        V imaginary = x;
        hn::LoadInterleaved2(d, group + lane * kParts, x, imaginary);
        not_finite = hn::Add(not_finite, hn::Sub(imaginary, imaginary));
        not_finite = hn::Add(not_finite, hn::Sub(x, x));
        x = hn::Add(hn::Abs(x), hn::Abs(imaginary));  // 0 only where both are
      } else {
        not_finite = hn::Add(not_finite, hn::Sub(x, x));
      }
      uint8_t lanes[8] = {};
      hn::StoreMaskBits(d, hn::Ne(x, hn::Zero(d)), lanes);
      byte |= static_cast<uint64_t>(lanes[0]) << lane;
    }
    return byte;
  };
  // Several chains of sums: one alone would be waited for.
  V chains[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  if (grouped) {
    static_assert(64 % (4 * kNonzerosGroup) == 0);
    for (; i + 4 * kNonzerosGroup <= axis.extent; i += 4 * kNonzerosGroup) {
      uint64_t bytes = 0;
      HWY_UNROLL(4)
      for (int64_t c = 0; c < 4; ++c) {
        bytes |= byte_of(i + c * kNonzerosGroup, chains[c]) << (c * kNonzerosGroup);
      }
      word |= bytes << (i % 64);
      if (i % 64 != 0) {
        bits[i / 64] = word;
        word = 0;
      }
    }
    for (; i + kNonzerosGroup <= axis.extent; i += kNonzerosGroup) word |= byte_of(i, chains[0]) << (i % 64);
  }
  for (; i < axis.extent; ++i) {
    const T* const x = from + OffsetOf(axis, i) * kParts;
    bool is_zero = true;
    for (int part = 0; part < kParts; ++part) {
      is_zero &= x[part] == 0;
      not_finite_scalar += x[part] - x[part];
    }
    word |= static_cast<uint64_t>(!is_zero) << (i % 64);
    if (i % 64 == 63) {
      bits[i / 64] = word;
      word = 0;
    }
  }
  if (axis.extent % 64 != 0) bits[axis.extent / 64] = word;
  const V not_finite = hn::Add(hn::Add(chains[0], chains[1]), hn::Add(chains[2], chains[3]));
  return not_finite_scalar == 0 && hn::AllTrue(d, hn::Eq(not_finite, hn::Zero(d)));
}

}  // namespace
}  // namespace TENFERRO_ISA
}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_NONZEROS_INL_H_
