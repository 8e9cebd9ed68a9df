#ifndef TENFERRO_FFT_CPU_TRANSPOSE_H_
#define TENFERRO_FFT_CPU_TRANSPOSE_H_

#include "tenferro/fft/cpu/complex_vector.h"

namespace tenferro::fft::TENFERRO_ISA {
namespace {

// Lanes whose number has the bit kDistance move to the other vector: of a the upper ones of each pair of groups to b,
// of b the lower ones to a.
template <int kDistance, class D>
HWY_INLINE void ExchangeLanes(D d, hn::Vec<D>& a, hn::Vec<D>& b) {
  using T = hn::TFromD<D>;
  constexpr size_t kBytes = kDistance * sizeof(T), kVectorBytes = kLanesOf<D> * sizeof(T);
  hn::Vec<D> low, high;
  if constexpr (kBytes == 4) {
    low = hn::OddEven(hn::DupEven(b), a);
    high = hn::OddEven(b, hn::DupOdd(a));
  } else if constexpr (kBytes == 8) {
    const hn::Repartition<double, D> pairs;
    low = hn::BitCast(d, hn::InterleaveLower(pairs, hn::BitCast(pairs, a), hn::BitCast(pairs, b)));
    high = hn::BitCast(d, hn::InterleaveUpper(pairs, hn::BitCast(pairs, a), hn::BitCast(pairs, b)));
  } else if constexpr (kBytes == 16 && kVectorBytes == 64) {
    low = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a);
    high = hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a));
  } else {
    low = hn::ConcatLowerLower(d, b, a);
    high = hn::ConcatUpperUpper(d, b, a);
  }
  a = low;
  b = high;
}

// As many vectors as they have lanes.
template <int kDistance, class D>
HWY_INLINE void TransposeFrom(D d, hn::Vec<D>* rows) {
  constexpr int kCount = kLanesOf<D>;
  if constexpr (kDistance > 0) {
#pragma GCC unroll 8
    for (int i = 0; i < kCount; ++i) {
      if ((i & kDistance) == 0) ExchangeLanes<kDistance>(d, rows[i], rows[i + kDistance]);
    }
    TransposeFrom<kDistance / 2>(d, rows);
  }
}
template <class D>
HWY_INLINE void TransposeSquare(D d, hn::Vec<D>* rows) {
  TransposeFrom<static_cast<int>(kLanesOf<D>) / 2>(d, rows);
}

}  // namespace
}  // namespace tenferro::fft::TENFERRO_ISA

#endif  // TENFERRO_FFT_CPU_TRANSPOSE_H_
