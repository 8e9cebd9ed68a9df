#ifndef TENFERRO_FFT_CPU_ISA_KERNELS_H_
#define TENFERRO_FFT_CPU_ISA_KERNELS_H_

#include <stdint.h>

#include "tenferro/fft/cpu/plan_tables.h"

namespace tenferro::fft {

// A transform's direction and factor: im_sign −1 makes it the inverse one.
template <class T>
struct Direction {
  T im_sign;
  T scale;
};

// One side of a tile of W lines, W the number of lanes. Rows are 2·W scalars, first the real parts of the lines'
// elements of one index, then the imaginary parts; or the side is memory of the user where those elements are
// neighbours. Element 0 at `data`, element i `row`·i scalars further.
template <class T>
struct TileSide {
  T* data;
  int64_t row;
  int64_t im;  // distance of the imaginary parts, where they are apart
  bool pairs;  // real and imaginary parts alternate
};

// Lines of scalars somewhere in memory. Scalar s of a line stands at (s / parts)·stride + s % parts.
template <class T>
struct Lines {
  T* first[8] = {};
  int64_t count;
  int64_t parts, stride;
};

// What a line of real numbers that is transformed as complex ones of half the length has before (or after) that.
template <class T>
struct HalfLine {
  int64_t half;    // complex numbers
  const T* roots;  // e^(−2πi·k/(2·half)) as pairs, k <= half/2
  T ends, inner;   // factors of the first and last frequency and of those between
};

// The kernels of one instruction set. Scalars are T; complex numbers are pairs.
template <class T>
struct Kernels {
  int64_t lanes;
  // One line. `workspace` has 2·plan.line_scalars; `out` may be `in`.
  void (*line)(const SmoothPlan<T>& plan, const T* in, T* out, T* workspace, Direction<T> direction);
  // A tile. `workspace` has two buffers of 2·W·n; `out` may be `in`, and either may be one of the buffers.
  void (*tile)(const SmoothPlan<T>& plan, TileSide<const T> in, TileSide<T> out, T* workspace, Direction<T> direction);
  // `scalars` of each line to rows of W scalars, those of odd number times im_sign; lanes without a line get 0.
  void (*gather)(const Lines<const T>& lines, int64_t scalars, T im_sign, T* rows);
  // `rows` rows of `tiles`·W neighbouring pairs, `stride` scalars apart, to as many tiles, each `tile_scalars` after
  // the other; imaginary parts times im_sign. And back, as `scatter`.
  void (*gather_tiles)(const T* from, int64_t stride, int64_t rows, int64_t tiles, T im_sign, T* to,
                       int64_t tile_scalars);
  void (*scatter_tiles)(const T* from, int64_t tile_scalars, int64_t tiles, int64_t rows, Direction<T> direction, T* to,
                        int64_t stride);
  // The way back from `gather`, all times `scale` and those of odd number times im_sign.
  void (*scatter)(const T* rows, int64_t scalars, Direction<T> direction, const Lines<T>& lines);
  // The transform of half the length to that of the real line, in place; x has half + 1 numbers. The tile has rows as
  // above.
  void (*finish_half_line)(const HalfLine<T>& half, T* x);
  void (*finish_half_tile)(const HalfLine<T>& half, T* tile);
  // The other way, to be followed by an inverse transform; the tile holds the conjugates, for a forward one whose
  // result is conjugated.
  void (*begin_half_line)(const HalfLine<T>& half, const T* x, T* z);
  void (*begin_half_tile)(const HalfLine<T>& half, const T* x, T* z);
  // Columns first … first + W − 1 (as many as there are) of a six-step transform: takes the transformed `tile`, turns
  // it and puts it where the rows' tiles are read.
  void (*turn_columns)(const SixStepPlan<T>& plan, const T* tile, int64_t first, T* workspace);
  // out[i] = in[i]·factors[i], pairs; imaginary parts of `in` times in_sign, the result times out.scale and its
  // imaginary parts times out.im_sign. `out` may be `in`.
  void (*multiply)(int64_t count, const T* in, const T* factors, T in_sign, T* out, Direction<T> direction);
};

#define TENFERRO_FFT_ISA_KERNELS(isa) \
  namespace isa {                     \
  template <class T>                  \
  void GetKernels(Kernels<T>* all);   \
  }
#if defined(__aarch64__)
TENFERRO_FFT_ISA_KERNELS(isa_neon)
#else
TENFERRO_FFT_ISA_KERNELS(isa_v2)
TENFERRO_FFT_ISA_KERNELS(isa_v3)
TENFERRO_FFT_ISA_KERNELS(isa_v4)
#endif
#undef TENFERRO_FFT_ISA_KERNELS

}  // namespace tenferro::fft

#endif  // TENFERRO_FFT_CPU_ISA_KERNELS_H_
