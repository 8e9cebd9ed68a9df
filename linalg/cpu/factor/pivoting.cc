// Factorisations that choose a column too at every step: by one reflection or one row at a time.
#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/factor/isa_kernels.h"
#include "tenferro/linalg/cpu/factor/reflection.h"

namespace tenferro::linalg::TENFERRO_ISA::factor {
namespace {

template <class R, bool kComplex>
bool LoadPanel(int64_t m, int64_t n, const Matrix<R, kComplex>& a, const Panel<R, kComplex>& panel) {
  for (int64_t j = 0; j < n; ++j) Unpack<R, kComplex>(m, a.At(0, j), panel.column(j), panel.imag);
  return IsFinite(m, n, a);
}

template <class R, bool kComplex>
void SwapColumns(const Panel<R, kComplex>& w, int64_t i, int64_t j, int64_t* names) {
  if (i == j) return;
  const Tag<R> d;
  for (int64_t k = 0; k < w.stride(); k += LaneCount<R>()) {
    const Vector<R> x = hn::LoadU(d, w.column(i) + k), y = hn::LoadU(d, w.column(j) + k);
    hn::StoreU(y, d, w.column(i) + k);
    hn::StoreU(x, d, w.column(j) + k);
  }
  const int64_t saved = names[i];
  names[i] = names[j];
  names[j] = saved;
}

struct Place {
  int64_t row, column;
};

// The first largest element, by columns, of rows and columns from `step` on.
template <class R, bool kComplex>
Place FindLargest(const Panel<R, kComplex>& w, int64_t m, int64_t n, int64_t step) {
  const Tag<R> d;
  const int64_t lanes = LaneCount<R>(), first = step / lanes * lanes;
  Place best = {step, step};
  R best_size = 0;
  for (int64_t j = step; j < n; ++j) {
    Vector<R> largest = hn::Zero(d);
    for (int64_t i = first; i < m; i += lanes) {
      const Lanes<R, kComplex> x = LoadLanes<R, kComplex>(w.column(j) + i, w.imag);
      Vector<R> size = hn::Abs(x.re);
      if constexpr (kComplex) size = hn::Add(size, hn::Abs(x.im));
      if (i < step) size = hn::IfThenZeroElse(hn::FirstN(d, static_cast<size_t>(step - i)), size);
      largest = hn::Max(largest, size);
    }
    const R size = hn::GetLane(hn::MaxOfLanes(d, largest));
    if (!(size > best_size)) continue;
    best_size = size;
    best.column = j;
    for (best.row = step; Size(w.Get(best.row, j)) != size;) ++best.row;
  }
  return best;
}

template <class R, bool kComplex>
void SwapRows(const Panel<R, kComplex>& w, int64_t n, int64_t i, int64_t j, int64_t* names) {
  if (i == j) return;
  for (int64_t c = 0; c < n; ++c) {
    const Scalar<R> x = w.Get(i, c);
    w.Set(i, c, w.Get(j, c));
    w.Set(j, c, x);
  }
  const int64_t saved = names[i];
  names[i] = names[j];
  names[j] = saved;
}

// Row `step`'s multiples subtracted from all rows below it; its column keeps the multipliers.
template <class R, bool kComplex>
void EliminateStep(const Panel<R, kComplex>& w, int64_t m, int64_t n, int64_t step, R* multipliers) {
  const int64_t lanes = LaneCount<R>(), first = step / lanes * lanes;
  const Scalar<R> pivot = w.Get(step, step);
  const Panel<R, kComplex> l = {multipliers, w.rows, w.imag};
  ClearColumn<R, kComplex>(multipliers, w.imag, w.rows);
  for (int64_t i = step + 1; i < m; ++i) {
    const Scalar<R> x = Quotient<R, kComplex>(w.Get(i, step), pivot);
    w.Set(i, step, x);
    l.Set(i, 0, x);
  }
  for (int64_t j = step + 1; j < n; ++j) {
    const Lanes<R, kComplex> factor = SetLanes<R, kComplex>(w.Get(step, j));
    for (int64_t i = first; i < m; i += lanes) {
      R* to = w.column(j) + i;
      StoreLanes(NegMulAdd(LoadLanes<R, kComplex>(multipliers + i, w.imag), factor, LoadLanes<R, kComplex>(to, w.imag)),
                 to, w.imag);
    }
  }
}

}  // namespace

template <class R, bool kComplex>
Ending FullPivotLu(int64_t m, int64_t n, const R* a_data, R* lu_data, int64_t* rows, int64_t* columns, R* parity,
                   Memory memory) {
  const Matrix<R, kComplex> a = {const_cast<R*>(a_data), 1, m}, lu = {lu_data, 1, m};
  const int64_t steps = m < n ? m : n;
  Arena arena(memory);
  const Panel<R, kComplex> w = NewPanel<R, kComplex>(arena, m, n);
  R* const multipliers = arena.Allocate<R>(w.stride());
  if (!LoadPanel(m, n, a, w)) return {Outcome::kNotFinite, 0};
  for (int64_t i = 0; i < m; ++i) rows[i] = i;
  for (int64_t j = 0; j < n; ++j) columns[j] = j;
  int64_t sign = 1;
  for (int64_t step = 0; step < steps; ++step) {
    const Place pivot = FindLargest(w, m, n, step);
    if ((pivot.row != step) != (pivot.column != step)) sign = -sign;
    SwapRows(w, n, step, pivot.row, rows);
    SwapColumns(w, step, pivot.column, columns);
    const Scalar<R> value = w.Get(step, step);
    if (value.re == 0 && value.im == 0) break;  // nothing but zeros is left
    EliminateStep(w, m, n, step, multipliers);
  }
  for (int64_t j = 0; j < n; ++j) Repack<R, kComplex>(m, w.column(j), w.imag, lu.At(0, j));
  *parity = static_cast<R>(sign);
  return {Outcome::kOk, 0};
}

// Source: P. Businger, G. Golub, Linear least squares solutions by Householder transformations, Numer. Math. 7 (1965),
// with norms that are found anew in every step.
template <class R, bool kComplex>
Ending PivotedQr(int64_t m, int64_t n, const R* a_data, R* q_data, R* r_data, int64_t* permutation, Memory memory) {
  const int64_t k = m < n ? m : n;
  const Matrix<R, kComplex> a = {const_cast<R*>(a_data), 1, m}, q = {q_data, 1, m}, r = {r_data, 1, k};
  Arena arena(memory);
  const Panel<R, kComplex> w = NewPanel<R, kComplex>(arena, m, n), v = NewPanel<R, kComplex>(arena, m, n),
                           product = NewPanel<R, kComplex>(arena, m, k);
  Scalar<R>* const tau = arena.Allocate<Scalar<R>>(k);
  if (!LoadPanel(m, n, a, w)) return {Outcome::kNotFinite, 0};
  for (int64_t j = 0; j < n; ++j) permutation[j] = j;
  for (int64_t step = 0; step < k; ++step) {
    int64_t best = step;
    R best_norm = -1;
    for (int64_t j = step; j < n; ++j) {
      const R norm = Norm(w, j, step);
      if (norm > best_norm) {
        best = j;
        best_norm = norm;
      }
    }
    SwapColumns(w, step, best, permutation);
    tau[step] = MakeReflector(w, step, step, v);
    Reflect(v, step, step, Conjugate(tau[step]), w.From(step + 1), n - step - 1);
  }
  FormProduct(v, tau, k, k, product);
  for (int64_t j = 0; j < k; ++j) Repack<R, kComplex>(m, product.column(j), product.imag, q.At(0, j));
  for (int64_t j = 0; j < n; ++j) {
    const int64_t filled = j + 1 < k ? j + 1 : k;
    Repack<R, kComplex>(filled, w.column(j), w.imag, r.At(0, j));
    Clear(k - filled, 1, r.From(filled, j));
  }
  return {Outcome::kOk, 0};
}

#define TENFERRO_INSTANTIATE(R, kComplex)                                                                   \
  template Ending FullPivotLu<R, kComplex>(int64_t, int64_t, const R*, R*, int64_t*, int64_t*, R*, Memory); \
  template Ending PivotedQr<R, kComplex>(int64_t, int64_t, const R*, R*, R*, int64_t*, Memory);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA::factor
