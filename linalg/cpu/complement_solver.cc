#include "tenferro/linalg/cpu/complement_solver.h"

#include "tenferro/linalg/cpu/block_svd.h"
#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/panel_gemm.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

// x −= basis·(basisᴴ·x), twice: the first pass leaves eps times what it removes, which may be large.
template <class R, bool kComplex>
void ProjectOut(Arena& arena, const Panel<R, kComplex>& basis, int64_t size, const Panel<R, kComplex>& x,
                int64_t columns) {
  if (size == 0) return;
  const Panel<R, kComplex> c = NewPanel<R, kComplex>(arena, size, columns);
  for (int pass = 0; pass < 2; ++pass) {
    MultiplyAdjoint(basis, size, x, columns, c);
    Multiply(basis, Plain(c), size, columns, Update::kSubtract, x);
  }
}

// By a full SVD of what is left of the matrix without the kept triplets.
template <class R, bool kComplex>
bool SolveDirectly(Arena& arena, const ComplementProblem<R, kComplex>& problem) {
  const int64_t rank = problem.m < problem.n ? problem.m : problem.n;
  const int64_t columns = problem.columns;
  Triplets<R, kComplex> rest;
  {
    const Panel<R, kComplex> d = NewPanelUninitialized<R, kComplex>(arena, problem.m, problem.n);
    for (int64_t j = 0; j < problem.n; ++j) {
      CopyScaled<R, kComplex>(R{1}, problem.a.column(j), problem.a.imag, d.column(j), d.imag, d.rows);
    }
    const Panel<R, kComplex> scaled = NewPanelUninitialized<R, kComplex>(arena, problem.m, problem.kept);
    for (int64_t j = 0; j < problem.kept; ++j) {
      CopyScaled<R, kComplex>(problem.s[j], problem.u.column(j), problem.u.imag, scaled.column(j), scaled.imag,
                              scaled.rows);
    }
    Multiply(scaled, Adjoint(problem.v), problem.kept, problem.n, Update::kSubtract, d);
    rest = FullSvd(arena, problem.m, problem.n, d);
    if (!rest.ok) return false;
  }
  // With a = Σ w_l·t_l·z_lᴴ on the complements, coefficients of w_l and z_l in p and q turn into those in x and y; what p and
  // q have outside all w_l and z_l is divided by s_i.
  const Panel<R, kComplex> x = NewPanel<R, kComplex>(arena, rank, columns);
  const Panel<R, kComplex> y = NewPanel<R, kComplex>(arena, rank, columns);
  MultiplyAdjoint(rest.u, rank, problem.p, columns, x);
  MultiplyAdjoint(rest.v, rank, problem.q, columns, y);
  for (int64_t i = 0; i < columns; ++i) {
    const R s = problem.s_of_column[i];
    for (int64_t l = 0; l < rank; ++l) {
      const R t = rest.s[l];
      const R gap = s - t;
      const Scalar<R> a = x.Get(l, i), b = y.Get(l, i);
      const R factor = __builtin_fabs(gap) <= problem.tau ? R{0} : 1 / (gap * (s + t));
      const R rest_factor = 1 / s;
      x.Set(l, i, {factor * (s * a.re + t * b.re) - rest_factor * a.re, factor * (s * a.im + t * b.im) - rest_factor * a.im});
      y.Set(l, i, {factor * (t * a.re + s * b.re) - rest_factor * b.re, factor * (t * a.im + s * b.im) - rest_factor * b.im});
    }
    R* p = problem.p.column(i);
    R* q = problem.q.column(i);
    CopyScaled<R, kComplex>(1 / s, p, problem.p.imag, p, problem.p.imag, problem.p.rows);
    CopyScaled<R, kComplex>(1 / s, q, problem.q.imag, q, problem.q.imag, problem.q.rows);
  }
  Multiply(rest.u, Plain(x), rank, columns, Update::kAdd, problem.p);
  Multiply(rest.v, Plain(y), rank, columns, Update::kAdd, problem.q);
  return true;
}

}  // namespace

template <class R, bool kComplex>
bool SolveComplement(Arena& arena, const ComplementProblem<R, kComplex>& problem) {
  ProjectOut(arena, problem.u, problem.kept, problem.p, problem.columns);
  ProjectOut(arena, problem.v, problem.kept, problem.q, problem.columns);
  if (!SolveDirectly(arena, problem)) return false;
  ProjectOut(arena, problem.u, problem.kept, problem.p, problem.columns);
  ProjectOut(arena, problem.v, problem.kept, problem.q, problem.columns);
  return true;
}

#define TENFERRO_INSTANTIATE(R, kComplex) template bool SolveComplement(Arena&, const ComplementProblem<R, kComplex>&);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
