#ifndef TENFERRO_CPU_GEMM_GEMM_H_
#define TENFERRO_CPU_GEMM_GEMM_H_

// Plain declarations only: kernel files of every instruction set include this header.
#include <stdint.h>

#include "tenferro/cpu/kernels/tile.h"

namespace tenferro {

// One axis of a matrix: index i lies `offsets[i]` elements from the origin, or i * stride where `offsets` is null.
// Offsets let a contraction over permuted or merged axes of a tensor run without a transposed copy.
struct GemmAxis {
  int64_t extent;
  int64_t stride;
  const int64_t* offsets;
};

// C[i,j] = (accumulate ? C[i,j] : 0) ± Σ_p A[i,p] B[p,j], minus where `negate`; A and B of a complex dtype conjugated
// where asked. k = 0 gives C or 0.
// Shapes: A [m,k], B [k,n], C [m,n], each with its own axes. The elements of C are distinct and overlap no factor.
// Accuracy: f32, f64, c64, c128: the products are summed in blocks of 256 consecutive p, each block one chain of fused
// multiply-adds from 0 (x86-64-v2: a rounded product and a sum), and the blocks' sums are added in order to C or to 0;
// complex real and imaginary parts come from four such chains. A C of a single element (m = n = 1) with 512 terms or
// more is summed in blocks of 32768 bytes of A: p goes to chain p mod (128 / bytes of an element), the chains of a block
// are added by halves, chain j with j + half, and the blocks' sums in order. Nothing else enters: m, n, the layout, the
// place of an element and the cutting of C change no other bit of it (which of several NaNs results is not specified).
// Integers wrap, bool is the or of ands.
struct GemmArgs {
  uint8_t dtype;  // of all three: static_cast<uint8_t>(DType)
  bool accumulate;
  bool negate;
  bool conjugate_a, conjugate_b;
  GemmAxis a_rows, a_cols;
  GemmAxis b_rows, b_cols;
  GemmAxis c_rows, c_cols;
  const void* a;
  const void* b;
  void* c;
};

// Bytes of scratch memory, aligned to 64, that one thread's GemmBlock calls with these arguments need.
int64_t GemmWorkspaceBytes(Isa isa, const GemmArgs& args);

// Computes rows [row_begin, row_end) of columns [col_begin, col_end) of C.
void GemmBlock(Isa isa, const GemmArgs& args, int64_t row_begin, int64_t row_end, int64_t col_begin, int64_t col_end,
               void* workspace);

// The cutting of C into blocks for threads. It depends on the shape and dtype alone, never on the number of threads.
int64_t GemmBlockCount(Isa isa, const GemmArgs& args);

// range = {row_begin, row_end, col_begin, col_end} of block `index` < GemmBlockCount.
void GemmBlockRange(Isa isa, const GemmArgs& args, int64_t index, int64_t range[4]);

// Many products of one shape: that of batch i begins at args.a + element i of axis a, and so on.
struct GemmBatches {
  GemmAxis a, b, c;  // one extent
};

// Computes products [begin, end) whole, bit for bit as GemmBlock does. Where the elements of neighbouring products lie
// side by side a vector takes one of each. `workspace` has GemmBatchWorkspaceBytes.
void GemmBatch(Isa isa, const GemmArgs& args, const GemmBatches& batches, int64_t begin, int64_t end, void* workspace);
int64_t GemmBatchWorkspaceBytes(Isa isa, const GemmArgs& args, const GemmBatches& batches);
// How many products a call had better take, or a multiple of it.
int64_t GemmBatchUnit(Isa isa, const GemmArgs& args, const GemmBatches& batches);

}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_GEMM_H_
