#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/factor/isa_kernels.h"
#include "tenferro/linalg/cpu/factor/reflection.h"

namespace tenferro::linalg::TENFERRO_ISA::factor {
namespace {

// Reflections that act on the rest of the matrix together.
inline constexpr int64_t kBlock = 32;

template <class R, bool kComplex>
void FactorPanel(const Panel<R, kComplex>& a, int64_t m, int64_t n, const Panel<R, kComplex>& v, Scalar<R>* tau) {
  const int64_t steps = m < n ? m : n;
  for (int64_t j = 0; j < steps; ++j) {
    tau[j] = MakeReflector(a, j, j, v);
    Reflect(v, j, j, Conjugate(tau[j]), a.From(j + 1), n - j - 1);
  }
}

// Columns of a matrix with contiguous rows as a panel whose padding is 0.
template <class R, bool kComplex>
void ToPanel(int64_t m, int64_t n, const Matrix<R, kComplex>& a, const Panel<R, kComplex>& panel) {
  for (int64_t j = 0; j < n; ++j) {
    Unpack<R, kComplex>(m, a.At(0, j), panel.column(j), panel.imag);
    for (int64_t i = m; i < panel.rows; ++i) panel.Set(i, j, {0, 0});
  }
}

template <class R, bool kComplex>
void FromPanel(int64_t m, int64_t n, const Panel<R, kComplex>& panel, const Matrix<R, kComplex>& a) {
  for (int64_t j = 0; j < n; ++j) Repack<R, kComplex>(m, panel.column(j), panel.imag, a.At(0, j));
}

// The upper triangular t of H_0 … H_(b−1) = I − V·t·Vᴴ, from the Gram matrix of V. Source: C. Van Loan, R. Schreiber,
// A storage-efficient WY representation for products of Householder transformations, SIAM J. Sci. Stat. Comput. 10
// (1989).
template <class R, bool kComplex>
void FormTriangle(int64_t b, const Scalar<R>* tau, const Matrix<R, kComplex>& gram, const Matrix<R, kComplex>& t) {
  for (int64_t j = 0; j < b; ++j) {
    for (int64_t i = 0; i < b; ++i) t.Set(i, j, {0, 0});
    // Column j above the diagonal: −tau_j·t·(Vᴴv_j), by columns of t.
    for (int64_t k = 0; k < j; ++k) {
      const Scalar<R> factor = Times(tau[j], gram.Get(k, j));
      for (int64_t i = 0; i <= k; ++i) t.Set(i, j, Minus(t.Get(i, j), Times(t.Get(i, k), factor)));
    }
    t.Set(j, j, tau[j]);
  }
}

// c −= v·t·(vᴴ·c), or with tᴴ; v [m, b], c [m, n].
template <class R, bool kComplex>
void ApplyBlock(const Products& products, int64_t m, int64_t n, int64_t b, const Matrix<R, kComplex>& v,
                const Matrix<R, kComplex>& t, const Matrix<R, kComplex>& c, const Matrix<R, kComplex>& first,
                const Matrix<R, kComplex>& second) {
  Multiply(products, b, n, m, v.Adjoint(), c, Term::kAssign, first);
  Multiply(products, b, n, b, t, first, Term::kAssign, second);
  Multiply(products, m, n, b, v, second, Term::kSubtract, c);
}

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
          R* r_data) {
  const Matrix<R, kComplex> a = {const_cast<R*>(a_data), 1, m}, q = {q_data, 1, m}, r = {r_data, 1, q_columns};
  if (m <= kLeaf && n <= kLeaf) {
    if (!IsFinite(m, n, a)) return {End::kNotFinite, 0};
    SmallQr(m, n, q_columns, a, q, r);
    if (positive) MakePositive(m, n, q_columns, q, r);
    return {End::kOk, 0};
  }
  const int64_t k = m < n ? m : n, most = n > q_columns ? n : q_columns;
  Arena arena((m + 16) * (n + k + 3 * kBlock) * int64_t{sizeof(R)} * kParts<kComplex> + (1 << 16));
  const Products products = MakeProducts(arena, isa, dtype, m > n ? m : n);
  const Matrix<R, kComplex> work = NewMatrix<R, kComplex>(arena, m, n), v = NewMatrix<R, kComplex>(arena, m, k),
                            t = NewMatrix<R, kComplex>(arena, kBlock, k), gram = NewMatrix<R, kComplex>(arena, kBlock, kBlock),
                            first = NewMatrix<R, kComplex>(arena, kBlock, most), second = NewMatrix<R, kComplex>(arena, kBlock, most);
  const Panel<R, kComplex> panel = NewPanelUninitialized<R, kComplex>(arena, m, kBlock), vectors = NewPanelUninitialized<R, kComplex>(arena, m, kBlock);
  if (!CopyFinite(m, n, a, work)) return {End::kNotFinite, 0};
  Scalar<R> tau[kBlock];
  for (int64_t j = 0; j < k; j += kBlock) {
    const int64_t b = k - j < kBlock ? k - j : kBlock, rows = m - j;
    Panel<R, kComplex> here = panel, reflectors = vectors;
    here.rows = reflectors.rows = PadRows<R>(rows);
    ToPanel(rows, b, work.From(j, j), here);
    FactorPanel(here, rows, b, reflectors, tau);
    FromPanel(b, b, here, work.From(j, j));
    const Matrix<R, kComplex> block = v.From(j, j), triangle = t.From(0, j);
    FromPanel(rows, b, reflectors, block);
    Multiply(products, b, b, rows, block.Adjoint(), block, Term::kAssign, gram);
    FormTriangle(b, tau, gram, triangle);
    ApplyBlock(products, rows, n - j - b, b, block, triangle.Adjoint(), work.From(j, j + b), first, second);
  }
  for (int64_t j = 0; j < n; ++j) {
    const int64_t filled = j + 1 < k ? j + 1 : k;
    memcpy(r.At(0, j), work.At(0, j), static_cast<size_t>(filled * kParts<kComplex>) * sizeof(R));
    Clear(q_columns - filled, 1, r.From(filled, j));
  }
  Clear(m, q_columns, q);
  for (int64_t j = 0; j < q_columns; ++j) q.Set(j, j, {1, 0});
  for (int64_t j = (k - 1) / kBlock * kBlock; j >= 0; j -= kBlock) {
    const int64_t b = k - j < kBlock ? k - j : kBlock;
    ApplyBlock(products, m - j, q_columns - j, b, v.From(j, j), t.From(0, j), q.From(j, j), first, second);
  }
  if (positive) MakePositive(m, n, q_columns, q, r);
  return {End::kOk, 0};
}

#define TENFERRO_INSTANTIATE(R, kComplex) \
  template Ending Qr<R, kComplex>(Isa, uint8_t, int64_t, int64_t, int64_t, bool, const R*, R*, R*);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA::factor
