#ifndef TENFERRO_EXPERIMENTS_PARITY_COMPARE_H_
#define TENFERRO_EXPERIMENTS_PARITY_COMPARE_H_

#include "absl/status/status.h"
#include "tenferro/experiments/parity/cases.h"

namespace tenferro::parity {

// Compares a result with the reference by the reference's rule. Under every rule NaN equals NaN and an infinity equals
// itself, in the same place; a NaN equals no number. Only kExact tells −0 from 0. |·| of a complex number is its
// modulus; a complex element that is not finite must have the same infinities and NaNs in each part. Errors: another
// dtype or shape; a difference beyond the rule's bound. The message names the element, both values and the bound.
absl::Status Compare(const Tensor& got, const Expected& want);

}  // namespace tenferro::parity

#endif  // TENFERRO_EXPERIMENTS_PARITY_COMPARE_H_
