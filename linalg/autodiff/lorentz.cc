#include "tenferro/linalg/autodiff/lorentz.h"

#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/stop_gradient.h"

namespace tenferro::linalg {

Var Lorentz(const Var& x, const Var& eps) {
  const bool single = x.dtype() == DType::kF32;
  const Var bounded = StopGradient(Min(Max(eps, single ? 0x1p-63 : 0x1p-511), single ? 0x1p126 : 0x1p1022));
  // The quotient does not depend on its unit, which is a constant therefore.
  const Var unit = StopGradient(Max(Abs(x), bounded));
  const Var y = x / unit, e = bounded / unit;
  return y / (y * y + e * e) / unit;
}

Var Lorentz(const Var& x, double eps) { return Lorentz(x, FullLike(x, eps)); }

}  // namespace tenferro::linalg
