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

// Columns taken side by side: what each row wants is found once for them, and their memory is read in as many streams.
// Past the last column it is taken again.
constexpr int64_t kSpreadColumns = HWY_TARGET <= HWY_AVX3 ? 4 : 1;

// GemmKernel::spread.
template <class E>
void Spread(void* to, const int64_t* columns, int64_t count, const GemmAxis& axis, bool grouped, const uint64_t* bits,
            const void* from, int64_t from_step) {
  for (int64_t first = 0; first < count; first += kSpreadColumns) {
    E* column[kSpreadColumns];
    const E* next[kSpreadColumns];
    HWY_UNROLL(4)
    for (int64_t q = 0; q < kSpreadColumns; ++q) {
      const int64_t one = first + q < count ? first + q : count - 1;
      column[q] = static_cast<E*>(to) + columns[one];
      next[q] = static_cast<const E*>(from) + one * from_step;
    }
    int64_t i = 0, taken = 0;
#if HWY_TARGET <= HWY_AVX3
    static_assert(kNonzerosGroup == 8);
    for (; grouped && i + 8 <= axis.extent; i += 8) {
      const uint64_t byte = bits[i / 64] >> (i % 64) & 0xff;
      const int64_t offset = OffsetOf(axis, i);
      HWY_UNROLL(4)
      for (int64_t q = 0; q < kSpreadColumns; ++q) SpreadGroup(column[q] + offset, next[q] + taken, byte);
      taken += __builtin_popcountll(byte);
    }
#else
    static_cast<void>(grouped);
#endif
    for (; i < axis.extent; ++i) {
      const int64_t set = bits[i / 64] >> (i % 64) & 1;
      for (int64_t q = 0; q < kSpreadColumns; ++q) {
        if (set != 0) {
          Move(column[q] + OffsetOf(axis, i), next[q] + taken);
        } else {
          __builtin_memset(column[q] + OffsetOf(axis, i), 0, sizeof(E));
        }
      }
      taken += set;
    }
  }
}

// GemmKernel::squeeze.
template <class E>
void Squeeze(void* to, int64_t to_step, const void* from, const int64_t* columns, int64_t count, const GemmAxis& axis,
             const uint64_t* bits) {
  for (int64_t first = 0; first < count; first += kSpreadColumns) {
    const E* column[kSpreadColumns];
    E* next[kSpreadColumns];
    HWY_UNROLL(4)
    for (int64_t q = 0; q < kSpreadColumns; ++q) {
      const int64_t one = first + q < count ? first + q : count - 1;
      column[q] = static_cast<const E*>(from) + columns[one];
      next[q] = static_cast<E*>(to) + one * to_step;
    }
    int64_t i = 0, put = 0;
#if HWY_TARGET <= HWY_AVX3
    for (; i + 8 <= axis.extent; i += 8) {
      const uint64_t byte = bits[i / 64] >> (i % 64) & 0xff;
      const int64_t offset = OffsetOf(axis, i);
      HWY_UNROLL(4)
      for (int64_t q = 0; q < kSpreadColumns; ++q) SqueezeGroup(next[q] + put, column[q] + offset, byte);
      put += __builtin_popcountll(byte);
    }
#endif
    for (; i < axis.extent; ++i) {
      // Written over by the next one where it is not wanted.
      for (int64_t q = 0; q < kSpreadColumns; ++q) Move(next[q] + put, column[q] + OffsetOf(axis, i));
      put += static_cast<int64_t>(bits[i / 64] >> (i % 64) & 1);
    }
  }
}

}  // namespace
}  // namespace TENFERRO_ISA
}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_SPREAD_INL_H_
