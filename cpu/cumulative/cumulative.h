#ifndef TENFERRO_CPU_CUMULATIVE_CUMULATIVE_H_
#define TENFERRO_CPU_CUMULATIVE_CUMULATIVE_H_

#include <cstdint>

namespace tenferro {

enum class CumulativeKind : uint8_t { kSum, kProd, kMax, kMin, kLogSumExp, kRecurrence };

// Loops over lines of n elements. in[0] is x, or a with in[1] = b. Strides count elements; the first element of a line
// is the one that the walk begins with, so `step` is negative for a walk from the end.
struct CumulativeLoops {
  // `lines` lines, each `line_stride` after the other.
  void (*lines)(void* out, const void* const* in, int64_t n, int64_t step, int64_t lines, int64_t line_stride);
  // `columns` lines, each one element after the other: row by row. Null where there is nothing to gain.
  void (*rows)(void* out, const void* const* in, int64_t n, int64_t step, int64_t columns);
  double nanoseconds;  // an element, about
};

// Null loops where the operation does not take the dtype (an ElementCode).
CumulativeLoops FindCumulative(CumulativeKind kind, uint8_t dtype);

}  // namespace tenferro

#endif  // TENFERRO_CPU_CUMULATIVE_CUMULATIVE_H_
