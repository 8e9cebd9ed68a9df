#ifndef TENFERRO_CPU_GEMM_SMALL_GEMM_H_
#define TENFERRO_CPU_GEMM_SMALL_GEMM_H_

// Products inside a larger algorithm, a blocked factorisation or a subspace iteration: no arguments to interpret, no
// packing. Kernel files of every instruction set include this header; the functions at its end are those of their
// level.
#include <stdint.h>

#include "tenferro/cpu/gemm/kernels.h"

namespace tenferro {

enum class GemmMode : uint8_t { kSet, kAdd, kSubtract };  // C = A B, C += A B, C -= A B

// The product of column-major A [m,k] (rows contiguous, columns a_step elements apart), B [k,n] of any two steps and
// column-major C [m,n]; A and B conjugated where asked. C overlaps neither A nor B.
// Accuracy: the sums of GemmBlock, bit for bit; a single element has those of an element of many.
// Cost: best while A's slice of 256 columns stays in the second-level cache; GemmBlock packs where it does not.
void SmallGemm(const GemmKernel& kernel, int64_t m, int64_t n, int64_t k, const void* a, int64_t a_step, const void* b,
               int64_t b_row_step, int64_t b_column_step, void* c, int64_t c_step, GemmMode mode,
               bool conjugate_a = false, bool conjugate_b = false);

#ifdef TENFERRO_ISA
namespace TENFERRO_ISA {

inline void SmallGemm(int64_t m, int64_t n, int64_t k, const float* a, int64_t a_step, const float* b,
                      int64_t b_row_step, int64_t b_column_step, float* c, int64_t c_step, GemmMode mode) {
  tenferro::SmallGemm(kGemmKernels.of[0], m, n, k, a, a_step, b, b_row_step, b_column_step, c, c_step, mode);
}

inline void SmallGemm(int64_t m, int64_t n, int64_t k, const double* a, int64_t a_step, const double* b,
                      int64_t b_row_step, int64_t b_column_step, double* c, int64_t c_step, GemmMode mode) {
  tenferro::SmallGemm(kGemmKernels.of[1], m, n, k, a, a_step, b, b_row_step, b_column_step, c, c_step, mode);
}

// Complex elements are pairs of reals; the steps count elements.
inline void SmallComplexGemm(int64_t m, int64_t n, int64_t k, const float* a, int64_t a_step, bool conjugate_a,
                             const float* b, int64_t b_row_step, int64_t b_column_step, bool conjugate_b, float* c,
                             int64_t c_step, GemmMode mode) {
  tenferro::SmallGemm(kGemmKernels.of[2], m, n, k, a, a_step, b, b_row_step, b_column_step, c, c_step, mode,
                      conjugate_a, conjugate_b);
}

inline void SmallComplexGemm(int64_t m, int64_t n, int64_t k, const double* a, int64_t a_step, bool conjugate_a,
                             const double* b, int64_t b_row_step, int64_t b_column_step, bool conjugate_b, double* c,
                             int64_t c_step, GemmMode mode) {
  tenferro::SmallGemm(kGemmKernels.of[3], m, n, k, a, a_step, b, b_row_step, b_column_step, c, c_step, mode,
                      conjugate_a, conjugate_b);
}

}  // namespace TENFERRO_ISA
#endif

}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_SMALL_GEMM_H_
