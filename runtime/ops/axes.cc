#include "tenferro/runtime/ops/axes.h"

#include "absl/strings/str_cat.h"

namespace tenferro {

absl::Status CheckAxes(const char* what, const Ints& axes, int rank) {
  for (size_t i = 0; i < axes.size(); ++i) {
    if (axes[i] < 0 || axes[i] >= rank) {
      return absl::InvalidArgumentError(absl::StrCat(what, " ", axes[i], " does not exist in rank ", rank));
    }
    for (size_t j = 0; j < i; ++j) {
      if (axes[i] == axes[j]) return absl::InvalidArgumentError(absl::StrCat(what, " ", axes[i], " stands twice"));
    }
  }
  return absl::OkStatus();
}

bool ContainsAxis(const Ints& axes, int64_t axis) {
  for (int64_t a : axes) {
    if (a == axis) return true;
  }
  return false;
}

Ints OtherAxes(const Ints& axes, int rank) {
  Ints others;
  for (int i = 0; i < rank; ++i) {
    if (!ContainsAxis(axes, i)) others.push_back(i);
  }
  return others;
}

Ints FirstAxes(int count) {
  Ints axes;
  for (int i = 0; i < count; ++i) axes.push_back(i);
  return axes;
}

Ints InversePermutation(const Ints& permutation) {
  Ints inverse(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i) inverse[permutation[i]] = i;
  return inverse;
}

}  // namespace tenferro
