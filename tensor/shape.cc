#include "tenferro/tensor/shape.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tenferro {
namespace {

// 2^62 bytes of the widest dtype.
constexpr int64_t kMaxSize = int64_t{1} << 58;

}  // namespace

int64_t Shape::size() const {
  uint64_t size = 1;  // unsigned: a shape that nobody validated may overflow
  for (Dim dim : dims_) size *= static_cast<uint64_t>(dim.extent());
  return static_cast<int64_t>(size);
}

absl::Status Shape::Validate() const {
  int64_t size = 1;
  for (int axis = 0; axis < rank(); ++axis) {
    if (extent(axis) < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("shape ", ToString(), ": the extent ", extent(axis), " of axis ", axis, " is negative"));
    }
    if (extent(axis) > 1 && size > kMaxSize / extent(axis)) {
      return absl::InvalidArgumentError(absl::StrCat("shape ", ToString(), ": more than 2^58 elements"));
    }
    size *= std::max<int64_t>(extent(axis), 1);
  }
  return absl::OkStatus();
}

Ints Shape::ColMajorStrides() const {
  Ints strides(rank());
  uint64_t stride = 1;
  for (int axis = 0; axis < rank(); ++axis) {
    strides[axis] = static_cast<int64_t>(stride);
    stride *= static_cast<uint64_t>(std::max<int64_t>(extent(axis), 1));
  }
  return strides;
}

Ints Shape::RowMajorStrides() const {
  Ints strides(rank());
  uint64_t stride = 1;
  for (int axis = rank() - 1; axis >= 0; --axis) {
    strides[axis] = static_cast<int64_t>(stride);
    stride *= static_cast<uint64_t>(std::max<int64_t>(extent(axis), 1));
  }
  return strides;
}

Ints Shape::extents() const {
  Ints extents(rank());
  for (int axis = 0; axis < rank(); ++axis) extents[axis] = extent(axis);
  return extents;
}

std::string Shape::ToString() const { return absl::StrCat("[", absl::StrJoin(extents(), ","), "]"); }

std::string Describe(DType dtype, const Shape& shape) { return absl::StrCat(Name(dtype), shape.ToString()); }

absl::StatusOr<Shape> BroadcastShapes(const Shape& a, const Shape& b) {
  const Shape& longer = a.rank() >= b.rank() ? a : b;
  const Shape& shorter = a.rank() >= b.rank() ? b : a;
  const int lead = longer.rank() - shorter.rank();
  Shape result = longer;
  for (int axis = 0; axis < shorter.rank(); ++axis) {
    if (result[lead + axis] == shorter[axis] || shorter[axis] == 1) continue;
    if (!(result[lead + axis] == 1)) {
      return absl::InvalidArgumentError(
          absl::StrCat("shapes ", a.ToString(), " and ", b.ToString(), " do not broadcast: extents ",
                       a.extent(axis + a.rank() - shorter.rank()), " and ", b.extent(axis + b.rank() - shorter.rank()),
                       " differ and neither is 1"));
    }
    result[lead + axis] = shorter[axis];
  }
  return result;
}

}  // namespace tenferro
