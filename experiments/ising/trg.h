#ifndef TENFERRO_EXPERIMENTS_ISING_TRG_H_
#define TENFERRO_EXPERIMENTS_ISING_TRG_H_

#include <cstdint>
#include <string>
#include <vector>

#include "tenferro/runtime/var.h"

namespace tenferro {

// The tensor renormalisation group of M. Levin and C. P. Nave (PRL 99, 120601, 2007) for the square-lattice Ising model
// with coupling 1, as graphs. A site tensor T[r, u, l, d] has legs right, up, left, down of one extent.

// How a bond is split: by split_svd, by svd_truncated or by the full svd, whose first columns are kept.
enum class BondSplit { kSplit, kTruncated, kFull };

// T of one site at inverse temperature beta (rank 0): Σ_s W[s,r] W[s,u] W[s,l] W[s,d], W = [[√cosh β, √sinh β], [√cosh
// β, −√sinh β]]. Built from products and one sum, never a contraction: a fused multiply-add would leave 1e-17 where the
// symmetry gives exact zeros.
Var IsingTensor(const Var& beta);

struct TrgStep {
  Var next;      // T of the coarser lattice, all legs of extent k
  Var log_norm;  // log max|T|, taken out of T before the step
};
TrgStep Renormalize(const Var& tensor, int64_t k, BondSplit split);

// log Σ_{r,u} T[r, u, r, u]: the partition function of a torus of one site.
Var LogTrace(const Var& tensor);

// ln Z / N after one step for each entry of `ranks`: Σ_i log_norm_i 2^−i + 2^−n LogTrace.
Var LogPartitionPerSite(const Var& beta, absl::Span<const int64_t> ranks, BondSplit split);

// min(chi, 2), min(chi, 4), min(chi, 4), min(chi, 16), chi for ever: what the Ising tensor's exact ranks leave for chi
// up to 16.
std::vector<int64_t> RankSchedule(int64_t chi, int64_t steps);
// min(chi, d²).
std::vector<int64_t> FullSchedule(int64_t chi, int64_t steps);

}  // namespace tenferro

#endif  // TENFERRO_EXPERIMENTS_ISING_TRG_H_
