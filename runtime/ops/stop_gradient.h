#ifndef TENFERRO_RUNTIME_OPS_STOP_GRADIENT_H_
#define TENFERRO_RUNTIME_OPS_STOP_GRADIENT_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro {

extern const OpDef kStopGradient;

// x itself, as a constant to every derivative. Costs nothing when it runs. A loss that depends on x in no other way has
// no derivative: Grad reports it, GradOptional gives an empty Var.
Var StopGradient(const Arg& x);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_STOP_GRADIENT_H_
