#ifndef TENFERRO_LINALG_CPU_SPECTRAL_HERMITIAN_BLOCKS_H_
#define TENFERRO_LINALG_CPU_SPECTRAL_HERMITIAN_BLOCKS_H_

#include "tenferro/linalg/cpu/panel.h"

namespace tenferro::linalg::TENFERRO_ISA {

// The diagonal blocks that the exact zeros of a Hermitian matrix leave, up to one permutation of rows and columns.
struct HermitianBlocks {
  int64_t count;
  const int32_t* members;  // [n]: those of block 0, ascending, then those of block 1, …
  const int64_t* begin;    // [count + 1]
};

// Blocks are numbered by their lowest row. Only the lower triangle of a (n × n, complex: pairs) is read.
// Cost: O(n) when the first column has no zero, else at most one pass over the triangle.
template <class R, bool kComplex>
HermitianBlocks FindHermitianBlocks(Arena& arena, int64_t n, const R* a);

// The lower triangle of one block, zero above, divided by 2^exponent to about 1; the imaginary parts of the diagonal do
// not count. False if an entry is not finite.
template <class R, bool kComplex>
bool PackHermitian(Arena& arena, int64_t n, const R* a, const int32_t* members, int64_t size, int& exponent,
                   Panel<R, kComplex>& out);

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_SPECTRAL_HERMITIAN_BLOCKS_H_
