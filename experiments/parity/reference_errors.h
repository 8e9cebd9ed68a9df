#ifndef TENFERRO_EXPERIMENTS_PARITY_REFERENCE_ERRORS_H_
#define TENFERRO_EXPERIMENTS_PARITY_REFERENCE_ERRORS_H_

#include "absl/status/status.h"
#include "tenferro/experiments/parity/cases.h"

namespace tenferro::parity {

// Two habits of the compiler behind the references are not IEEE 754's, which this project follows:
// subnormal inputs count as 0: where a function tells 5e-324 from 0, the expected element is replaced by the right one;
// a quotient by a broadcast divisor is a product with its reciprocal: one unit in the last place is allowed there.
// Other cases are left alone.
absl::Status CorrectReference(Case& c);

}  // namespace tenferro::parity

#endif  // TENFERRO_EXPERIMENTS_PARITY_REFERENCE_ERRORS_H_
