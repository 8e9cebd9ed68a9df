#ifndef TENFERRO_CPU_GEMM_KERNELS_H_
#define TENFERRO_CPU_GEMM_KERNELS_H_

// What an instruction set contributes to the product of one dtype. Plain declarations only: kernel files of every
// instruction set include this header. The loops around them are compiled once, for all.
#include <stdint.h>

#include "tenferro/cpu/gemm/gemm.h"

namespace tenferro {

// Terms of one chain of sums. It is part of the result's definition: a change of it changes bits.
constexpr int64_t kDepthBlock = 256;

// The sum of a single element of C with at least kLongDot terms: chains of at most kDepthBlock terms that take turns,
// as many as kDotChainBytes hold elements. They are part of the result's definition too.
constexpr int64_t kLongDot = 512;
constexpr int64_t kDotChainBytes = 128;

// What the tiles of one product have in common. Steps are in bytes.
struct TileShape {
  int64_t depth;          // terms of the sum, at most kDepthBlock
  int64_t a_step;         // from A's column p to p + 1; its rows are contiguous
  int64_t b_step;         // from B's row p to p + 1
  int64_t b_column_step;  // between B's columns
  int64_t c_column_step;  // between C's columns; its rows are contiguous
  bool keep;              // the sum is added to C, otherwise to `zero`
  double zero = 0;        // -0 makes the sum come out as it is, where it is -0 too
  // Factors ±1, by component of the result: of A's real and imaginary part times B's real part, and of A's imaginary
  // and real part times B's imaginary part. A real dtype has direct[0] alone.
  double direct[2];
  double cross[2];
};

// C = keep(C) ± A B for one tile. The last of its vectors of rows holds `last_lanes` reals of C and A.
using TileFunction = void (*)(const TileShape& shape, const void* a, const void* b, void* c, int64_t last_lanes);

// C = keep(C) ± A B for as many matrices as a vector has elements, `last_lanes` reals of them: element (i, p) of A's
// tile lies at a + a_rows[i] + p a_step bytes for the first matrix, those of the others next to it; B and C alike.
using LaneTileFunction = void (*)(const TileShape& shape, const void* a, const int64_t* a_rows, const void* b,
                                  const int64_t* b_columns, void* c, const int64_t* c_rows, const int64_t* c_columns,
                                  int64_t last_lanes);

constexpr int kMostTileVectors = 4;
constexpr int kMostTileColumns = 6;
constexpr int kMostVectorBytes = 64;
constexpr int kMostTileBytes = kMostTileVectors * kMostTileColumns * kMostVectorBytes;
constexpr int kMostTileRows = kMostTileVectors * kMostVectorBytes / 4;
// Columns of A that one pass over y takes together, and vectors of rows that one call sums, in a product with a vector.
constexpr int kGemvColumns = 8;
constexpr int kGemvVectors = 2;
constexpr int kDotBlocks = 8;
constexpr int kNonzerosGroup = 8;

struct GemmKernel {
  int element_bytes;
  int lanes;         // elements of a vector
  int tile_vectors;  // a tile is at most tile_vectors vectors of rows by tile_columns columns
  int tile_columns;
  bool is_complex;
  bool masked_rows;  // a tile's last vector may be cut short; elsewhere last_lanes is ignored

  TileFunction tiles[kMostTileVectors][kMostTileColumns];  // [vectors - 1][columns - 1]

  // Vector i of `last_lanes` reals at to + i * to_step = that at from + offsets[i], for i < count; and so for `groups`
  // neighbouring vectors there, group_step apart at `to`.
  void (*copy_vectors)(void* to, int64_t to_step, const void* from, const int64_t* offsets, int64_t count,
                       int64_t groups, int64_t group_step, int64_t last_lanes);

  int lane_rows, lane_columns;
  LaneTileFunction lane_tiles[2][2];  // [all rows, not 1][all columns, not 1]
  int lane_column_rows;
  LaneTileFunction lane_column;  // of one column and so many rows

  // to[p * width + i] = term p of lane i, for lanes [lane_begin, lane_begin + lanes), at most kMostTileRows, and terms
  // [depth_begin, depth_begin + terms).
  void (*pack)(void* to, int64_t width, const void* from, const GemmAxis& lane, int64_t lane_begin, int64_t lanes,
               const GemmAxis& depth, int64_t depth_begin, int64_t terms);

  // Bit i % 64 of bits[q words + i / 64] = element i of column q is not 0. False when one is not finite. `grouped`: the
  // elements of every whole group of kNonzerosGroup are contiguous.
  bool (*nonzeros)(const void* from, const GemmAxis& axis, bool grouped, const GemmAxis& columns, uint64_t* bits,
                   int64_t words);

  // Those elements of a grouped axis whose bits are set, from each of the columns that begin columns[q] elements after
  // `from`: put together `to_step` elements apart. Writes up to a vector of memory beyond a column's last.
  void (*squeeze)(void* to, int64_t to_step, const void* from, const int64_t* columns, int64_t count,
                  const GemmAxis& axis, const uint64_t* bits);

  // The opposite: element i of a column = bit i set ? the next element of its column in `from` : 0. Reads up to a
  // vector of memory beyond the last element of `from`.
  void (*spread)(void* to, const int64_t* columns, int64_t count, const GemmAxis& axis, bool grouped,
                 const uint64_t* bits, const void* from, int64_t from_step);

  // The chains of a product with a vector x, whose elements are contiguous here, continued: for i < n reals of A's
  // columns direct[i] += column[i] Re x and, complex, cross[i] += column[i] Im x, for each of the `count` columns in
  // turn. direct and cross are aligned to 64 bytes.
  void (*add_columns)(const void* const* columns, int count, const void* x, int64_t n, void* direct, void* cross);

  // The same chains from 0 for contiguous rows of A: a[g] is the first term of the first row of each of kGemvVectors
  // vectors of rows, whose rows lie row_step bytes apart.
  void (*sum_rows)(const void* const* a, int64_t row_step, int64_t terms, const void* x, void* direct, void* cross);

  // The same for one row and kDotBlocks blocks of terms: block q begins at a[q] and x[q], whose steps are in bytes.
  void (*sum_blocks)(const void* const* a, int64_t a_step, const void* const* x, int64_t x_step, int64_t terms,
                     void* direct, void* cross);

  // The chains that take turns, kDotChainBytes of them from 0, of two contiguous vectors.
  void (*sum_in_turns)(const void* a, const void* x, int64_t terms, void* direct, void* cross);

  // The chains that take turns, continued, for neighbouring dots: term p of a and x is n reals, and so is each chain;
  // direct[p % chains][i] += a[p][i] Re x[p][i] and, complex, cross[p % chains][i] += a[p][i] Im x[p][i].
  void (*add_in_turns)(const void* a, int64_t a_step, const void* x, int64_t x_step, int64_t terms, int64_t chains,
                       int64_t n, void* direct, void* cross);
};

// Of f32, f64, c64, c128.
struct GemmKernels {
  GemmKernel of[4];
};

#if defined(__x86_64__)
namespace isa_v2 {
extern const GemmKernels kGemmKernels;
}
namespace isa_v3 {
extern const GemmKernels kGemmKernels;
}
namespace isa_v4 {
extern const GemmKernels kGemmKernels;
}
#else
namespace isa_neon {
extern const GemmKernels kGemmKernels;
}
#endif

// The kernel of a float or complex dtype; null for others.
const GemmKernel* KernelOf(Isa isa, uint8_t dtype);

}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_KERNELS_H_
