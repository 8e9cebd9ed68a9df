#include <algorithm>
#include <cmath>

#include "tenferro/einsum/path.h"

namespace tenferro::einsum {
namespace {

// A binary tree over the operands; node i < n is operand i.
class Tree {
 public:
  Tree(const Network& network, const Path& path, double memory_weight)
      : network_(network), memory_weight_(memory_weight), operands_(static_cast<int>(network.operands.size())) {
    const std::vector<LabelSet> labels = LabelsAlong(network, path);
    nodes_.resize(labels.size());
    for (size_t i = 0; i < labels.size(); ++i) nodes_[i].labels = labels[i];
    for (size_t step = 0; step < path.size(); ++step) {
      const int id = operands_ + static_cast<int>(step);
      nodes_[id].children[0] = path[step].first;
      nodes_[id].children[1] = path[step].second;
      nodes_[path[step].first].parent = nodes_[path[step].second].parent = id;
    }
  }

  int num_inner() const { return static_cast<int>(nodes_.size()) - operands_; }

  // log2 of the flops and, weighted, of the largest result.
  double Score() const {
    double flops = 0, largest = 1;
    for (size_t i = operands_; i < nodes_.size(); ++i) {
      flops += FlopsAt(static_cast<int>(i));
      largest = std::max(largest, network_.SizeOf(nodes_[i].labels));
    }
    return std::log2(flops) + memory_weight_ * std::log2(largest);
  }

  // ((a, b), c) at inner node number `inner` becomes ((a, c), b) or ((c, b), a): child `side` of the node is (a, b),
  // its child `moved` changes place with c. False where the child is an operand. The same move again undoes it.
  bool Move(int inner, int side, int moved) {
    const int top = operands_ + inner;
    const int pair = nodes_[top].children[side];
    if (pair < operands_) return false;
    std::swap(nodes_[pair].children[moved], nodes_[top].children[1 - side]);
    nodes_[nodes_[pair].children[moved]].parent = pair;
    nodes_[nodes_[top].children[1 - side]].parent = top;
    // Whatever its children are, the pair's value needs the labels that the top or the other child has.
    const LabelSet needed = nodes_[top].labels | nodes_[nodes_[top].children[1 - side]].labels;
    nodes_[pair].labels = (nodes_[nodes_[pair].children[0]].labels | nodes_[nodes_[pair].children[1]].labels) & needed;
    return true;
  }

  Path ToPath() const {
    Path path;
    std::vector<int> ids(nodes_.size());
    for (int i = 0; i < operands_; ++i) ids[i] = i;
    Append(Root(), path, ids);
    return path;
  }

 private:
  struct Node {
    LabelSet labels;
    int children[2] = {-1, -1};
    int parent = -1;
  };

  double FlopsAt(int id) const {
    const Node& node = nodes_[id];
    return FlopsOf(network_, nodes_[node.children[0]].labels, nodes_[node.children[1]].labels, node.labels);
  }
  int Root() const {
    int id = static_cast<int>(nodes_.size()) - 1;
    while (nodes_[id].parent >= 0) id = nodes_[id].parent;
    return id;
  }
  void Append(int id, Path& path, std::vector<int>& ids) const {
    if (id < operands_) return;
    for (int child : nodes_[id].children) Append(child, path, ids);
    const auto [low, high] = std::minmax(ids[nodes_[id].children[0]], ids[nodes_[id].children[1]]);
    path.emplace_back(low, high);
    ids[id] = operands_ + static_cast<int>(path.size()) - 1;
  }

  const Network& network_;
  double memory_weight_;
  int operands_;
  std::vector<Node> nodes_;
};

// SplitMix64 (Steele, Lea, Flood 2014).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t Next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
  }
  double Uniform() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

 private:
  uint64_t state_;
};

}  // namespace

Path AnnealedPath(const Network& network, const AnnealOptions& options) {
  const Path start = GreedyPath(network);
  if (start.size() < 2) return start;
  Tree tree(network, start, options.memory_weight);
  Random random(options.seed);
  double score = tree.Score(), best_score = score;
  Path best = start;
  // From moves that double the flops being common to none being taken.
  constexpr double kHot = 1, kCold = 0.01;
  for (int64_t i = 0; i < options.moves; ++i) {
    const double temperature = kHot * std::pow(kCold / kHot, static_cast<double>(i) / options.moves);
    const uint64_t bits = random.Next();
    const int inner = static_cast<int>((bits >> 2) % tree.num_inner());
    const int side = static_cast<int>(bits & 1), moved = static_cast<int>(bits >> 1 & 1);
    if (!tree.Move(inner, side, moved)) continue;
    const double tried = tree.Score();
    if (tried > score && random.Uniform() >= std::exp((score - tried) / temperature)) {
      tree.Move(inner, side, moved);
      continue;
    }
    score = tried;
    if (score < best_score) {
      best_score = score;
      best = tree.ToPath();
    }
  }
  return best;
}

}  // namespace tenferro::einsum
