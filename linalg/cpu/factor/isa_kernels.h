#ifndef TENFERRO_LINALG_CPU_FACTOR_ISA_KERNELS_H_
#define TENFERRO_LINALG_CPU_FACTOR_ISA_KERNELS_H_

#include "tenferro/cpu/kernels/tile.h"
#include "tenferro/linalg/cpu/factor/modes.h"
#include "tenferro/linalg/cpu/outcome.h"
#include "tenferro/linalg/cpu/scratch.h"

// What kernels.cc calls at each instruction set. Complex arrays are passed as pairs of reals; `dtype` is the DType's
// number.
#define TENFERRO_FACTOR_ISA_KERNELS(isa_name)                                                                          \
  namespace tenferro::linalg::isa_name::factor {                                                                       \
  template <class R, bool kComplex>                                                                                    \
  Ending Cholesky(Isa isa, uint8_t dtype, int64_t n, const R* a, R* l, Memory memory);                                 \
  template <class R, bool kComplex>                                                                                    \
  Ending TriangularSolve(Isa isa, uint8_t dtype, int64_t n, int64_t right_sides, TriangleMode mode, const R* t,        \
                         const R* b, R* x, Memory memory);                                                             \
  template <class R, bool kComplex>                                                                                    \
  Ending Lu(Isa isa, uint8_t dtype, int64_t m, int64_t n, const R* a, R* lu, int64_t* permutation, R* parity,          \
            int64_t* pivots, Memory memory);                                                                           \
  template <class R, bool kComplex>                                                                                    \
  Ending LuSolve(Isa isa, uint8_t dtype, int64_t n, int64_t right_sides, bool transpose, bool conjugate, const R* lu,  \
                 const int64_t* permutation, const R* b, R* x, Memory memory);                                         \
  template <class R, bool kComplex>                                                                                    \
  Ending FullPivotLu(int64_t m, int64_t n, const R* a, R* lu, int64_t* rows, int64_t* columns, R* parity,              \
                     Memory memory);                                                                                   \
  template <class R, bool kComplex>                                                                                    \
  Ending Qr(Isa isa, uint8_t dtype, int64_t m, int64_t n, int64_t q_columns, bool positive, const R* a, R* q, R* r,    \
            Memory memory);                                                                                            \
  template <class R, bool kComplex>                                                                                    \
  Ending Reflectors(Isa isa, uint8_t dtype, int64_t m, int64_t n, const R* a, R* packed, R* tau, Memory memory);       \
  template <class R, bool kComplex>                                                                                    \
  Ending ApplyReflectors(Isa isa, uint8_t dtype, int64_t m, int64_t k, int64_t columns, bool adjoint, const R* packed, \
                         const R* tau, const R* c, R* result, Memory memory);                                          \
  template <class R, bool kComplex>                                                                                    \
  Ending PivotedQr(int64_t m, int64_t n, const R* a, R* q, R* r, int64_t* permutation, Memory memory);                 \
  }

#if defined(__aarch64__)
TENFERRO_FACTOR_ISA_KERNELS(isa_neon)
#else
TENFERRO_FACTOR_ISA_KERNELS(isa_v2)
TENFERRO_FACTOR_ISA_KERNELS(isa_v3)
TENFERRO_FACTOR_ISA_KERNELS(isa_v4)
#endif
#undef TENFERRO_FACTOR_ISA_KERNELS

#endif  // TENFERRO_LINALG_CPU_FACTOR_ISA_KERNELS_H_
