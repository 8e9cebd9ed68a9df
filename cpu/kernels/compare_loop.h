#ifndef TENFERRO_CPU_KERNELS_COMPARE_LOOP_H_
#define TENFERRO_CPU_KERNELS_COMPARE_LOOP_H_

// Comparisons as tiles, for kernel files that are compiled once per instruction set.

#include "tenferro/cpu/kernels/vector.h"

namespace tenferro::TENFERRO_ISA {
namespace {

// Bits to bytes of 0 or 1: bit k goes to byte k. Adding 127 carries whichever bit is set to the top of its byte.
HWY_INLINE uint64_t SpreadBits(uint64_t bits) {
  const uint64_t ones = (bits & 0xff) * 0x0101010101010101u & 0x8040201008040201u;
  return (ones + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
}

// to[i] = F(a[i], b[i]) as a byte, 8 or more at a time; with all bits of `complement` set the opposite.
template <class T, class F>
HWY_NOINLINE void CompareLoop(uint8_t* to, const T* a, const T* b, int64_t n, uint64_t complement) {
  const Tag<T> d;
  constexpr int64_t kN = kLanes<T>;
  constexpr int64_t kBlock = kN < 8 ? 8 : kN;
  for (int64_t i = 0; i < n; i += kBlock, a += kBlock, b += kBlock, to += kBlock) {
    const int64_t count = n - i < kBlock ? n - i : kBlock;
    uint64_t bits = 0;
    HWY_UNROLL(4)
    for (int64_t j = 0; j < kBlock; j += kN) {
      if (j >= count) break;
      const bool whole = j + kN <= count;
      const auto x = whole ? hn::LoadU(d, a + j) : LoadFirst<T>(a + j, count - j);
      const auto y = whole ? hn::LoadU(d, b + j) : LoadFirst<T>(b + j, count - j);
      uint8_t mask[8] = {};
      hn::StoreMaskBits(d, F()(x, y), mask);
      uint64_t word = 0;
      memcpy(&word, mask, (kN + 7) / 8);  // what was stored and no more: a longer load would wait for the stores
      bits |= word << j;
    }
    bits ^= complement;
    if (count == kBlock) {
      for (int64_t j = 0; j < kBlock; j += 8) {
        const uint64_t bytes = SpreadBits(bits >> j);
        memcpy(to + j, &bytes, 8);
      }
    } else {
      for (int64_t j = 0; j < count; ++j) to[j] = bits >> j & 1;
    }
  }
}

// One loop for a comparison, that with the operands swapped, and the opposite of both.
template <class T, class F, bool kSwapped, bool kComplement>
void Compare(void* out, const void* const* in, int64_t n) {
  CompareLoop<T, F>(static_cast<uint8_t*>(out), static_cast<const T*>(in[kSwapped]),
                    static_cast<const T*>(in[!kSwapped]), n, kComplement ? ~uint64_t{0} : 0);
}

}  // namespace
}  // namespace tenferro::TENFERRO_ISA

#endif  // TENFERRO_CPU_KERNELS_COMPARE_LOOP_H_
