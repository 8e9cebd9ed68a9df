#include "tenferro/linalg/cpu/complement_solver.h"

#include "tenferro/linalg/cpu/block_svd.h"
#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/conjugate_gradients.h"
#include "tenferro/linalg/cpu/panel_gemm.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

// x −= basis·(basisᴴ·x), twice: the first pass leaves eps times what it removes, which may be large.
template <class R, bool kComplex>
void ProjectOut(Arena& arena, const Panel<R, kComplex>& basis, int64_t size, const Panel<R, kComplex>& x,
                int64_t columns) {
  if (size == 0) return;
  const Arena::Mark mark = arena.mark();
  const Panel<R, kComplex> c = NewPanel<R, kComplex>(arena, size, columns);
  for (int pass = 0; pass < 2; ++pass) {
    MultiplyAdjoint(basis, size, x, columns, c);
    Multiply(basis, Plain(c), size, columns, Update::kSubtract, x);
  }
  arena.Release(mark);
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
  // With a = Σ w_l·t_l·z_lᴴ on the complements, coefficients of w_l and z_l in p and q turn into those in x and y; what
  // p and q have outside all w_l and z_l is divided by s_i.
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
      x.Set(l, i,
            {factor * (s * a.re + t * b.re) - rest_factor * a.re, factor * (s * a.im + t * b.im) - rest_factor * a.im});
      y.Set(l, i,
            {factor * (t * a.re + s * b.re) - rest_factor * b.re, factor * (t * a.im + s * b.im) - rest_factor * b.im});
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

// x_i = p_i/s_i, y_i = q_i/s_i: nothing of the matrix is left on one of the complements.
template <class R, bool kComplex>
void DivideByValues(const ComplementProblem<R, kComplex>& problem) {
  for (int64_t c = 0; c < problem.columns; ++c) {
    const R factor = 1 / problem.s_of_column[c];
    R* p = problem.p.column(c);
    R* q = problem.q.column(c);
    CopyScaled<R, kComplex>(factor, p, problem.p.imag, p, problem.p.imag, problem.p.rows);
    CopyScaled<R, kComplex>(factor, q, problem.q.imag, q, problem.q.imag, problem.q.rows);
  }
}

// True if an approximate triplet is within rounding of a right-hand side's kept value.
template <class R, bool kComplex>
bool CutIsDegenerate(const ComplementProblem<R, kComplex>& problem) {
  for (int64_t c = 0; c < problem.columns; ++c) {
    for (int64_t e = 0; e < problem.extra; ++e) {
      if (!(problem.s_of_column[c] - problem.s[problem.kept + e] > problem.tau)) return true;
    }
  }
  return false;
}

template <class R, bool kComplex>
void ClearColumns(const Panel<R, kComplex>& x, int64_t columns) {
  for (int64_t c = 0; c < columns; ++c) ClearColumn<R, kComplex>(x.column(c), x.imag, x.rows);
}

}  // namespace

template <class R, bool kComplex>
bool SolveComplement(Arena& arena, const ComplementProblem<R, kComplex>& problem) {
  double* floor = arena.Allocate<double>(problem.columns);
  for (int64_t c = 0; c < problem.columns; ++c) {
    const double p2 = SquaredNorm<R, kComplex>(problem.p.column(c), problem.p.imag, problem.p.rows);
    const double q2 = SquaredNorm<R, kComplex>(problem.q.column(c), problem.q.imag, problem.q.rows);
    floor[c] = __builtin_sqrt(p2 + q2) / problem.s_of_column[c];
  }
  ProjectOut(arena, problem.u, problem.kept, problem.p, problem.columns);
  ProjectOut(arena, problem.v, problem.kept, problem.q, problem.columns);
  if (problem.kept == problem.m) ClearColumns(problem.p, problem.columns);
  if (problem.kept == problem.n) ClearColumns(problem.q, problem.columns);
  if (problem.kept == problem.m || problem.kept == problem.n) {
    DivideByValues(problem);
    return true;
  }
  const Arena::Mark mark = arena.mark();
  const bool solved = !CutIsDegenerate(problem) && SolveByConjugateGradients(arena, problem, floor);
  arena.Release(mark);
  if (!solved && !SolveDirectly(arena, problem)) return false;
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
