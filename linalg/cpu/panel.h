#ifndef TENFERRO_LINALG_CPU_PANEL_H_
#define TENFERRO_LINALG_CPU_PANEL_H_

#include <stdint.h>

#include "tenferro/linalg/cpu/arena.h"

namespace tenferro::linalg::TENFERRO_ISA {

// Number of reals in 64 bytes: columns of a panel are padded to a multiple of it, so that loops over whole vectors of
// any instruction set need no remainder.
template <class R>
inline constexpr int64_t kPad = 64 / sizeof(R);

template <class R>
constexpr int64_t PadRows(int64_t rows) {
  return (rows + kPad<R> - 1) / kPad<R> * kPad<R>;
}

// A scalar of either kind; im is 0 when kComplex is false everywhere it is used.
template <class R>
struct Scalar {
  R re;
  R im;
};

// Columns of a matrix in scratch memory: the real parts of a column, then (complex only) its imaginary parts. Apart
// from their loads, complex loops thus need no shuffles. Rows beyond the matrix's own are zero and stay zero.
template <class R, bool kComplex>
struct Panel {
  R* data = nullptr;
  int64_t rows = 0;  // padded
  int64_t imag = 0;  // distance from a real part to its imaginary part

  int64_t stride() const { return kComplex ? 2 * imag : imag; }
  R* column(int64_t j) const { return data + j * stride(); }
  Panel From(int64_t j) const { return {column(j), rows, imag}; }
  Scalar<R> Get(int64_t i, int64_t j) const {
    const R* c = column(j);
    if constexpr (kComplex) return {c[i], c[i + imag]};
    return {c[i], 0};
  }
  void Set(int64_t i, int64_t j, Scalar<R> value) const {
    R* c = column(j);
    c[i] = value.re;
    if constexpr (kComplex) c[i + imag] = value.im;
  }
};

// A panel whose writer fills all padded rows. A column length that is a multiple of 512 bytes would map the same rows
// of all columns to few cache sets.
template <class R, bool kComplex>
Panel<R, kComplex> NewPanelUninitialized(Arena& arena, int64_t rows, int64_t columns) {
  Panel<R, kComplex> panel;
  panel.rows = PadRows<R>(rows);
  panel.imag = panel.rows % (8 * kPad<R>) == 0 ? panel.rows + kPad<R> : panel.rows;
  panel.data = arena.Allocate<R>(panel.stride() * columns);
  return panel;
}

template <class R, bool kComplex>
Panel<R, kComplex> NewPanel(Arena& arena, int64_t rows, int64_t columns) {
  const Panel<R, kComplex> panel = NewPanelUninitialized<R, kComplex>(arena, rows, columns);
  memset(panel.data, 0, static_cast<size_t>(panel.stride() * columns) * sizeof(R));
  return panel;
}

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_PANEL_H_
