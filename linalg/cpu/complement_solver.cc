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

// Conjugate gradients on (s_i² − P⊥·a·aᴴ·P⊥)·x_i = s_i·p_i + a·q_i, every column with its own scalars but all products shared.
// The approximate triplets beyond the kept ones precondition: they carry the small eigenvalues.
template <class R, bool kComplex>
class ConjugateGradients {
 public:
  ConjugateGradients(Arena& arena, const ComplementProblem<R, kComplex>& problem)
      : arena_(arena),
        problem_(problem),
        active_(problem.columns),
        index_(arena.Allocate<int64_t>(problem.columns)),
        rho_(arena.Allocate<double>(problem.columns)),
        floor_(arena.Allocate<double>(problem.columns)),
        x_(NewPanel<R, kComplex>(arena, problem.m, problem.columns)),
        residual_(NewPanelUninitialized<R, kComplex>(arena, problem.m, problem.columns)),
        direction_(NewPanel<R, kComplex>(arena, problem.m, problem.columns)),
        image_(NewPanelUninitialized<R, kComplex>(arena, problem.m, problem.columns)),
        half_image_(NewPanelUninitialized<R, kComplex>(arena, problem.n, problem.columns)),
        small_(NewPanel<R, kComplex>(arena, problem.kept + problem.extra, problem.columns)) {}

  // `floor`: for each column the size that x has at least to count; rounding errors of the right-hand side alone make
  // eps·floor. Replaces p, q by the solutions; false, and p, q untouched: no convergence, or a discarded singular value within
  // rounding of a kept one.
  bool Run(const double* floor) {
    Multiply(problem_.a, Plain(problem_.q), problem_.n, problem_.columns, Update::kAssign, residual_);
    for (int64_t c = 0; c < problem_.columns; ++c) {
      index_[c] = c;
      rho_[c] = 0;
      floor_[c] = floor[c];
      AddScaled<R, kComplex>({problem_.s_of_column[c], 0}, problem_.p.column(c), problem_.p.imag, residual_.column(c),
                             residual_.imag, residual_.rows);
    }
    ProjectOut(problem_.u, problem_.kept, residual_, problem_.columns);
    for (int step = 0; active_ > 0; ++step) {
      if (step == kMaxSteps) return false;
      NextDirections();
      ApplyOperator();
      for (int64_t c = active_ - 1; c >= 0; --c) {
        switch (Advance(c)) {
          case Progress::kGoesOn:
            break;
          case Progress::kDone:
            Retire(c);
            break;
          case Progress::kSingular:
            return false;
        }
      }
    }
    WriteSolutions();
    return true;
  }

 private:
  static constexpr int kMaxSteps = 120;
  enum class Progress { kGoesOn, kDone, kSingular };

  double S(int64_t c) const { return problem_.s_of_column[index_[c]]; }

  void ProjectOut(const Panel<R, kComplex>& basis, int64_t size, const Panel<R, kComplex>& x, int64_t columns) {
    MultiplyAdjoint(basis, size, x, columns, small_);
    Multiply(basis, Plain(small_), size, columns, Update::kSubtract, x);
  }

  // direction = preconditioner·residual + β·direction. The preconditioner is 1/s_i², and on the approximate triplets (t, w)
  // 1/(s_i² − t²).
  void NextDirections() {
    const Panel<R, kComplex> extra = problem_.u.From(problem_.kept);
    MultiplyAdjoint(extra, problem_.extra, residual_, active_, small_);
    for (int64_t c = 0; c < active_; ++c) {
      const double s = S(c);
      for (int64_t e = 0; e < problem_.extra; ++e) {
        const double t = problem_.s[problem_.kept + e];
        const R factor = R(t * t / ((s - t) * (s + t)));
        const Scalar<R> value = small_.Get(e, c);
        small_.Set(e, c, {factor * value.re, factor * value.im});
      }
      CopyScaled<R, kComplex>(R{1}, residual_.column(c), residual_.imag, image_.column(c), image_.imag, image_.rows);
    }
    Multiply(extra, Plain(small_), problem_.extra, active_, Update::kAdd, image_);
    for (int64_t c = 0; c < active_; ++c) {
      const double s = S(c);
      const double rho =
          double(Dot<R, kComplex>(residual_.column(c), residual_.imag, image_.column(c), image_.imag, image_.rows).re) /
          (s * s);
      const R beta = rho_[c] > 0 ? R(rho / rho_[c]) : R{0};
      R* d = direction_.column(c);
      CopyScaled<R, kComplex>(beta, d, direction_.imag, d, direction_.imag, direction_.rows);
      AddScaled<R, kComplex>({R(1 / (s * s)), 0}, image_.column(c), image_.imag, d, direction_.imag, direction_.rows);
      rho_[c] = rho;
    }
  }

  // image = P⊥·a·P⊥·aᴴ·direction. Both projections are needed where s_i is far below the largest singular value: what rounding
  // leaves along kept vectors would be amplified by their squares.
  void ApplyOperator() {
    Multiply(problem_.a_adjoint, Plain(direction_), problem_.m, active_, Update::kAssign, half_image_);
    ProjectOut(problem_.v, problem_.kept, half_image_, active_);
    Multiply(problem_.a, Plain(half_image_), problem_.n, active_, Update::kAssign, image_);
    ProjectOut(problem_.u, problem_.kept, image_, active_);
  }

  Progress Advance(int64_t c) {
    const double s = S(c);
    const R* d = direction_.column(c);
    const double d2 = SquaredNorm<R, kComplex>(d, direction_.imag, direction_.rows);
    if (d2 == 0) return Progress::kDone;
    const double along = Dot<R, kComplex>(d, direction_.imag, image_.column(c), image_.imag, image_.rows).re;
    const double curvature = s * s * d2 - along;
    // An average of s_i² − t² over discarded t: is there one with s_i − t <= τ?
    if (!(curvature > problem_.tau * (2 * s - problem_.tau) * d2)) return Progress::kSingular;
    const double alpha = rho_[c] / curvature;
    AddScaled<R, kComplex>({R(alpha), 0}, d, direction_.imag, x_.column(c), x_.imag, x_.rows);
    AddScaled<R, kComplex>({R(-alpha * s * s), 0}, d, direction_.imag, residual_.column(c), residual_.imag,
                           residual_.rows);
    AddScaled<R, kComplex>({R(alpha), 0}, image_.column(c), image_.imag, residual_.column(c), residual_.imag,
                           residual_.rows);
    const double x2 = SquaredNorm<R, kComplex>(x_.column(c), x_.imag, x_.rows);
    const double enough = kEpsilon<R> / 2 * (__builtin_sqrt(x2) + floor_[c]);
    return alpha * alpha * d2 <= enough * enough ? Progress::kDone : Progress::kGoesOn;
  }

  void SwapColumns(const Panel<R, kComplex>& panel, int64_t a, int64_t b) {
    const int64_t lanes = LaneCount<R>();
    for (int64_t i = 0; i < panel.rows; i += lanes) {
      const Lanes<R, kComplex> x = LoadLanes<R, kComplex>(panel.column(a) + i, panel.imag);
      StoreLanes(LoadLanes<R, kComplex>(panel.column(b) + i, panel.imag), panel.column(a) + i, panel.imag);
      StoreLanes(x, panel.column(b) + i, panel.imag);
    }
  }

  // Moves a finished column behind the active ones.
  void Retire(int64_t c) {
    const int64_t last = --active_;
    if (c == last) return;
    SwapColumns(x_, c, last);
    SwapColumns(residual_, c, last);
    SwapColumns(direction_, c, last);
    SwapColumns(image_, c, last);
    const int64_t index = index_[c];
    index_[c] = index_[last];
    index_[last] = index;
    rho_[c] = rho_[last];
    floor_[c] = floor_[last];
  }

  // y_i = (q_i + aᴴ·x_i)/s_i.
  void WriteSolutions() {
    for (int64_t c = 0; c < problem_.columns; ++c) {
      CopyScaled<R, kComplex>(R{1}, x_.column(c), x_.imag, problem_.p.column(index_[c]), problem_.p.imag, x_.rows);
    }
    Multiply(problem_.a_adjoint, Plain(problem_.p), problem_.m, problem_.columns, Update::kAdd, problem_.q);
    for (int64_t c = 0; c < problem_.columns; ++c) {
      R* q = problem_.q.column(c);
      CopyScaled<R, kComplex>(1 / problem_.s_of_column[c], q, problem_.q.imag, q, problem_.q.imag, problem_.q.rows);
    }
  }

  Arena& arena_;
  const ComplementProblem<R, kComplex>& problem_;
  int64_t active_;
  int64_t* index_;  // which right-hand side a column is
  double* rho_;     // residualᴴ·preconditioner·residual
  double* floor_;
  Panel<R, kComplex> x_;
  Panel<R, kComplex> residual_;
  Panel<R, kComplex> direction_;
  Panel<R, kComplex> image_;
  Panel<R, kComplex> half_image_;
  Panel<R, kComplex> small_;
};

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
  const bool solved = !CutIsDegenerate(problem) && ConjugateGradients<R, kComplex>(arena, problem).Run(floor);
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
