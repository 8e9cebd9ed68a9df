#ifndef TENFERRO_EINSUM_NETWORK_H_
#define TENFERRO_EINSUM_NETWORK_H_

#include <utility>
#include <vector>

#include "tenferro/einsum/label_set.h"

namespace tenferro::einsum {

// Which two values to contract at each step: operands are 0 … n − 1, the result of step i is n + i.
using Path = std::vector<std::pair<int, int>>;

// What a path search needs to know of a contraction: which labels each operand has, which the result needs, and how
// long each is.
struct Network {
  std::vector<LabelSet> operands;
  LabelSet output;
  std::vector<double> extents;  // by label

  // Number of elements of a value with these labels.
  double SizeOf(const LabelSet& labels) const;
};

struct PathCost {
  double flops = 0;    // a multiplication each, and an addition where a label is summed
  double largest = 0;  // elements of the largest result of a step
};

// Flops of contracting a with b to `result`.
double FlopsOf(const Network& network, const LabelSet& a, const LabelSet& b, const LabelSet& result);

// The labels of all values along a path: the operands', then those of each step's result.
std::vector<LabelSet> LabelsAlong(const Network& network, const Path& path);
PathCost CostOf(const Network& network, const Path& path);

}  // namespace tenferro::einsum

#endif  // TENFERRO_EINSUM_NETWORK_H_
