#ifndef TENFERRO_LINALG_CPU_SPECTRAL_SECULAR_H_
#define TENFERRO_LINALG_CPU_SPECTRAL_SECULAR_H_

#include "tenferro/linalg/cpu/panel.h"

namespace tenferro::linalg::TENFERRO_ISA {

// The eigenproblem of diag(d) + rho·z·zᵀ, rho > 0, with distinct poles d and no zero in z.
//
// poles [k] ascending; place[j] is where pole j stands in the arrays `d` and `z`, whose order is free and which have
// room for PadRows(k). values [k] gets the eigenvalues, ascending; column j of `vectors` (k × k) the j-th normalised
// eigenvector, rows in the order of d. They are orthogonal to rounding even where eigenvalues nearly coincide. False
// if an equation has no finite root.
//
// Sources: Gu and Eisenstat, "A stable and efficient algorithm for the rank-one modification of the symmetric
// eigenproblem", SIAM J. Matrix Anal. Appl. 15 (1994); R.-C. Li, "Solving secular equations stably and efficiently",
// LAPACK Working Note 89 (1994).
bool SolveSecular(Arena& arena, int64_t k, double rho, const double* poles, const int32_t* place, double* d, double* z,
                  double* values, const Panel<double, false>& vectors);

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_SPECTRAL_SECULAR_H_
