#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tenferro/tensor/element_format.h"
#include "tenferro/tensor/tensor.h"

namespace tenferro {
namespace {

// NumPy's defaults.
constexpr int64_t kThreshold = 1000;
constexpr int64_t kEdgeItems = 3;
constexpr size_t kLineWidth = 75;

constexpr int64_t kEllipsis = -1;

class Printer {
 public:
  Printer(const Tensor& tensor, const void* data) : tensor_(tensor), data_(static_cast<const char*>(data)) {
    for (int axis = 0; axis < tensor.rank(); ++axis) shown_.push_back(ShownIndices(axis));
  }

  std::string Print() {
    std::vector<const void*> elements;
    Collect(0, data_, &elements);
    const ElementFormat format(tensor_.dtype(), elements);
    return Block(0, data_, format);
  }

 private:
  std::vector<int64_t> ShownIndices(int axis) const {
    const int64_t extent = tensor_.dim(axis);
    const bool cut = tensor_.size() > kThreshold && extent > 2 * kEdgeItems;
    std::vector<int64_t> indices;
    for (int64_t i = 0; i < extent; ++i) {
      if (cut && i == kEdgeItems) {
        indices.push_back(kEllipsis);
        i = extent - kEdgeItems;
      }
      indices.push_back(i);
    }
    return indices;
  }

  const char* Step(int axis, const char* address, int64_t index) const {
    return address + index * tensor_.strides()[axis] * SizeOf(tensor_.dtype());
  }

  void Collect(int axis, const char* address, std::vector<const void*>* elements) const {
    if (axis == tensor_.rank()) return elements->push_back(address);
    for (int64_t index : shown_[axis]) {
      if (index != kEllipsis) Collect(axis + 1, Step(axis, address, index), elements);
    }
  }

  // "[…]" around the axes from `axis` on; its lines after the first are indented by axis + 1.
  std::string Block(int axis, const char* address, const ElementFormat& format) const {
    if (axis == tensor_.rank() - 1) return Row(axis, address, format);
    const std::string separator = std::string(tensor_.rank() - 1 - axis, '\n') + std::string(axis + 1, ' ');
    std::string block = "[";
    for (int64_t index : shown_[axis]) {
      if (block.size() > 1) block += separator;
      block += index == kEllipsis ? "..." : Block(axis + 1, Step(axis, address, index), format);
    }
    return block + "]";
  }

  std::string Row(int axis, const char* address, const ElementFormat& format) const {
    const size_t indent = axis + 1;
    const size_t width = kLineWidth - indent;  // each enclosing bracket may have to close on this line
    std::string row = "[";
    size_t column = indent;
    for (int64_t index : shown_[axis]) {
      const std::string word = index == kEllipsis ? "..." : format(Step(axis, address, index));
      if (column + word.size() > width && column > indent) {
        while (row.back() == ' ') row.pop_back();
        absl::StrAppend(&row, "\n", std::string(indent, ' '));
        column = indent;
      }
      absl::StrAppend(&row, word, " ");
      column += word.size() + 1;
    }
    row.back() = ']';
    return row;
  }

  const Tensor& tensor_;
  const char* const data_;
  std::vector<std::vector<int64_t>> shown_;
};

}  // namespace

std::string Tensor::ToString() const {
  const absl::StatusOr<const void*> data = HostData();
  if (!data.ok()) return absl::StrCat("<", Describe(dtype_, shape_), " on ", device().ToString(), ">");
  if (size() == 0) return "[]";
  if (rank() == 0) return ScalarToString(dtype_, *data);
  return Printer(*this, *data).Print();
}

}  // namespace tenferro
