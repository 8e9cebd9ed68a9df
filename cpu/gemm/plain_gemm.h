#ifndef TENFERRO_CPU_GEMM_PLAIN_GEMM_H_
#define TENFERRO_CPU_GEMM_PLAIN_GEMM_H_

#include "tenferro/cpu/gemm/gemm.h"

namespace tenferro {

// The integer and bool dtypes of GemmBlock.
void PlainGemm(const GemmArgs& args, int64_t row_begin, int64_t row_end, int64_t col_begin, int64_t col_end);

}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_PLAIN_GEMM_H_
