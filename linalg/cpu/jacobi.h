#ifndef TENFERRO_LINALG_CPU_JACOBI_H_
#define TENFERRO_LINALG_CPU_JACOBI_H_

#include "tenferro/linalg/cpu/panel.h"

namespace tenferro::linalg::TENFERRO_ISA {

// r = left·diag(s)·rightᴴ for a p × p matrix by one-sided Jacobi rotations of the columns of rᴴ; s descends, left and
// right are unitary to rounding even where singular values vanish or coincide. Quick when r is triangular with a graded
// diagonal, as the factor of a QR is. Entries of r should be of order 1. False if 80 sweeps do not suffice (never seen;
// rows graded over forty decades have needed 41).
//
// Source: Drmač and Veselić, "New fast and accurate Jacobi SVD algorithm I", SIAM J. Matrix Anal. Appl. 29 (2008).
template <class R, bool kComplex>
bool JacobiSvd(Arena& arena, int64_t p, const Panel<R, kComplex>& r, const Panel<R, kComplex>& left, R* s,
               const Panel<R, kComplex>& right);

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_JACOBI_H_
