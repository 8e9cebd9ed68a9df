#include "tenferro/linalg/cpu/block_svd.h"

#include "tenferro/linalg/cpu/bidiagonal.h"
#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/householder.h"
#include "tenferro/linalg/cpu/jacobi.h"
#include "tenferro/linalg/cpu/pack.h"
#include "tenferro/linalg/cpu/panel_gemm.h"

namespace tenferro::linalg::TENFERRO_ISA {

namespace {

// Up to this size rotations of whole columns are cheaper than a reduction to bidiagonal form.
constexpr int64_t kJacobiLimit = 12;

// tall = left·diag(s)·rightᴴ, longer × k, by QR and one-sided Jacobi rotations of its factor.
template <class R, bool kComplex>
bool SvdByJacobi(Arena& arena, int64_t longer, int64_t k, const Panel<R, kComplex>& tall, Panel<R, kComplex>& left,
                 R* s, Panel<R, kComplex>& right) {
  const Panel<R, kComplex> r = NewPanel<R, kComplex>(arena, k, k);
  const Panel<R, kComplex> r_left = NewPanel<R, kComplex>(arena, k, k);
  left = NewPanelUninitialized<R, kComplex>(arena, longer, k + 1);
  right = NewPanel<R, kComplex>(arena, k, k);
  QrInPlace(tall, k, r, left);
  if (!JacobiSvd(arena, k, r, r_left, s, right)) return false;
  Multiply(tall, Plain(r_left), k, k, Update::kAssign, left);
  return true;
}

// Hundreds of rotations a column leave errors of some eps in the norms of u's and v's columns and relative to each
// value: normalizes, and replaces values by Rayleigh quotients uᴴ·a·v, whose errors are of second order in those of the
// vectors.
template <class R, bool kComplex>
void Refine(Arena& arena, int64_t k, const Panel<R, kComplex>& a, const Panel<R, kComplex>& u,
            const Panel<R, kComplex>& v, double* d) {
  for (const Panel<R, kComplex>* side : {&u, &v}) {
    for (int64_t i = 0; i < k; ++i) {
      R* c = side->column(i);
      const R norm = __builtin_sqrt(SquaredNorm<R, kComplex>(c, side->imag, side->rows));
      CopyScaled<R, kComplex>(1 / norm, c, side->imag, c, side->imag, side->rows);
    }
  }
  int64_t count = 0;
  while (count < k && d[count] > d[0] / 128) ++count;
  const Panel<R, kComplex> image = NewPanelUninitialized<R, kComplex>(arena, a.rows, count);
  Multiply(a, Plain(v), k, count, Update::kAssign, image);
  for (int64_t i = 0; i < count; ++i) {
    d[i] = Dot<R, kComplex>(u.column(i), u.imag, image.column(i), image.imag, u.rows).re;
  }
}

// The same by reduction to bidiagonal form; of the triangular factor where the matrix is much longer than wide.
template <class R, bool kComplex>
bool SvdByReduction(Arena& arena, int64_t longer, int64_t k, const Panel<R, kComplex>& tall, Panel<R, kComplex>& left,
                    R* s, Panel<R, kComplex>& right) {
  const bool factor_first = 2 * longer > 3 * k;
  const int64_t rows = factor_first ? k : longer;
  Panel<R, kComplex> a = tall;
  if (factor_first) {
    a = NewPanel<R, kComplex>(arena, k, k);
    QrInPlace(tall, k, a, NewPanelUninitialized<R, kComplex>(arena, longer, k + 1));
  }
  const Panel<R, kComplex> reduced = NewPanelUninitialized<R, kComplex>(arena, rows, k);
  for (int64_t j = 0; j < k; ++j) {
    CopyScaled<R, kComplex>(R{1}, a.column(j), a.imag, reduced.column(j), reduced.imag, reduced.rows);
  }
  double* d = arena.Allocate<double>(k);
  double* e = arena.Allocate<double>(k);
  Panel<R, kComplex> u = NewPanelUninitialized<R, kComplex>(arena, rows, k);
  right = NewPanelUninitialized<R, kComplex>(arena, k, k);
  Bidiagonalize(arena, rows, k, reduced, u, d, e, right);
  if (!DiagonalizeBidiagonal(arena, k, d, e, u, right)) return false;
  Refine(arena, k, a, u, right, d);
  SortDescending(k, d, u, right);
  left = u;
  if (factor_first) {
    left = NewPanelUninitialized<R, kComplex>(arena, longer, k);
    Multiply(tall, Plain(u), k, k, Update::kAssign, left);
  }
  for (int64_t i = 0; i < k; ++i) s[i] = R(d[i]);
  return true;
}

}  // namespace

template <class R, bool kComplex>
Triplets<R, kComplex> FullSvd(Arena& arena, int64_t m, int64_t n, const Panel<R, kComplex>& a) {
  const int64_t longer = m >= n ? m : n;
  const int64_t k = m >= n ? n : m;
  const Panel<R, kComplex> tall = m >= n ? a : AdjointPanel(arena, a, m, n);
  Triplets<R, kComplex> result;
  result.s = arena.Allocate<R>(k);
  Panel<R, kComplex>& left = m >= n ? result.u : result.v;
  Panel<R, kComplex>& right = m >= n ? result.v : result.u;
  result.ok = k <= kJacobiLimit ? SvdByJacobi(arena, longer, k, tall, left, result.s, right)
                                : SvdByReduction(arena, longer, k, tall, left, result.s, right);
  return result;
}

template <class R, bool kComplex>
bool ValuesOf(Arena& arena, int64_t m, int64_t n, const Panel<R, kComplex>& a, R* s) {
  const int64_t longer = m >= n ? m : n;
  const int64_t k = m >= n ? n : m;
  const Panel<R, kComplex> tall = m >= n ? a : AdjointPanel(arena, a, m, n);
  Panel<R, kComplex> left, right;
  if (k <= kJacobiLimit) return SvdByJacobi(arena, longer, k, tall, left, s, right);
  const bool factor_first = 2 * longer > 3 * k;
  Panel<R, kComplex> reduced = tall;
  if (factor_first) {
    reduced = NewPanel<R, kComplex>(arena, k, k);
    QrInPlace(tall, k, reduced, NewPanelUninitialized<R, kComplex>(arena, longer, k + 1));
  }
  double* d = arena.Allocate<double>(k);
  double* e = arena.Allocate<double>(k);
  const Panel<R, kComplex> none;
  Bidiagonalize(arena, factor_first ? k : longer, k, reduced, none, d, e, none);
  if (!DiagonalizeBidiagonal(arena, k, d, e, none, none)) return false;
  for (int64_t i = 0; i < k; ++i) s[i] = R(d[i]);
  return true;
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
