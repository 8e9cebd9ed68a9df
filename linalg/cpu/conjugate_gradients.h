#ifndef TENFERRO_LINALG_CPU_CONJUGATE_GRADIENTS_H_
#define TENFERRO_LINALG_CPU_CONJUGATE_GRADIENTS_H_

#include "tenferro/linalg/cpu/complement_solver.h"

namespace tenferro::linalg::TENFERRO_ISA {

// Solves a complement problem whose right-hand sides are already orthogonal to the kept vectors, by conjugate gradients
// on (s_i² − P⊥·a·aᴴ·P⊥)·x_i = s_i·p_i + a·q_i. The approximate triplets beyond the kept ones precondition: they carry
// the small eigenvalues.
//
// floor[i] is the size of x_i below which it is rounding errors of the right-hand side. Replaces p, q by the solutions;
// false, and p, q untouched: no convergence, or a discarded singular value within rounding of a kept one.
//
// Source: Hestenes and Stiefel, "Methods of conjugate gradients for solving linear systems", J. Res. NBS 49 (1952).
template <class R, bool kComplex>
bool SolveByConjugateGradients(Arena& arena, const ComplementProblem<R, kComplex>& problem, const double* floor);

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_CONJUGATE_GRADIENTS_H_
