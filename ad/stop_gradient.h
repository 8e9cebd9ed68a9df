#ifndef TENFERRO_AD_STOP_GRADIENT_H_
#define TENFERRO_AD_STOP_GRADIENT_H_

#include "tenferro/runtime/ops/stop_gradient.h"

namespace tenferro::ad {

// Beside the other functions that say how derivatives pass.
using tenferro::kStopGradient;
using tenferro::StopGradient;

}  // namespace tenferro::ad

#endif  // TENFERRO_AD_STOP_GRADIENT_H_
