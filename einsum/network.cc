#include "tenferro/einsum/network.h"

#include <algorithm>

namespace tenferro::einsum {

double Network::SizeOf(const LabelSet& labels) const {
  double size = 1;
  labels.ForEach([&](int label) { size *= extents[label]; });
  return size;
}

double FlopsOf(const Network& network, const LabelSet& a, const LabelSet& b, const LabelSet& result) {
  const LabelSet all = a | b;
  const double products = network.SizeOf(all);
  return all == result ? products : 2 * products;
}

std::vector<LabelSet> LabelsAlong(const Network& network, const Path& path) {
  std::vector<LabelSet> labels = network.operands;
  // How many values that are still there have each label; the output counts as one.
  std::vector<int> uses(network.extents.size(), 0);
  for (const LabelSet& operand : labels) operand.ForEach([&](int label) { ++uses[label]; });
  network.output.ForEach([&](int label) { ++uses[label]; });
  for (const auto& [first, second] : path) {
    const LabelSet a = labels[first], b = labels[second];
    a.ForEach([&](int label) { --uses[label]; });
    b.ForEach([&](int label) { --uses[label]; });
    LabelSet result;
    (a | b).ForEach([&](int label) {
      if (uses[label] > 0) result.Insert(label);
    });
    result.ForEach([&](int label) { ++uses[label]; });
    labels.push_back(result);
  }
  return labels;
}

PathCost CostOf(const Network& network, const Path& path) {
  const std::vector<LabelSet> labels = LabelsAlong(network, path);
  PathCost cost;
  for (size_t step = 0; step < path.size(); ++step) {
    const LabelSet& result = labels[network.operands.size() + step];
    cost.flops += FlopsOf(network, labels[path[step].first], labels[path[step].second], result);
    cost.largest = std::max(cost.largest, network.SizeOf(result));
  }
  return cost;
}

}  // namespace tenferro::einsum
