#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/factor/block_reflection.h"
#include "tenferro/linalg/cpu/factor/isa_kernels.h"

namespace tenferro::linalg::TENFERRO_ISA::factor {
namespace {

// R's diagonal made non-negative.
template <class R, bool kComplex>
void MakePositive(int64_t m, int64_t n, int64_t r_rows, const Matrix<R, kComplex>& q, const Matrix<R, kComplex>& r) {
  for (int64_t i = 0; i < r_rows && i < n; ++i) {
    if (!(r.Get(i, i).re < 0)) continue;
    for (int64_t j = i; j < n; ++j) {
      const Scalar<R> x = r.Get(i, j);
      r.Set(i, j, {-x.re, -x.im});
    }
    r.Set(i, i, {Absolute(r.Get(i, i).re), 0});
    for (int64_t k = 0; k < m; ++k) {
      const Scalar<R> x = q.Get(k, i);
      q.Set(k, i, {-x.re, -x.im});
    }
  }
}

template <class R, bool kComplex>
void SmallQr(int64_t m, int64_t n, int64_t q_columns, const Matrix<R, kComplex>& a, const Matrix<R, kComplex>& q,
             const Matrix<R, kComplex>& r) {
  constexpr int64_t kReals = kLeaf * kLeaf * kParts<kComplex>;
  alignas(64) R a_data[kReals], v_data[kReals], q_data[kReals];
  Scalar<R> tau[kLeaf];
  const Panel<R, kComplex> work = {a_data, PadRows<R>(m), kLeaf}, v = {v_data, PadRows<R>(m), kLeaf},
                           product = {q_data, PadRows<R>(m), kLeaf};
  ToPanel(m, n, a, work);
  FactorPanel(work, m, n, v, tau);
  FormProduct(v, tau, m < n ? m : n, q_columns, product);
  FromPanel(m, q_columns, product, q);
  for (int64_t j = 0; j < n; ++j) {
    const int64_t rows = j + 1 < q_columns ? j + 1 : q_columns;
    Repack<R, kComplex>(rows, work.column(j), work.imag, r.At(0, j));
    Clear(q_columns - rows, 1, r.From(rows, j));
  }
}

}  // namespace

template <class R, bool kComplex>
Ending Qr(Isa isa, uint8_t dtype, int64_t m, int64_t n, int64_t q_columns, bool positive, const R* a_data, R* q_data,
          R* r_data, Memory memory) {
  const Matrix<R, kComplex> a = {const_cast<R*>(a_data), 1, m}, q = {q_data, 1, m}, r = {r_data, 1, q_columns};
  if (m <= kLeaf && n <= kLeaf) {
    if (!IsFinite(m, n, a)) return {Outcome::kNotFinite, 0};
    SmallQr(m, n, q_columns, a, q, r);
    if (positive) MakePositive(m, n, q_columns, q, r);
    return {Outcome::kOk, 0};
  }
  const int64_t k = m < n ? m : n, most = n > q_columns ? n : q_columns;
  Arena arena(memory);
  const Reflections<R, kComplex> reflections(arena, isa, dtype, m, k, most);
  const Matrix<R, kComplex> work = NewMatrix<R, kComplex>(arena, m, n);
  const Panel<R, kComplex> panel = NewPanelUninitialized<R, kComplex>(arena, m, kBlock),
                           vectors = NewPanelUninitialized<R, kComplex>(arena, m, kBlock);
  if (!CopyFinite(m, n, a, work)) return {Outcome::kNotFinite, 0};
  reflections.Factor(n, work, panel, vectors, nullptr);
  for (int64_t j = 0; j < n; ++j) {
    const int64_t filled = j + 1 < k ? j + 1 : k;
    memcpy(r.At(0, j), work.At(0, j), static_cast<size_t>(filled * kParts<kComplex>) * sizeof(R));
    Clear(q_columns - filled, 1, r.From(filled, j));
  }
  Clear(m, q_columns, q);
  for (int64_t j = 0; j < q_columns; ++j) q.Set(j, j, {1, 0});
  reflections.Apply(false, q_columns, true, q);
  if (positive) MakePositive(m, n, q_columns, q, r);
  return {Outcome::kOk, 0};
}

#define TENFERRO_INSTANTIATE(R, kComplex) \
  template Ending Qr<R, kComplex>(Isa, uint8_t, int64_t, int64_t, int64_t, bool, const R*, R*, R*, Memory);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA::factor
