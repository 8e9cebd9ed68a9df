#ifndef TENFERRO_LINALG_CPU_SPECTRAL_ISA_KERNELS_H_
#define TENFERRO_LINALG_CPU_SPECTRAL_ISA_KERNELS_H_

#include <stdint.h>

#include "tenferro/linalg/cpu/outcome.h"
#include "tenferro/linalg/cpu/scratch.h"

// What kernels.cc calls at each instruction set. Complex arrays are passed as pairs of reals.
#define TENFERRO_SPECTRAL_ISA_KERNELS(isa)                         \
  namespace tenferro::linalg::isa {                                \
  template <class R, bool kComplex>                                \
  Outcome Eigh(int64_t n, const R* a, R* w, R* v, Memory memory);  \
  template <class R, bool kComplex>                                \
  Outcome Schur(int64_t n, const R* a, R* t, R* z, Memory memory); \
  }

#if defined(__aarch64__)
TENFERRO_SPECTRAL_ISA_KERNELS(isa_neon)
#else
TENFERRO_SPECTRAL_ISA_KERNELS(isa_v2)
TENFERRO_SPECTRAL_ISA_KERNELS(isa_v3)
TENFERRO_SPECTRAL_ISA_KERNELS(isa_v4)
#endif
#undef TENFERRO_SPECTRAL_ISA_KERNELS

#endif  // TENFERRO_LINALG_CPU_SPECTRAL_ISA_KERNELS_H_
