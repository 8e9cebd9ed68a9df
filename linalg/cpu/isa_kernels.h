#ifndef TENFERRO_LINALG_CPU_ISA_KERNELS_H_
#define TENFERRO_LINALG_CPU_ISA_KERNELS_H_

#include <stdint.h>

#include "tenferro/linalg/cpu/outcome.h"
#include "tenferro/linalg/cpu/scratch.h"

// What kernels.cc calls at each instruction set. Complex arrays are passed as pairs of reals.
#define TENFERRO_LINALG_ISA_KERNELS(isa)                                                                             \
  namespace tenferro::linalg::isa {                                                                                  \
  template <class R, bool kComplex>                                                                                  \
  Outcome Svd(int64_t m, int64_t n, const R* a, bool full, R* u, R* s, R* vt, Memory memory);                        \
  template <class R, bool kComplex>                                                                                  \
  Outcome SvdValues(int64_t m, int64_t n, const R* a, R* s, Memory memory);                                          \
  template <class R, bool kComplex>                                                                                  \
  Outcome SvdTruncated(int64_t m, int64_t n, const R* a, int64_t k, int64_t extra, R* u, R* s, R* v, Memory memory); \
  template <class R, bool kComplex>                                                                                  \
  Outcome TruncatedComplement(int64_t m, int64_t n, const R* a, int64_t k, int64_t extra, const R* u, const R* s,    \
                              const R* v, const R* p, const R* q, R* x, R* y, Memory memory);                        \
  template <class R, bool kComplex>                                                                                  \
  int64_t ExactBlocks(int64_t m, int64_t n, const R* a, int32_t* row_block, int32_t* column_block, Memory memory);   \
  }

#if defined(__aarch64__)
TENFERRO_LINALG_ISA_KERNELS(isa_neon)
#else
TENFERRO_LINALG_ISA_KERNELS(isa_v2)
TENFERRO_LINALG_ISA_KERNELS(isa_v3)
TENFERRO_LINALG_ISA_KERNELS(isa_v4)
#endif
#undef TENFERRO_LINALG_ISA_KERNELS

#endif  // TENFERRO_LINALG_CPU_ISA_KERNELS_H_
