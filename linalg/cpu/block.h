#ifndef TENFERRO_LINALG_CPU_BLOCK_H_
#define TENFERRO_LINALG_CPU_BLOCK_H_

#include "tenferro/linalg/cpu/panel.h"

namespace tenferro::linalg::TENFERRO_ISA {

// One exact block of a matrix and what is known of its singular triplets. Its entries are scaled by a power of two to
// about 1, so that squares neither overflow nor vanish; s is scaled with them.
template <class R, bool kComplex>
struct Block {
  const int32_t* rows = nullptr;  // ascending, as columns
  const int32_t* columns = nullptr;
  int64_t m = 0;
  int64_t n = 0;
  int exponent = 0;  // entry of the matrix = scaled entry · 2^exponent

  // Triplets in descending order; the first `count` hold, `available` are there.
  Panel<R, kComplex> u;
  Panel<R, kComplex> v;
  R* s = nullptr;
  int64_t count = 0;
  int64_t available = 0;

  int64_t rank_limit() const { return m < n ? m : n; }
};

template <class R, bool kComplex>
struct BlockList {
  Block<R, kComplex>* block = nullptr;
  int64_t count = 0;
  const int32_t* zero_rows = nullptr;
  const int32_t* zero_columns = nullptr;
  int64_t zero_row_count = 0;
  int64_t zero_column_count = 0;
};

// Groups rows and columns by the labels 0 … count − 1 that ExactBlocks gave them.
template <class R, bool kComplex>
BlockList<R, kComplex> GroupBlocks(Arena& arena, int64_t m, int64_t n, int64_t count, const int32_t* row_block,
                                   const int32_t* column_block);

// The exact blocks of an m × n matrix.
template <class R, bool kComplex>
BlockList<R, kComplex> FindBlocks(Arena& arena, int64_t m, int64_t n, const R* a);

// The exponent of the power of two above size, kept to where 2^±exponent is finite; 0 for 0.
template <class R>
int PowerOfTwoAbove(R size);

// x·2^exponent, exact unless the result is subnormal or overflows.
double ScaleByPowerOfTwo(double x, int exponent);

// Packs the block's entries, scaled to about 1 by 2^−exponent, which it sets. False if one is NaN or infinite.
template <class R, bool kComplex>
bool PackScaled(Arena& arena, const R* a, int64_t lda, Block<R, kComplex>& block, Panel<R, kComplex>& out);

// A triplet of the whole matrix: where it comes from. block < 0: a completed zero triplet.
template <class R>
struct Choice {
  int32_t block;
  int32_t index;
  R s;
};

// The `wanted` largest of the blocks' available triplets, descending; of equal ones that of the first block. Returns
// how many.
template <class R, bool kComplex>
int64_t ChooseLargest(Arena& arena, const BlockList<R, kComplex>& blocks, int64_t wanted, Choice<R>* choice);

// How many columns of singular vectors one side has, and how many of them are to be orthonormal; the others are zero.
struct Columns {
  int64_t written;
  int64_t orthonormal;
};

// Writes the chosen vectors into u [m, left.written] and v [n, right.written] (or vt = vᴴ; the other is null) and their
// values, then zeros, into s [values]. The columns from `chosen` to `orthonormal` are filled up to an orthonormal set:
// unit vectors of zero rows or columns first, then complements inside blocks, all of whose triplets have to be chosen.
template <class R, bool kComplex>
void WriteTriplets(Arena& arena, int64_t m, int64_t n, const BlockList<R, kComplex>& blocks, const Choice<R>* choice,
                   int64_t chosen, Columns left, Columns right, int64_t values, R* u, R* s, R* v, R* vt);

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_BLOCK_H_
