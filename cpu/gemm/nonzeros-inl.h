// Which elements of a row or column of a matrix are not zero.
#ifndef TENFERRO_CPU_GEMM_NONZEROS_INL_H_
#define TENFERRO_CPU_GEMM_NONZEROS_INL_H_

#include "tenferro/cpu/gemm/axis.h"
#include "tenferro/cpu/gemm/tile-inl.h"

namespace tenferro {
namespace TENFERRO_ISA {
namespace {  // kernels.cc alone includes this file

#if HWY_TARGET <= HWY_AVX3
HWY_INLINE uint64_t NonzeroBits(__m512d x) { return _mm512_cmp_pd_mask(x, _mm512_setzero_pd(), _CMP_NEQ_UQ); }
HWY_INLINE uint64_t NonzeroBits(__m256 x) { return _mm256_cmp_ps_mask(x, _mm256_setzero_ps(), _CMP_NEQ_UQ); }
template <class V>
HWY_INLINE uint64_t NonzeroBits(V x) {
  return NonzeroBits(x.raw);
}
#else
template <class V>
HWY_INLINE uint64_t NonzeroBits(V x) {
  const hn::DFromV<V> d;
  uint8_t lanes[8] = {};
  hn::StoreMaskBits(d, hn::Ne(x, hn::Zero(d)), lanes);
  return lanes[0];
}
#endif

// The bits of one column. Adds to `sums` what is 0 for finite elements and else NaN, which stays: to several of them in
// turn, since one alone would be waited for.
template <class T, bool kComplex, class V>
HWY_INLINE void ColumnNonzeros(const T* from, const GemmAxis& axis, bool grouped, uint64_t* bits, V (&sums)[4],
                               T& scalar_sum) {
  constexpr int kParts = kComplex ? 2 : 1;
  const hn::DFromV<V> d;
  constexpr int64_t kLanes = hn::MaxLanes(d);
  // Groups that fill four vectors.
  constexpr int64_t kGroups = 4 * kLanes / kNonzerosGroup;
  static_assert(kGroups > 0 && 64 % (kGroups * kNonzerosGroup) == 0);
  const V zero = hn::Zero(d);
  const auto bits_of = [&](const T* some, V& sum) HWY_ATTR {
    V x = hn::LoadU(d, some);
    if constexpr (kComplex) {
      V imaginary = x;
      hn::LoadInterleaved2(d, some, x, imaginary);
      sum = hn::MulAdd(imaginary, zero, sum);
      sum = hn::MulAdd(x, zero, sum);
      x = hn::Or(x, imaginary);  // ±0 only where both are
    } else {
      sum = hn::MulAdd(x, zero, sum);
    }
    return NonzeroBits(x);
  };
  uint64_t word = 0;
  int64_t i = 0;
  for (; grouped && i + kGroups * kNonzerosGroup <= axis.extent; i += kGroups * kNonzerosGroup) {
    uint64_t some = 0;
    HWY_UNROLL(4)
    for (int64_t v = 0; v < 4; ++v) {
      const int64_t first = v * kLanes / kNonzerosGroup * kNonzerosGroup, lane = v * kLanes % kNonzerosGroup;
      some |= bits_of(from + (OffsetOf(axis, i + first) + lane) * kParts, sums[v]) << (v * kLanes);
    }
    word |= some << (i % 64);
    if (i % 64 + kGroups * kNonzerosGroup == 64) {
      bits[i / 64] = word;
      word = 0;
    }
  }
  for (; i < axis.extent; ++i) {
    const T* const x = from + OffsetOf(axis, i) * kParts;
    bool is_zero = true;
    for (int part = 0; part < kParts; ++part) {
      is_zero &= x[part] == 0;
      scalar_sum += x[part] - x[part];
    }
    word |= static_cast<uint64_t>(!is_zero) << (i % 64);
    if (i % 64 == 63) {
      bits[i / 64] = word;
      word = 0;
    }
  }
  if (axis.extent % 64 != 0) bits[axis.extent / 64] = word;
}

// GemmKernel::nonzeros.
template <class T, bool kComplex>
bool Nonzeros(const void* data, const GemmAxis& axis, bool grouped, const GemmAxis& columns, uint64_t* bits,
              int64_t words) {
  const hn::CappedTag<T, kNonzerosGroup> d;
  using V = hn::Vec<decltype(d)>;
  V sums[4] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
  T scalar_sum = 0;
  for (int64_t q = 0; q < columns.extent; ++q) {
    const T* const column = static_cast<const T*>(data) + OffsetOf(columns, q) * (kComplex ? 2 : 1);
    ColumnNonzeros<T, kComplex>(column, axis, grouped, bits + q * words, sums, scalar_sum);
  }
  const V sum = hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]));
  return scalar_sum == 0 && hn::AllTrue(d, hn::Eq(sum, hn::Zero(d)));
}

}  // namespace
}  // namespace TENFERRO_ISA
}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_NONZEROS_INL_H_
