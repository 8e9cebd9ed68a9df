#ifndef TENFERRO_EXPERIMENTS_PARITY_SUBNORMAL_H_
#define TENFERRO_EXPERIMENTS_PARITY_SUBNORMAL_H_

#include "absl/status/status.h"
#include "tenferro/experiments/parity/cases.h"

namespace tenferro::parity {

// The references were computed on a machine state that takes subnormal numbers for 0. This project follows IEEE 754: where a
// case's function tells 5e-324 from 0, the expected element is replaced by the right one. Other cases are left alone.
absl::Status RestoreSubnormals(Case& c);

}  // namespace tenferro::parity

#endif  // TENFERRO_EXPERIMENTS_PARITY_SUBNORMAL_H_
