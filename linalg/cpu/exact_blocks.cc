#include <stdint.h>
#include <string.h>

#include "tenferro/linalg/cpu/arena.h"
#include "tenferro/linalg/cpu/isa_kernels.h"
#include "tenferro/linalg/cpu/lanes.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

// Bit i of `bits` says whether entry i of a column is not exactly zero.
template <class R, bool kComplex>
void FindNonzeros(const R* c, int64_t m, uint64_t* bits) {
  const Tag<R> d;
  const int64_t lanes = LaneCount<R>();
  for (int64_t first = 0; first < m; first += 64) {
    uint64_t word = 0;
    int64_t i = first;
    const int64_t last = first + 64 < m ? first + 64 : m;
    for (; i + lanes <= last; i += lanes) {
      uint8_t stored[8] = {};
      if constexpr (kComplex) {
        Vector<R> re, im;
        hn::LoadInterleaved2(d, c + 2 * i, re, im);
        hn::StoreMaskBits(d, hn::Or(hn::Ne(re, hn::Zero(d)), hn::Ne(im, hn::Zero(d))), stored);
      } else {
        hn::StoreMaskBits(d, hn::Ne(hn::LoadU(d, c + i), hn::Zero(d)), stored);
      }
      const uint64_t group = (stored[0] | uint64_t{stored[1]} << 8) & ((uint64_t{1} << lanes) - 1);
      word |= group << (i - first);
    }
    for (; i < last; ++i) {
      const bool nonzero = kComplex ? (c[2 * i] != 0) | (c[2 * i + 1] != 0) : c[i] != 0;
      word |= uint64_t{nonzero} << (i - first);
    }
    bits[first / 64] = word;
  }
}

// Calls f(i) for the set bits in ascending order.
template <class F>
void ForEachBit(const uint64_t* bits, int64_t words, const F& f) {
  for (int64_t w = 0; w < words; ++w) {
    for (uint64_t word = bits[w]; word != 0; word &= word - 1) f(64 * w + __builtin_ctzll(word));
  }
}

bool IsSubset(const uint64_t* bits, const uint64_t* of, int64_t words) {
  uint64_t outside = 0;
  for (int64_t w = 0; w < words; ++w) outside |= bits[w] & ~of[w];
  return outside == 0;
}

}  // namespace

template <class R, bool kComplex>
int64_t ExactBlocks(int64_t m, int64_t n, const R* a, int32_t* row_block, int32_t* column_block, Memory memory) {
  if (m == 0 || n == 0) {
    for (int64_t i = 0; i < m; ++i) row_block[i] = -1;
    for (int64_t j = 0; j < n; ++j) column_block[j] = -1;
    return 0;
  }
  // While columns are read, labels are 1, 2, … in the order of creation; 0 marks what no entry has touched yet.
  const int64_t words = (m + 63) / 64;
  Arena arena(memory);
  uint64_t* bits = arena.Allocate<uint64_t>(words);
  uint64_t** rows_of = arena.Allocate<uint64_t*>(n + 1);
  int32_t* merged_into = arena.Allocate<int32_t>(n + 1);
  merged_into[0] = 0;
  int32_t labels = 0;
  memset(row_block, 0, static_cast<size_t>(m) * sizeof(int32_t));
  for (int64_t j = 0; j < n; ++j) {
    FindNonzeros<R, kComplex>(a + j * m * (kComplex ? 2 : 1), m, bits);
    int64_t w = 0;
    while (w < words && bits[w] == 0) ++w;
    int32_t label = w < words ? row_block[64 * w + __builtin_ctzll(bits[w])] : 0;
    if (w == words || (label > 0 && IsSubset(bits, rows_of[label], words))) {
      column_block[j] = label;
      continue;
    }
    // The column joins rows of several labels, or new rows.
    ForEachBit(bits, words, [&](int64_t i) { label = label == 0 ? row_block[i] : label; });
    if (label == 0) {
      label = ++labels;
      rows_of[label] = arena.AllocateZeroed<uint64_t>(words);
      merged_into[label] = label;
    }
    column_block[j] = label;
    ForEachBit(bits, words, [&](int64_t i) {
      const int32_t other = row_block[i];
      if (other == label) return;
      row_block[i] = label;
      if (other == 0) return;
      merged_into[other] = label;
      ForEachBit(rows_of[other], words, [&](int64_t r) { row_block[r] = label; });
      for (int64_t v = 0; v < words; ++v) rows_of[label][v] |= rows_of[other][v];
    });
    for (int64_t v = 0; v < words; ++v) rows_of[label][v] |= bits[v];
  }
  int32_t* number = arena.AllocateZeroed<int32_t>(labels + 1);  // 0: none yet
  int32_t count = 0;
  for (int64_t i = 0; i < m; ++i) {
    if (row_block[i] > 0 && number[row_block[i]] == 0) number[row_block[i]] = ++count;
    row_block[i] = number[row_block[i]] - 1;
  }
  for (int64_t j = 0; j < n; ++j) {
    int32_t label = column_block[j];
    while (merged_into[label] != label) label = merged_into[label];
    column_block[j] = number[label] - 1;
  }
  return count;
}

#define TENFERRO_INSTANTIATE(R, kComplex) \
  template int64_t ExactBlocks<R, kComplex>(int64_t, int64_t, const R*, int32_t*, int32_t*, Memory);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
