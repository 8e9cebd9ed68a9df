#ifndef TENFERRO_LINALG_CPU_COMPLEMENT_SOLVER_H_
#define TENFERRO_LINALG_CPU_COMPLEMENT_SOLVER_H_

#include "tenferro/linalg/cpu/panel.h"

namespace tenferro::linalg::TENFERRO_ISA {

// s_i·x_i − a·y_i = P⊥ p_i, s_i·y_i − aᴴ·x_i = P⊥ q_i on one block, for `columns` right-hand sides of any of the
// matrix's triplets. Everything is scaled so that the matrix's largest singular value is about 1.
template <class R, bool kComplex>
struct ComplementProblem {
  int64_t m = 0;
  int64_t n = 0;
  Panel<R, kComplex> a;          // m × n
  Panel<R, kComplex> a_adjoint;  // n × m
  // The block's kept triplets, then `extra` approximate ones.
  int64_t kept = 0;
  int64_t extra = 0;
  Panel<R, kComplex> u;
  Panel<R, kComplex> v;
  const R* s = nullptr;
  // Singular values closer than this are equal.
  R tau = 0;
  // Right-hand sides, replaced by the solutions.
  int64_t columns = 0;
  const R* s_of_column = nullptr;  // all > tau
  Panel<R, kComplex> p;
  Panel<R, kComplex> q;
};

// False: a decomposition that it needed did not converge.
template <class R, bool kComplex>
bool SolveComplement(Arena& arena, const ComplementProblem<R, kComplex>& problem);

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_COMPLEMENT_SOLVER_H_
