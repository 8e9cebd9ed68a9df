#ifndef TENFERRO_RUNTIME_OPS_AXES_H_
#define TENFERRO_RUNTIME_OPS_AXES_H_

#include "absl/status/status.h"
#include "tenferro/tensor/shape.h"

namespace tenferro {

// Errors: an axis outside 0 … rank − 1, or one that stands twice. The message begins with `what`.
absl::Status CheckAxes(const char* what, const Ints& axes, int rank);

// The axes of 0 … rank − 1 that are not in `axes`, ascending.
Ints OtherAxes(const Ints& axes, int rank);

// 0, 1, …, count − 1.
Ints FirstAxes(int count);

// p with p[permutation[i]] = i.
Ints InversePermutation(const Ints& permutation);

bool ContainsAxis(const Ints& axes, int64_t axis);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_AXES_H_
