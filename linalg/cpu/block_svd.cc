#include "tenferro/linalg/cpu/block_svd.h"

#include "tenferro/linalg/cpu/bidiagonal.h"
#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/divide.h"
#include "tenferro/linalg/cpu/householder.h"
#include "tenferro/linalg/cpu/jacobi.h"
#include "tenferro/linalg/cpu/pack.h"
#include "tenferro/linalg/cpu/panel_gemm.h"
#include "tenferro/linalg/cpu/reflections.h"

namespace tenferro::linalg::TENFERRO_ISA {

namespace {

// Up to this size rotations of whole columns are cheaper than a reduction to bidiagonal form.
constexpr int64_t kJacobiLimit = 12;

// tall = left·diag(s)·rightᴴ, longer × k, by QR and one-sided Jacobi rotations of its factor.
template <class R, bool kComplex>
bool SvdByJacobi(Arena& arena, int64_t k, const Panel<R, kComplex>& tall, const Panel<R, kComplex>& left, R* s,
                 const Panel<R, kComplex>& right) {
  const Panel<R, kComplex> r = NewPanel<R, kComplex>(arena, k, k);
  const Panel<R, kComplex> r_left = NewPanel<R, kComplex>(arena, k, k);
  QrInPlace(tall, k, r, left);
  if (!JacobiSvd(arena, k, r, r_left, s, right)) return false;
  Multiply(tall, Plain(r_left), k, k, Update::kAssign, left);
  return true;
}

// Column i of the result: column order[n − 1 − i] of `from`, whose rows get the unit factors, zero below.
template <class R, bool kComplex>
void SortedWithPhases(int64_t n, const BidiagonalSvd<R>& svd, const Panel<R, false>& from, const Scalar<R>* phase,
                      const Panel<R, kComplex>& to) {
  for (int64_t i = 0; i < n; ++i) {
    ClearColumn<R, kComplex>(to.column(i), to.imag, to.rows);
    const R* source = from.column(svd.order[n - 1 - i]);
    R* target = to.column(i);
    for (int64_t r = 0; r < n; ++r) {
      target[r] = phase[r].re * source[r];
      if constexpr (kComplex) target[r + to.imag] = phase[r].im * source[r];
    }
  }
}

// The same by reduction to bidiagonal form; of the triangular factor where the matrix is much longer than wide.
template <class R, bool kComplex>
bool SvdByReduction(Arena& arena, int64_t longer, int64_t k, const Panel<R, kComplex>& tall,
                    const Panel<R, kComplex>& left, R* s, const Panel<R, kComplex>& right) {
  const bool factor_first = 2 * longer > 3 * k;
  Panel<R, kComplex> a = tall;
  Reflections<R, kComplex> q;
  if (factor_first) {
    a = NewPanel<R, kComplex>(arena, k, k);
    q = FactorQr(arena, tall, k, a);
  }
  const Bidiagonal<R, kComplex> reduced = Bidiagonalize(arena, factor_first ? k : longer, k, a);
  const BidiagonalSvd<R> svd = DivideAndConquer<R>(arena, k, reduced.d, reduced.e, true);
  if (!svd.ok) return false;
  for (int64_t i = 0; i < k; ++i) s[i] = R(svd.d[svd.order[k - 1 - i]]);
  SortedWithPhases(k, svd, svd.u, reduced.left_phase, left);
  SortedWithPhases(k, svd, svd.v, reduced.right_phase, right);
  Panel<R, kComplex> reduced_left = left;
  reduced_left.rows = reduced.left.vectors.rows;
  Apply(arena, reduced.left, reduced_left, k);
  Apply(arena, reduced.right, right, k);
  if (factor_first) Apply(arena, q, left, k);
  return true;
}

}  // namespace

template <class R, bool kComplex>
Triplets<R, kComplex> FullSvd(Arena& arena, int64_t m, int64_t n, const Panel<R, kComplex>& a) {
  const int64_t longer = m >= n ? m : n;
  const int64_t k = m >= n ? n : m;
  Triplets<R, kComplex> result;
  result.s = arena.Allocate<R>(k);
  Panel<R, kComplex>& left = m >= n ? result.u : result.v;
  Panel<R, kComplex>& right = m >= n ? result.v : result.u;
  left = NewPanelUninitialized<R, kComplex>(arena, longer, k + 1);
  right = NewPanel<R, kComplex>(arena, k, k);
  const Arena::Mark mark = arena.mark();
  const Panel<R, kComplex> tall = m >= n ? a : AdjointPanel(arena, a, m, n);
  result.ok = k <= kJacobiLimit ? SvdByJacobi(arena, k, tall, left, result.s, right)
                                : SvdByReduction(arena, longer, k, tall, left, result.s, right);
  arena.Release(mark);
  return result;
}

template <class R, bool kComplex>
bool ValuesOf(Arena& arena, int64_t m, int64_t n, const Panel<R, kComplex>& a, R* s) {
  const int64_t longer = m >= n ? m : n;
  const int64_t k = m >= n ? n : m;
  const Arena::Mark mark = arena.mark();
  const Panel<R, kComplex> tall = m >= n ? a : AdjointPanel(arena, a, m, n);
  if (k <= kJacobiLimit) {
    const Panel<R, kComplex> left = NewPanelUninitialized<R, kComplex>(arena, longer, k + 1),
                             right = NewPanel<R, kComplex>(arena, k, k);
    const bool ok = SvdByJacobi(arena, k, tall, left, s, right);
    arena.Release(mark);
    return ok;
  }
  const bool factor_first = 2 * longer > 3 * k;
  Panel<R, kComplex> reduced = tall;
  if (factor_first) {
    reduced = NewPanel<R, kComplex>(arena, k, k);
    FactorQr(arena, tall, k, reduced);
  }
  const Bidiagonal<R, kComplex> bidiagonal = Bidiagonalize(arena, factor_first ? k : longer, k, reduced);
  const BidiagonalSvd<R> svd = DivideAndConquer<R>(arena, k, bidiagonal.d, bidiagonal.e, false);
  for (int64_t i = 0; i < k && svd.ok; ++i) s[i] = R(svd.d[svd.order[k - 1 - i]]);
  arena.Release(mark);
  return svd.ok;
}

#define TENFERRO_INSTANTIATE(R, kComplex)                                                      \
  template Triplets<R, kComplex> FullSvd(Arena&, int64_t, int64_t, const Panel<R, kComplex>&); \
  template bool ValuesOf(Arena&, int64_t, int64_t, const Panel<R, kComplex>&, R*);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
