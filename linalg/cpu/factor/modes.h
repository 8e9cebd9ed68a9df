#ifndef TENFERRO_LINALG_CPU_FACTOR_MODES_H_
#define TENFERRO_LINALG_CPU_FACTOR_MODES_H_

namespace tenferro::linalg {

// Which triangular system: op(t)·x = b, or x·op(t) = b. What lies on the other side of t's diagonal is not read.
struct TriangleMode {
  bool right = false;
  bool lower = false;
  bool transpose = false;
  bool conjugate = false;
  bool unit_diagonal = false;
};

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_FACTOR_MODES_H_
