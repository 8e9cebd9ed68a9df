#ifndef TENFERRO_LINALG_CPU_PANEL_GEMM_H_
#define TENFERRO_LINALG_CPU_PANEL_GEMM_H_

#include "tenferro/linalg/cpu/panel.h"

namespace tenferro::linalg::TENFERRO_ISA {

enum class Update : uint8_t { kAssign, kAdd, kSubtract };

// The right operand of a product: any strides.
template <class R>
struct Factor {
  const R* data;
  int64_t row_stride;
  int64_t column_stride;
  int64_t imag;
  R imag_sign;
};

template <class R, bool kComplex>
Factor<R> Plain(const Panel<R, kComplex>& b) {
  return {b.data, 1, b.stride(), b.imag, R{1}};
}

template <class R, bool kComplex>
Factor<R> Adjoint(const Panel<R, kComplex>& b) {
  return {b.data, b.stride(), 1, b.imag, R{-1}};
}

// c = a·b, c += a·b or c -= a·b for the first `columns` columns of c, summing over `inner` columns of a.
// No packing: meant for panels that the second-level cache holds.
template <class R, bool kComplex>
void Multiply(const Panel<R, kComplex>& a, const Factor<R>& b, int64_t inner, int64_t columns, Update update,
              const Panel<R, kComplex>& c);

// g = aᴴ·b, a_columns × b_columns; a and b have equal rows.
template <class R, bool kComplex>
void MultiplyAdjoint(const Panel<R, kComplex>& a, int64_t a_columns, const Panel<R, kComplex>& b, int64_t b_columns,
                     const Panel<R, kComplex>& g);

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_PANEL_GEMM_H_
