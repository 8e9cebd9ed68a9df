#ifndef TENFERRO_LINALG_GAUGE_H_
#define TENFERRO_LINALG_GAUGE_H_

#include <cstdint>

namespace tenferro::linalg {

// What a decomposition leaves free: a phase (real: a sign) of each eigenvector, or of each pair of singular vectors.
enum class Gauge : uint8_t {
  kRaw,  // whatever the algorithm leaves; the same for the same matrix
  // Each vector (of a pair the one in U, its partner along with it) is multiplied by the phase that makes the first of
  // its largest entries real and positive. A loss of the vectors then has an exact derivative, as long as no two values
  // are equal.
  kPivot,
};

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_GAUGE_H_
