#ifndef TENFERRO_LINALG_CPU_OUTCOME_H_
#define TENFERRO_LINALG_CPU_OUTCOME_H_

#include <stdint.h>

namespace tenferro::linalg {

// How a decomposition or a solution of equations ended.
enum class Outcome : uint8_t {
  kOk,
  kNotFinite,  // a matrix has a NaN or an infinity
  kNotConverged,
  kNoGap,                // a truncation between values that are too close
  kNotPositiveDefinite,  // the second of two matrices
  kNoPrincipalValue,     // an eigenvalue on a branch cut, or 0
  kNotPositive,          // the leading minor of order `index` is not positive
  kSingular,             // element `index` of a triangular factor's diagonal is zero
};

// The same, and where.
struct Ending {
  Outcome outcome;
  int64_t index = 0;
};

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_OUTCOME_H_
