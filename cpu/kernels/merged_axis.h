#ifndef TENFERRO_CPU_KERNELS_MERGED_AXIS_H_
#define TENFERRO_CPU_KERNELS_MERGED_AXIS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "tenferro/cpu/gemm/gemm.h"
#include "tenferro/cpu/layout.h"
#include "tenferro/tensor/shape.h"

namespace tenferro {

// Several axes of a tensor as one.
class MergedAxis {
 public:
  MergedAxis() = default;
  MergedAxis(const Shape& shape, absl::Span<const int64_t> strides, absl::Span<const int64_t> axes) {
    Shape extents;
    Layout layout;
    for (int64_t axis : axes) {
      extents.push_back(shape[static_cast<int>(axis)]);
      layout.strides.push_back(strides[axis]);
    }
    const Walk walk = WalkOf(extents, layout);
    extent_ = walk.size;
    if (walk.extents.size() == 1) stride_ = walk.strides[0];
    if (walk.extents.size() < 2 || extent_ == 0) return;
    offsets_.resize(extent_);
    int64_t filled = 1;
    for (size_t k = 0; k < walk.extents.size(); ++k) {
      for (int64_t i = filled; i < filled * walk.extents[k]; ++i) {
        offsets_[i] = offsets_[i % filled] + i / filled * walk.strides[k];
      }
      filled *= walk.extents[k];
    }
  }

  int64_t extent() const { return extent_; }
  int64_t offset(int64_t i) const { return offsets_.empty() ? i * stride_ : offsets_[i]; }
  bool has_stride(int64_t stride) const { return offsets_.empty() && (stride_ == stride || extent_ <= 1); }
  bool is_consecutive() const { return has_stride(1); }
  GemmAxis ToGemm() const { return {extent_, stride_, offsets_.empty() ? nullptr : offsets_.data()}; }

 private:
  int64_t extent_ = 1;
  int64_t stride_ = 1;
  std::vector<int64_t> offsets_;
};

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_MERGED_AXIS_H_
