// Some elements of a column put together, and put back to their places among zeros.
#ifndef TENFERRO_CPU_GEMM_SPREAD_INL_H_
#define TENFERRO_CPU_GEMM_SPREAD_INL_H_

#include "tenferro/cpu/gemm/axis.h"
#include "tenferro/cpu/gemm/pack-inl.h"

namespace tenferro {
namespace TENFERRO_ISA {
namespace {  // kernels.cc alone includes this file

#if HWY_TARGET <= HWY_AVX3
// Eight places from `to` on: the next elements of `from` where a bit is set, else 0.
HWY_INLINE void SpreadGroup(float* to, const float* from, uint64_t bits) {
  _mm256_storeu_ps(to, _mm256_maskz_expand_ps(static_cast<__mmask8>(bits), _mm256_loadu_ps(from)));
}
HWY_INLINE void SpreadGroup(double* to, const double* from, uint64_t bits) {
  _mm512_storeu_pd(to, _mm512_maskz_expand_pd(static_cast<__mmask8>(bits), _mm512_loadu_pd(from)));
}
// Each of four bits twice: a number of 16 bytes is two doubles.
HWY_INLINE uint64_t Doubled(uint64_t bits) {
  const uint64_t pairs = ((bits & 15) | bits << 2) & 0x33;
  return ((pairs | pairs << 1) & 0x55) * 3;
}
HWY_INLINE void SpreadGroup(Wide* to, const Wide* from, uint64_t bits) {
  for (int half = 0; half < 2; ++half, bits >>= 4, to += 4) {
    SpreadGroup(to->parts, from->parts, Doubled(bits));
    from += __builtin_popcountll(bits & 15);
  }
}

// The elements of eight from `from` on whose bits are set, and more behind them.
HWY_INLINE void SqueezeGroup(float* to, const float* from, uint64_t bits) {
  _mm256_storeu_ps(to, _mm256_maskz_compress_ps(static_cast<__mmask8>(bits), _mm256_loadu_ps(from)));
}
HWY_INLINE void SqueezeGroup(double* to, const double* from, uint64_t bits) {
  const __m512d squeezed = _mm512_maskz_compress_pd(static_cast<__mmask8>(bits), _mm512_loadu_pd(from));
  // The shorter store seldom crosses a cache line.
  if (__builtin_popcountll(bits) <= 4) {
    _mm256_storeu_pd(to, _mm512_castpd512_pd256(squeezed));
  } else {
    _mm512_storeu_pd(to, squeezed);
  }
}
HWY_INLINE void SqueezeGroup(Wide* to, const Wide* from, uint64_t bits) {
  for (int half = 0; half < 2; ++half, bits >>= 4, from += 4) {
    SqueezeGroup(to->parts, from->parts, Doubled(bits));
    to += __builtin_popcountll(bits & 15);
  }
}
#endif

// GemmKernel::spread.
template <class E>
void Spread(void* to_data, const GemmAxis& axis, bool grouped, const uint64_t* bits, const void* from_data) {
  E* const to = static_cast<E*>(to_data);
  const E* from = static_cast<const E*>(from_data);
  int64_t i = 0;
#if HWY_TARGET <= HWY_AVX3
  static_assert(kNonzerosGroup == 8);
  for (; grouped && i + 8 <= axis.extent; i += 8) {
    const uint64_t byte = bits[i / 64] >> (i % 64) & 0xff;
    SpreadGroup(to + OffsetOf(axis, i), from, byte);
    from += __builtin_popcountll(byte);
  }
#else
  static_cast<void>(grouped);
#endif
  for (; i < axis.extent; ++i) {
    const uint64_t set = bits[i / 64] >> (i % 64) & 1;
    if (set != 0) {
      Move(to + OffsetOf(axis, i), from);
    } else {
      __builtin_memset(to + OffsetOf(axis, i), 0, sizeof(E));
    }
    from += set;
  }
}

// GemmKernel::squeeze.
template <class E>
void Squeeze(void* to_data, const void* from_data, const GemmAxis& axis, const uint64_t* bits) {
  E* to = static_cast<E*>(to_data);
  const E* const from = static_cast<const E*>(from_data);
  int64_t i = 0;
#if HWY_TARGET <= HWY_AVX3
  for (; i + 8 <= axis.extent; i += 8) {
    const uint64_t byte = bits[i / 64] >> (i % 64) & 0xff;
    SqueezeGroup(to, from + OffsetOf(axis, i), byte);
    to += __builtin_popcountll(byte);
  }
#endif
  for (; i < axis.extent; ++i) {
    Move(to, from + OffsetOf(axis, i));  // written over by the next one where it is not wanted
    to += bits[i / 64] >> (i % 64) & 1;
  }
}

}  // namespace
}  // namespace TENFERRO_ISA
}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_SPREAD_INL_H_
