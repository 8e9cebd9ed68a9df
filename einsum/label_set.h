#ifndef TENFERRO_EINSUM_LABEL_SET_H_
#define TENFERRO_EINSUM_LABEL_SET_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tenferro::einsum {

// A set of labels, numbered from 0 in the order of their contraction's extents.
class LabelSet {
 public:
  static constexpr int kMost = 256;

  void Insert(int label) { words_[label / 64] |= uint64_t{1} << label % 64; }
  bool Has(int label) const { return words_[label / 64] >> label % 64 & 1; }
  bool empty() const { return *this == LabelSet(); }

  friend LabelSet operator|(LabelSet a, const LabelSet& b) {
    for (std::size_t i = 0; i < a.words_.size(); ++i) a.words_[i] |= b.words_[i];
    return a;
  }
  friend LabelSet operator&(LabelSet a, const LabelSet& b) {
    for (std::size_t i = 0; i < a.words_.size(); ++i) a.words_[i] &= b.words_[i];
    return a;
  }
  // Without the labels of b.
  friend LabelSet operator-(LabelSet a, const LabelSet& b) {
    for (std::size_t i = 0; i < a.words_.size(); ++i) a.words_[i] &= ~b.words_[i];
    return a;
  }
  friend bool operator==(const LabelSet& a, const LabelSet& b) { return a.words_ == b.words_; }

  // Calls f(label) in ascending order.
  template <class F>
  void ForEach(F f) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
        f(static_cast<int>(64 * i) + std::countr_zero(rest));
      }
    }
  }

 private:
  std::array<uint64_t, kMost / 64> words_{};
};

}  // namespace tenferro::einsum

#endif  // TENFERRO_EINSUM_LABEL_SET_H_
