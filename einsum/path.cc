#include "tenferro/einsum/path.h"

#include <algorithm>
#include <tuple>

namespace tenferro::einsum {

Path GreedyPath(const Network& network) {
  struct Value {
    int id;
    LabelSet labels;
  };
  std::vector<Value> values;
  for (const LabelSet& labels : network.operands) values.push_back({static_cast<int>(values.size()), labels});
  int next_id = static_cast<int>(values.size());
  Path path;
  while (values.size() > 1) {
    // Labels that one value, or two, have beside the output.
    LabelSet once, twice, more;
    for (const Value& value : values) {
      more = more | (twice & value.labels);
      twice = (twice | (once & value.labels)) - more;
      once = (once | value.labels) - twice - more;
    }
    size_t best_i = 0, best_j = 1;
    LabelSet best_labels;
    bool found = false;
    std::tuple<bool, double, double> best;  // shares no label, growth of memory, multiplications
    for (size_t i = 0; i < values.size(); ++i) {
      for (size_t j = i + 1; j < values.size(); ++j) {
        const LabelSet &a = values[i].labels, &b = values[j].labels;
        const LabelSet gone = (((a | b) & once) | (a & b & twice)) - network.output;
        const LabelSet labels = (a | b) - gone;
        const std::tuple<bool, double, double> cost(
            (a & b).empty(), network.SizeOf(labels) - network.SizeOf(a) - network.SizeOf(b), network.SizeOf(a | b));
        if (found && best <= cost) continue;
        found = true;
        best = cost;
        best_i = i;
        best_j = j;
        best_labels = labels;
      }
    }
    path.emplace_back(values[best_i].id, values[best_j].id);
    values.erase(values.begin() + best_j);
    values.erase(values.begin() + best_i);
    values.push_back({next_id++, best_labels});
  }
  return path;
}

namespace {

// Appends the steps that make the subset, returns the id of its value.
int Unfold(const std::vector<uint32_t>& left, uint32_t subset, int operands, Path& path) {
  if ((subset & (subset - 1)) == 0) return std::countr_zero(subset);
  const int first = Unfold(left, left[subset], operands, path);
  const int second = Unfold(left, subset & ~left[subset], operands, path);
  path.emplace_back(std::min(first, second), std::max(first, second));
  return operands + static_cast<int>(path.size()) - 1;
}

}  // namespace

Path OptimalPath(const Network& network) {
  const int n = static_cast<int>(network.operands.size());
  if (n < 2) return {};
  const uint32_t all = (uint32_t{1} << n) - 1;
  std::vector<LabelSet> inside(all + 1);  // the union of a subset's labels
  for (uint32_t subset = 1; subset <= all; ++subset) {
    inside[subset] = inside[subset & (subset - 1)] | network.operands[std::countr_zero(subset)];
  }
  std::vector<LabelSet> labels(all + 1);  // of a subset's value
  std::vector<PathCost> cost(all + 1);
  std::vector<uint32_t> left(all + 1, 0);
  for (uint32_t subset = 1; subset <= all; ++subset) {
    if ((subset & (subset - 1)) == 0) {
      labels[subset] = inside[subset];
      continue;
    }
    labels[subset] = inside[subset] & (inside[all & ~subset] | network.output);
    const double size = network.SizeOf(labels[subset]);
    // Each split once: the left part has the lowest operand.
    const uint32_t lowest = subset & -subset, rest = subset & ~lowest;
    for (uint32_t part = (rest - 1) & rest;; part = (part - 1) & rest) {
      const uint32_t a = part | lowest, b = subset & ~a;
      const double flops = cost[a].flops + cost[b].flops;
      // The last product costs at least the size of the result.
      if (left[subset] == 0 || flops + size <= cost[subset].flops) {
        const PathCost tried{flops + FlopsOf(network, labels[a], labels[b], labels[subset]),
                             std::max({cost[a].largest, cost[b].largest, size})};
        if (left[subset] == 0 ||
            std::tie(tried.flops, tried.largest) < std::tie(cost[subset].flops, cost[subset].largest)) {
          cost[subset] = tried;
          left[subset] = a;
        }
      }
      if (part == 0) break;
    }
  }
  Path path;
  Unfold(left, all, n, path);
  return path;
}

}  // namespace tenferro::einsum
