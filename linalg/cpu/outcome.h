#ifndef TENFERRO_LINALG_CPU_OUTCOME_H_
#define TENFERRO_LINALG_CPU_OUTCOME_H_

#include <stdint.h>

namespace tenferro::linalg {

// How a decomposition ended.
enum class Outcome : uint8_t {
  kOk,
  kNotFinite,  // the matrix has a NaN or an infinity
  kNotConverged,
  kNoGap,  // a truncation between values that are too close
  kNotPositiveDefinite,
  kNoPrincipalValue,  // an eigenvalue on a branch cut, or 0
};

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_OUTCOME_H_
