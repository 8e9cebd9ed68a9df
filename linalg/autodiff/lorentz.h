#ifndef TENFERRO_LINALG_AUTODIFF_LORENTZ_H_
#define TENFERRO_LINALG_AUTODIFF_LORENTZ_H_

#include "tenferro/runtime/var.h"

namespace tenferro::linalg {

// x/(x² + eps²) for eps > 0, which has no derivative here; neither square overflows or vanishes. In x's dtype eps
// counts as at least the root of its smallest number (f32: 1e-19, f64: 1e-154), so a second derivative is finite.
// Shapes: eps as x.
Var Lorentz(const Var& x, const Var& eps);
// For one eps of all.
Var Lorentz(const Var& x, double eps);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_AUTODIFF_LORENTZ_H_
