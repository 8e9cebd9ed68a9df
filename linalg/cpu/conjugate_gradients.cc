#include "tenferro/linalg/cpu/conjugate_gradients.h"

#include "tenferro/linalg/cpu/column.h"
#include "tenferro/linalg/cpu/panel_gemm.h"

namespace tenferro::linalg::TENFERRO_ISA {
namespace {

// Every column has its own scalars, but all share the products.
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
          case Progress::kGoesOn: break;
          case Progress::kDone: Retire(c); break;
          case Progress::kSingular: return false;
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

  // direction = preconditioner·residual + β·direction. The preconditioner is 1/s_i², and on the approximate triplets
  // (t, w) 1/(s_i² − t²).
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

  // image = P⊥·a·P⊥·aᴴ·direction. Both projections are needed where s_i is far below the largest singular value: what
  // rounding leaves along kept vectors would be amplified by their squares.
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

}  // namespace

template <class R, bool kComplex>
bool SolveByConjugateGradients(Arena& arena, const ComplementProblem<R, kComplex>& problem, const double* floor) {
  return ConjugateGradients<R, kComplex>(arena, problem).Run(floor);
}

#define TENFERRO_INSTANTIATE(R, kComplex) \
  template bool SolveByConjugateGradients(Arena&, const ComplementProblem<R, kComplex>&, const double*);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA
