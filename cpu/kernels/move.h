#ifndef TENFERRO_CPU_KERNELS_MOVE_H_
#define TENFERRO_CPU_KERNELS_MOVE_H_

#include "tenferro/cpu/kernels/tile.h"

namespace tenferro {

// Copies an array of any rank between two strided layouts: out[Σ i_k out_strides[k]] = in[Σ i_k in_strides[k]] for all i.
// Strides count elements; those of `in` may be 0 or negative, those of `out` negative but no element is written twice.
// Elements have 1, 4, 8 or 16 bytes. Source and destination do not overlap.
void StridedCopy(Isa isa, int element_size, int rank, const int64_t* extents, void* out, const int64_t* out_strides,
                 const void* in, const int64_t* in_strides);

// How StridedCopy walks an array, found once: axes merged and ordered for locality. Pieces [begin, end) of its `pieces` may
// be copied by different threads.
struct StridedCopyPlan {
  // Axes of extent 1 are dropped, and a tensor has at most 2^62 elements.
  static constexpr int kMaxRank = 62;
  int64_t pieces;
  int element_size;
  int rank;
  int64_t extents[kMaxRank];
  int64_t out_strides[kMaxRank];
  int64_t in_strides[kMaxRank];
};

StridedCopyPlan PlanStridedCopy(int element_size, int rank, const int64_t* extents, const int64_t* out_strides,
                                const int64_t* in_strides);

// Copies pieces begin <= piece < end. Pieces write disjoint elements; together they are the whole copy.
void StridedCopyPieces(Isa isa, const StridedCopyPlan& plan, int64_t begin, int64_t end, void* out, const void* in);

// Fills out[0 … n) with elements begin … begin + n of a strided array, counted in column-major order (axis 0 fastest).
// Strides count elements and may be 0 (broadcast) or negative.
void GatherTile(int element_size, int rank, const int64_t* extents, const void* in, const int64_t* in_strides,
                int64_t begin, int64_t n, void* out);

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_MOVE_H_
