#ifndef TENFERRO_EINSUM_PLAN_H_
#define TENFERRO_EINSUM_PLAN_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tenferro/einsum/network.h"
#include "tenferro/einsum/subscripts.h"

namespace tenferro {

// How the order of the pairwise contractions is found.
enum class PathMethod : uint8_t {
  kAuto,     // kOptimal up to 12 operands, kGreedy above
  kGreedy,   // the pair that grows memory least
  kOptimal,  // fewest flops of all; up to 16 operands
  kAnneal,   // greedy, then improved by simulated annealing
};

struct EinsumOptions {
  PathMethod method = PathMethod::kAuto;
  // For kAnneal: equal seeds give equal paths.
  uint64_t seed = 0;
  int64_t moves = 20000;
  // A path of the caller's: each step contracts two values; operands are 0 … n − 1, the result of step i is n + i.
  // Empty: found by `method`, inside parentheses first.
  einsum::Path path = {};
  // 0: none. Otherwise labels are sliced, one after the other, until no result of a step has more bytes than this: the
  // contraction runs for each of their values, and the parts are summed or joined.
  int64_t memory_limit = 0;
};

namespace einsum {

// A contraction with everything decided.
struct Plan {
  Contraction contraction;
  Path path;
  PathCost cost;       // of all slices
  Ints sliced;         // labels
  int64_t slices = 1;  // product of their extents

  std::string ToString() const;
};

inline constexpr int64_t kMostSlices = 4096;

Network NetworkOf(const Contraction& contraction);

// Errors: a path that uses a value twice, one that does not exist, or has not n − 1 steps; too many operands for
// kOptimal; a memory limit that needs more than kMostSlices slices, or that no slicing meets.
absl::StatusOr<Plan> MakePlan(Contraction contraction, const EinsumOptions& options, int64_t element_bytes);

// MakePlan for a string, remembered for the strings, shapes and options used last. Thread-safe.
absl::StatusOr<std::shared_ptr<const Plan>> CachedPlan(absl::string_view subscripts, absl::Span<const Shape> shapes,
                                                       const EinsumOptions& options, int64_t element_bytes);
struct PlanCacheStatistics {
  int64_t hits = 0, misses = 0;
};
PlanCacheStatistics CachedPlanStatistics();

}  // namespace einsum
}  // namespace tenferro

#endif  // TENFERRO_EINSUM_PLAN_H_
