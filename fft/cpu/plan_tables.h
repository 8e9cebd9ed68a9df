#ifndef TENFERRO_FFT_CPU_PLAN_TABLES_H_
#define TENFERRO_FFT_CPU_PLAN_TABLES_H_

#include <stdint.h>

// What the kernels compiled for an instruction set read of a plan: numbers and tables, no more.
namespace tenferro::fft {

// Larger prime factors make a Bluestein transform cheaper than a pass of their own.
inline constexpr int64_t kLargestRadix = 61;
// 3^36 is the last power below the largest size of a tensor.
inline constexpr int kMostPasses = 40;
// Shorter lines are transformed several at a time.
inline constexpr int64_t kShortestSingleLine = 64;

// After the passes before it a line holds, for each t < left·radix, the transform of length `done` of the elements t, t
// + left·radix, …; this pass joins `radix` of them, t, t + left, …, to one of length done·radix:
//   out[t + left·(j + done·k)] = Σ_i w^(i·j) v^(i·k) in[t + left·i + left·radix·j],
// w the root of order done·radix and v that of order radix. The index t is contiguous before and after it, and in the
// end the frequencies stand in order without a permutation.
template <class T>
struct Pass {
  int64_t radix = 1;
  int64_t done = 1;
  int64_t left = 1;
  const T* roots = nullptr;          // of an odd radix: cosines and sines of 2πk/radix, in pairs
  const T* twiddles = nullptr;       // w^(i·j) as pairs, i = 1 … radix − 1 fastest; null where done is 1
  const T* lane_twiddles = nullptr;  // the same for `lanes` neighbouring (t, j), where t alone has not as many
};

// How a line that stands alone fills vectors in its last passes, whose t are fewer than lanes.
enum class SingleLine : uint8_t {
  kNone,    // too short
  kEights,  // the last radix is 8: eight rows transposed in registers
  kGather,  // elements are gathered one by one
};

// A transform of a length whose prime factors are small.
template <class T>
struct SmoothPlan {
  int64_t n = 1;
  int count = 0;
  SingleLine single = SingleLine::kNone;
  int64_t line_scalars = 0;  // of each of two buffers for a line that stands alone
  Pass<T> passes[kMostPasses];
};

// n = columns.n · rows.n: transforms of every rows.n-th element, a factor, transforms of what has the same residue.
template <class T>
struct SixStepPlan {
  SmoothPlan<T> columns, rows;
  const T* lane_roots = nullptr;    // w^(j·lane): for each j < columns.n real parts, then imaginary parts
  const T* column_roots = nullptr;  // w^(j·c) as pairs, j fastest, for each first column c of a tile
};

}  // namespace tenferro::fft

#endif  // TENFERRO_FFT_CPU_PLAN_TABLES_H_
