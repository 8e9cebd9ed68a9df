#ifndef TENFERRO_EINSUM_PATH_H_
#define TENFERRO_EINSUM_PATH_H_

#include <cstdint>

#include "tenferro/einsum/network.h"

namespace tenferro::einsum {

// Joins, at each step, the pair whose result grows memory least (its size minus its operands'), pairs that share a
// label before outer products; at a tie the pair with the fewest multiplications, then the earliest. Cost: cubic in the
// number of operands. Source: the greedy heuristic of D. G. A. Smith and J. Gray, opt_einsum, JOSS 3(26), 753 (2018).
Path GreedyPath(const Network& network);

// The path with the fewest flops, of those the one with the smallest largest result; outer products included.
// At most kMostOptimal operands. Cost: 3ⁿ steps for n operands: 0.5 million at 12.
inline constexpr int kMostOptimal = 16;
Path OptimalPath(const Network& network);

struct AnnealOptions {
  uint64_t seed = 0;
  int64_t moves = 20000;     // tried
  double memory_weight = 0;  // of log2 of the largest result beside log2 of the flops
};
// Improves the greedy path by simulated annealing over contraction trees: three neighbouring subtrees of a tree are
// joined in another order. Returns the best tree met, never a worse one than the greedy. The same seed gives the same
// path everywhere. Source: the local moves of Kalachev, Panteleev and Yung, arXiv:2108.05665.
Path AnnealedPath(const Network& network, const AnnealOptions& options);

}  // namespace tenferro::einsum

#endif  // TENFERRO_EINSUM_PATH_H_
