#ifndef TENFERRO_CPU_KERNELS_TRANSPOSE_H_
#define TENFERRO_CPU_KERNELS_TRANSPOSE_H_

#include "tenferro/cpu/kernels/families.h"

namespace tenferro {

constexpr int64_t kLineBytes = 64;

// Elements of a line of the cache, the side of the square tiles of a transposition; single bytes take smaller ones.
template <int kElementSize>
constexpr int64_t kTransposeTile = kElementSize == 1 ? 16 : kLineBytes / kElementSize;

// out[p + q·out_stride] = in[q + p·in_stride] for p < np, q < nq, both multiples of kTransposeTile. Elements have 1, 4,
// 8 or 16 bytes. With `streams` the lines of `out` are aligned and bypass the caches.
using TransposeFn = void (*)(int element_size, void* out, int64_t out_stride, const void* in, int64_t in_stride,
                             int64_t np, int64_t nq, bool streams);

#define TENFERRO_DECLARE_TRANSPOSE(isa, unused)                                                                       \
  namespace isa {                                                                                                     \
  void TransposeLines(int element_size, void* out, int64_t out_stride, const void* in, int64_t in_stride, int64_t np, \
                      int64_t nq, bool streams);                                                                      \
  }
TENFERRO_FOR_EACH_ISA(TENFERRO_DECLARE_TRANSPOSE)
#undef TENFERRO_DECLARE_TRANSPOSE

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_TRANSPOSE_H_
