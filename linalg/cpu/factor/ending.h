#ifndef TENFERRO_LINALG_CPU_FACTOR_ENDING_H_
#define TENFERRO_LINALG_CPU_FACTOR_ENDING_H_

#include <stdint.h>

namespace tenferro::linalg {

enum class End : uint8_t {
  kOk,
  kNotFinite,    // a matrix has a NaN or an infinity
  kNotPositive,  // the leading minor of order `index` is not positive
  kSingular,     // element `index` of a triangular factor's diagonal is zero
};

// How a factorisation or a solution of equations ended.
struct Ending {
  End end;
  int64_t index;
};

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_FACTOR_ENDING_H_
