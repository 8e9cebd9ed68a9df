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

// Walks the elements that are shown, the last axis fastest. Loops and no recursion: there is no limit to the rank.
class Printer {
 public:
  Printer(const Tensor& tensor, const void* data)
      : tensor_(tensor), data_(static_cast<const char*>(data)), index_(tensor.rank(), 0) {}

  std::string Print() {
    std::vector<const void*> elements;
    do {
      elements.push_back(Element());
    } while (Advance() < tensor_.rank());
    const ElementFormat format(tensor_.dtype(), elements);

    const int rank = tensor_.rank();
    OpenRow(rank);
    while (true) {
      AddWord(format(Element()));
      const int ended = Advance();
      if (ended == 0) {
        AddSpace();
        if (BehindGap(rank - 1)) {
          AddWord("...");
          AddSpace();
        }
        continue;
      }
      text_.append(ended, ']');
      if (ended == rank) return std::move(text_);
      const int axis = rank - 1 - ended;
      const std::string separator = std::string(ended, '\n') + std::string(axis + 1, ' ');
      text_ += separator;
      if (BehindGap(axis)) absl::StrAppend(&text_, "...", separator);
      OpenRow(ended);
    }
  }

 private:
  bool HasGap(int axis) const { return tensor_.size() > kThreshold && tensor_.dim(axis) > 2 * kEdgeItems; }
  bool BehindGap(int axis) const { return HasGap(axis) && index_[axis] == tensor_.dim(axis) - kEdgeItems; }

  const void* Element() const {
    int64_t offset = 0;
    for (int axis = 0; axis < tensor_.rank(); ++axis) offset += index_[axis] * tensor_.strides()[axis];
    return data_ + offset * SizeOf(tensor_.dtype());
  }

  // Goes to the next element that is shown, at last to the first one again; returns how many axes came to their end.
  int Advance() {
    int ended = 0;
    for (int axis = tensor_.rank() - 1; axis >= 0; --axis, ++ended) {
      if (++index_[axis] == kEdgeItems && HasGap(axis)) index_[axis] = tensor_.dim(axis) - kEdgeItems;
      if (index_[axis] < tensor_.dim(axis)) return ended;
      index_[axis] = 0;
    }
    return ended;
  }

  void OpenRow(int brackets) {
    text_.append(brackets, '[');
    column_ = index_.size();
  }

  void AddSpace() {
    text_ += ' ';
    ++column_;
  }

  void AddWord(const std::string& word) {
    const size_t indent = index_.size();
    // Each of the brackets around may have to close on this line.
    if (column_ + word.size() + indent > kLineWidth && column_ > indent) {
      while (text_.back() == ' ') text_.pop_back();
      absl::StrAppend(&text_, "\n", std::string(indent, ' '));
      column_ = indent;
    }
    text_ += word;
    column_ += word.size();
  }

  const Tensor& tensor_;
  const char* const data_;
  Ints index_;
  std::string text_;
  size_t column_ = 0;
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
