#ifndef TENFERRO_LINALG_CPU_SPECTRAL_SWEEP_H_
#define TENFERRO_LINALG_CPU_SPECTRAL_SWEEP_H_

#include "tenferro/linalg/cpu/lanes.h"

// What one sweep of the QR iteration does to rows and columns far from where it is: all of it in one pass, with what
// one step hands to the next in registers.
namespace tenferro::linalg::TENFERRO_ISA {

// Step k of a complex sweep turns rows k and k + 1: (x, y) ← (c·x + s·y, c·y − conj(s)·x). Of a real one it reflects
// rows k, k + 1 and k + 2: I − tau·v·vᵀ, with v[2] = 0 in the last one, which has two rows only.
template <bool kComplex>
struct SweepStep;
template <>
struct SweepStep<true> {
  static constexpr int kRows = 2;
  double c;
  Scalar<double> s;
};
template <>
struct SweepStep<false> {
  static constexpr int kRows = 3;
  double v[3];
  double tau;
};

// The rows that a step acts on, each a vector.
HWY_INLINE void Act(const SweepStep<true>& step, Lanes<double, true>* rows) {
  const Tag<double> tag;
  const Lanes<double, true> x = rows[0], y = rows[1];
  const Vector<double> c = hn::Set(tag, step.c), re = hn::Set(tag, step.s.re), im = hn::Set(tag, step.s.im);
  rows[0].re = hn::NegMulAdd(im, y.im, hn::MulAdd(re, y.re, hn::Mul(c, x.re)));
  rows[0].im = hn::MulAdd(im, y.re, hn::MulAdd(re, y.im, hn::Mul(c, x.im)));
  rows[1].re = hn::NegMulAdd(im, x.im, hn::NegMulAdd(re, x.re, hn::Mul(c, y.re)));
  rows[1].im = hn::MulAdd(im, x.re, hn::NegMulAdd(re, x.im, hn::Mul(c, y.im)));
}
HWY_INLINE void Act(const SweepStep<false>& step, Lanes<double, false>* rows) {
  const Tag<double> tag;
  const Vector<double> v0 = hn::Set(tag, step.v[0]), v1 = hn::Set(tag, step.v[1]), v2 = hn::Set(tag, step.v[2]);
  const Vector<double> sum = hn::Mul(
      hn::Set(tag, step.tau), hn::MulAdd(v2, rows[2].re, hn::MulAdd(v1, rows[1].re, hn::Mul(v0, rows[0].re))));
  rows[0].re = hn::NegMulAdd(sum, v0, rows[0].re);
  rows[1].re = hn::NegMulAdd(sum, v1, rows[1].re);
  rows[2].re = hn::NegMulAdd(sum, v2, rows[2].re);
}

// The same from the right: of columns with the conjugate.
HWY_INLINE SweepStep<true> ForColumns(const SweepStep<true>& step) { return {step.c, {step.s.re, -step.s.im}}; }
HWY_INLINE const SweepStep<false>& ForColumns(const SweepStep<false>& step) { return step; }

// Steps first … last − 1 (of step[0], step[1], …) on rows of the next LaneCount columns from `column` on. The last one
// ends in row `end`. `scratch` holds 2·(rows + 1)·LaneCount reals.
template <bool kComplex>
HWY_NOINLINE void ActOnRows(const SweepStep<kComplex>* step, int64_t first, int64_t last, int64_t end,
                            const Panel<double, kComplex>& h, int64_t column, double* scratch) {
  constexpr int kRows = SweepStep<kComplex>::kRows;
  if (first >= last) return;
  const Tag<double> tag;
  const int64_t lanes = LaneCount<double>(), top = first / lanes * lanes;
  const int64_t bottom = (last + kRows - 2 < end ? last + kRows - 2 : end) + 1;
  const int64_t imag = kComplex ? (h.rows + 1) * lanes : 0;
  constexpr int64_t kMost = 8;
  const auto transpose = [&](Vector<double>* tile) {
    for (int64_t bit = 1; bit < lanes; bit *= 2) {
      for (int64_t c = 0; c < lanes; ++c) {
        if ((c & bit) != 0) continue;
        const Vector<double> low = tile[c], high = tile[c | bit];
        tile[c] = hn::ConcatEven(tag, high, low);
        tile[c | bit] = hn::ConcatOdd(tag, high, low);
      }
    }
  };
  for (int part = 0; part < (kComplex ? 2 : 1); ++part) {
    for (int64_t r = top; r < bottom; r += lanes) {
      Vector<double> tile[kMost];
      for (int64_t c = 0; c < lanes; ++c) tile[c] = hn::LoadU(tag, h.column(column + c) + part * h.imag + r);
      transpose(tile);
      for (int64_t c = 0; c < lanes; ++c) hn::StoreU(tile[c], tag, scratch + part * imag + (r + c) * lanes);
    }
  }
  // Row `end` + 1 belongs to the next block: the last step has a zero for it.
  Lanes<double, kComplex> rows[kRows];
  for (int i = 0; i + 1 < kRows; ++i) rows[i] = LoadLanes<double, kComplex>(scratch + (first + i) * lanes, imag);
  for (int64_t k = first; k < last; ++k) {
    const int64_t next = k + kRows - 1;
    rows[kRows - 1] =
        next <= end ? LoadLanes<double, kComplex>(scratch + next * lanes, imag) : ZeroLanes<double, kComplex>();
    Act(step[k], rows);
    StoreLanes(rows[0], scratch + k * lanes, imag);
    for (int i = 0; i + 1 < kRows; ++i) rows[i] = rows[i + 1];
  }
  for (int i = 0; i + 1 < kRows && last + i <= end; ++i) StoreLanes(rows[i], scratch + (last + i) * lanes, imag);
  for (int part = 0; part < (kComplex ? 2 : 1); ++part) {
    for (int64_t r = top; r < bottom; r += lanes) {
      Vector<double> tile[kMost];
      for (int64_t c = 0; c < lanes; ++c) tile[c] = hn::LoadU(tag, scratch + part * imag + (r + c) * lanes);
      transpose(tile);
      for (int64_t c = 0; c < lanes; ++c) hn::StoreU(tile[c], tag, h.column(column + c) + part * h.imag + r);
    }
  }
}

template <bool kComplex, int kVectors>
HWY_INLINE void ActOnStrip(const SweepStep<kComplex>* step, int64_t first, int64_t end,
                           const Panel<double, kComplex>& a, int64_t row) {
  constexpr int kColumns = SweepStep<kComplex>::kRows;
  const int64_t lanes = LaneCount<double>();
  Lanes<double, kComplex> columns[kVectors][kColumns];
  for (int v = 0; v < kVectors; ++v) {
    for (int i = 0; i + 1 < kColumns; ++i) {
      columns[v][i] = LoadLanes<double, kComplex>(a.column(first + i) + row + v * lanes, a.imag);
    }
  }
  for (int64_t k = first; k < end; ++k) {
    const SweepStep<kComplex> turned = ForColumns(step[k]);
    const int64_t next = k + kColumns - 1;
    for (int v = 0; v < kVectors; ++v) {
      columns[v][kColumns - 1] = next <= end
                                     ? LoadLanes<double, kComplex>(a.column(next) + row + v * lanes, a.imag)
                                     : ZeroLanes<double, kComplex>();
      Act(turned, columns[v]);
      StoreLanes(columns[v][0], a.column(k) + row + v * lanes, a.imag);
      for (int i = 0; i + 1 < kColumns; ++i) columns[v][i] = columns[v][i + 1];
    }
  }
  for (int v = 0; v < kVectors; ++v) StoreLanes(columns[v][0], a.column(end) + row + v * lanes, a.imag);
}

// All steps first … end − 1 of a sweep that ends in column `end`, on rows 0 … rows − 1 of the columns; `rows` is a
// multiple of the vector length.
template <bool kComplex>
HWY_NOINLINE void ActOnColumns(const SweepStep<kComplex>* step, int64_t first, int64_t end,
                               const Panel<double, kComplex>& a, int64_t rows) {
  const int64_t lanes = LaneCount<double>();
  int64_t row = 0;
  for (; row + 4 * lanes <= rows; row += 4 * lanes) ActOnStrip<kComplex, 4>(step, first, end, a, row);
  for (; row < rows; row += lanes) ActOnStrip<kComplex, 1>(step, first, end, a, row);
}

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_SPECTRAL_SWEEP_H_
