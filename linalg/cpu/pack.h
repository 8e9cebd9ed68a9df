#ifndef TENFERRO_LINALG_CPU_PACK_H_
#define TENFERRO_LINALG_CPU_PACK_H_

#include "tenferro/linalg/cpu/panel.h"

namespace tenferro::linalg::TENFERRO_ISA {

// out[i, j] = scale·a[rows[i], columns[j]] for ascending rows. Returns the largest real or imaginary part of a there in
// absolute value; NaN if an entry is NaN, infinity if one is infinite.
template <class R, bool kComplex>
R Pack(Arena& arena, const R* a, int64_t lda, R scale, const int32_t* rows, int64_t m, const int32_t* columns,
       int64_t n, Panel<R, kComplex>& out);

// The adjoint of an m × n panel.
template <class R, bool kComplex>
Panel<R, kComplex> AdjointPanel(Arena& arena, const Panel<R, kComplex>& a, int64_t m, int64_t n);

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_PACK_H_
