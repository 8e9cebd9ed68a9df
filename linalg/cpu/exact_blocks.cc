#include <stdint.h>
#include <string.h>

#include "tenferro/linalg/cpu/arena.h"
#include "tenferro/linalg/cpu/isa_kernels.h"

namespace tenferro::linalg::TENFERRO_ISA {

template <class R, bool kComplex>
int64_t ExactBlocks(int64_t m, int64_t n, const R* a, int32_t* row_block, int32_t* column_block) {
  // While columns are read, labels are 1, 2, … in the order of creation; 0 marks what no entry has touched yet.
  Arena arena((n + 2) * int64_t{sizeof(int32_t)} + 64);
  int32_t* merged = arena.AllocateZeroed<int32_t>(n + 2);
  memset(row_block, 0, static_cast<size_t>(m) * sizeof(int32_t));
  uint32_t* row = reinterpret_cast<uint32_t*>(row_block);
  uint32_t labels = 0;
  for (int64_t j = 0; j < n; ++j) {
    const R* c = a + j * m * (kComplex ? 2 : 1);
    uint32_t low = ~uint32_t{0}, high = 0;
    for (int64_t i = 0; i < m; ++i) {
      const bool edge = kComplex ? (c[2 * i] != 0) | (c[2 * i + 1] != 0) : c[i] != 0;
      const uint32_t for_low = edge ? row[i] : ~uint32_t{0}, for_high = edge ? row[i] : 0;
      low = for_low < low ? for_low : low;
      high = for_high > high ? for_high : high;
    }
    if (low == ~uint32_t{0}) {
      column_block[j] = 0;
      continue;
    }
    if (low == high && low > 0) {
      column_block[j] = static_cast<int32_t>(low);
      continue;
    }
    // The column joins rows of several labels, or new ones, under the highest.
    const uint32_t target = high > 0 ? high : ++labels;
    column_block[j] = static_cast<int32_t>(target);
    bool any_merged = false;
    for (int64_t i = 0; i < m; ++i) {
      const bool edge = kComplex ? (c[2 * i] != 0) | (c[2 * i + 1] != 0) : c[i] != 0;
      if (!edge || row[i] == target) continue;
      if (row[i] > 0) {
        merged[row[i]] = 1;
        any_merged = true;
      }
      row[i] = target;
    }
    // At most one such pass for every label there ever was: O((m + n)·n) in all.
    if (!any_merged) continue;
    for (int64_t i = 0; i < m; ++i) {
      if (merged[row[i]] != 0) row[i] = target;
    }
    for (int64_t i = 0; i < j; ++i) {
      if (merged[column_block[i]] != 0) column_block[i] = static_cast<int32_t>(target);
    }
    memset(merged, 0, static_cast<size_t>(n + 2) * sizeof(int32_t));
  }
  int32_t* number = merged;  // by label, 0: none yet
  int32_t count = 0;
  for (int64_t i = 0; i < m; ++i) {
    if (row_block[i] > 0 && number[row_block[i]] == 0) number[row_block[i]] = ++count;
    row_block[i] = number[row_block[i]] - 1;
  }
  for (int64_t j = 0; j < n; ++j) column_block[j] = number[column_block[j]] - 1;
  return count;
}

#define TENFERRO_INSTANTIATE(R, kComplex) \
  template int64_t ExactBlocks<R, kComplex>(int64_t, int64_t, const R*, int32_t*, int32_t*);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
