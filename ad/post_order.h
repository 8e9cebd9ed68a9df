#ifndef TENFERRO_AD_POST_ORDER_H_
#define TENFERRO_AD_POST_ORDER_H_

#include <cstdint>
#include <utility>
#include <vector>

namespace tenferro::ad {

// Nodes reachable from `roots`, operands before their consumers, depth first with the left operand first: an order that
// depends on the flow of data alone. `operand(node, i)` is the node of operand i, or -1 to skip it;
// `num_operands(node)` their number.
template <class NumOperands, class Operand>
std::vector<int64_t> PostOrder(const std::vector<int64_t>& roots, int64_t num_nodes, NumOperands num_operands,
                               Operand operand) {
  std::vector<bool> seen(num_nodes);
  std::vector<int64_t> order;
  std::vector<std::pair<int64_t, int>> path;
  for (int64_t root : roots) {
    if (root < 0 || seen[root]) continue;
    seen[root] = true;
    path.emplace_back(root, 0);
    while (!path.empty()) {
      auto& [node, next] = path.back();
      if (next == num_operands(node)) {
        order.push_back(node);
        path.pop_back();
        continue;
      }
      const int64_t child = operand(node, next++);
      if (child < 0 || seen[child]) continue;
      seen[child] = true;
      path.emplace_back(child, 0);
    }
  }
  return order;
}

}  // namespace tenferro::ad

#endif  // TENFERRO_AD_POST_ORDER_H_
