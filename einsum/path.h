#ifndef TENFERRO_EINSUM_PATH_H_
#define TENFERRO_EINSUM_PATH_H_

#include <utility>
#include <vector>

#include "tenferro/einsum/subscripts.h"

namespace tenferro::einsum {

// Which two values to contract at each step: operands are 0 … n − 1, the result of step i is n + i.
using Path = std::vector<std::pair<int, int>>;

// Joins, at each step, the pair whose result grows memory least (its size minus its operands'), pairs that share a
// label before outer products; at a tie the pair with the fewest multiplications, then the earliest. Cost: cubic in the
// number of operands, which is small against what it saves. Source: the greedy heuristic of D. G. A. Smith and J. Gray,
// opt_einsum, JOSS 3(26), 753 (2018).
Path GreedyPath(const Contraction& contraction);

// Labels of the contraction of two values: those of either that the result or another value still needs.
Ints ContractedLabels(const Ints& a, const Ints& b, const std::vector<Ints>& others, const Ints& output);

}  // namespace tenferro::einsum

#endif  // TENFERRO_EINSUM_PATH_H_
