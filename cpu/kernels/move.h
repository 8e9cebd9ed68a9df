#ifndef TENFERRO_CPU_KERNELS_MOVE_H_
#define TENFERRO_CPU_KERNELS_MOVE_H_

#include "tenferro/cpu/kernels/tile.h"

namespace tenferro {

// Copies an array of any rank between two strided layouts: out[Σ i_k out_strides[k]] = in[Σ i_k in_strides[k]] for all
// i. Strides count elements; those of `in` may be 0 or negative, those of `out` negative but no element is written
// twice. Elements have 1, 4, 8 or 16 bytes and any alignment. Source and destination do not overlap.
void StridedCopy(Isa isa, int element_size, int rank, const int64_t* extents, void* out, const int64_t* out_strides,
                 const void* in, const int64_t* in_strides);

// How StridedCopy walks an array, found once for any number of copies and threads: the copy is cut into `pieces` of 4
// to 64 KB that may run in any order, in groups of any size, on any thread.
struct StridedCopyPlan {
  // Axes of extent 1 are dropped, and a tensor has at most 2^62 elements.
  static constexpr int kMaxRank = 62;
  enum class Kind : uint8_t { kRuns, kSplats, kTranspose, kElements };

  int64_t pieces;
  Kind kind;
  bool streams;      // past the caches: the array is larger than they are
  int element_size;  // neighbours that stay together make one element
  int rank;          // at least 2
  // Axis 0 is the one along which `out` is contiguous if there is one. With axis 1 it makes the plane that pieces are
  // blocks of.
  int64_t extents[kMaxRank];
  int64_t out_strides[kMaxRank];
  int64_t in_strides[kMaxRank];
  int64_t block[2];
};

StridedCopyPlan PlanStridedCopy(int element_size, int rank, const int64_t* extents, const int64_t* out_strides,
                                const int64_t* in_strides);

// Copies pieces begin <= piece < end.
void StridedCopyPieces(Isa isa, const StridedCopyPlan& plan, int64_t begin, int64_t end, void* out, const void* in);

// Fills out[0 … n) with elements begin … begin + n of a strided array, counted in column-major order (axis 0 fastest).
// Strides count elements and may be 0 (broadcast) or negative. Cost: fast where axis 0 has stride 1 or 0; an operand
// that is contiguous along another axis is better copied once with StridedCopy.
void GatherTile(int element_size, int rank, const int64_t* extents, const void* in, const int64_t* in_strides,
                int64_t begin, int64_t n, void* out);

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_MOVE_H_
