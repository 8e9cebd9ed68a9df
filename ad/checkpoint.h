#ifndef TENFERRO_AD_CHECKPOINT_H_
#define TENFERRO_AD_CHECKPOINT_H_

#include <string>
#include <vector>

#include "absl/types/span.h"
#include "tenferro/runtime/graph.h"

namespace tenferro::ad {

// What of a checkpointed function is kept for its reverse derivative beside the arguments; the rest is computed again.
struct CheckpointPolicy {
  std::vector<std::string> save_names = {};  // values marked with CheckpointName
  std::vector<const OpDef*> save_ops = {};   // results of these operations, such as &kDotGeneral
};

// The results of `function` on `arguments`. A reverse derivative keeps no intermediate value of the function but what
// the policy names: it computes them again, inside the same program, when the cotangents have arrived. Costs one more
// evaluation, saves the memory of the intermediate values. The numbers are the same; only the shares of a value that
// several checkpoints use are summed in another order. Calls in the function are part of it; a checkpoint inside has
// its own policy. Errors: those of Call.
std::vector<Var> Checkpoint(absl::Span<const Var> arguments, const TracedFunction& function,
                            const CheckpointPolicy& policy = {}, Location location = Location::current());

// x itself, under a name that policies know. Costs nothing when it runs.
Var CheckpointName(const Var& x, absl::string_view name, Location location = Location::current());

extern const OpDef kCheckpoint, kCheckpointName;

// What the operation holds. Of the body's outputs the first are the function's, the others what is saved.
struct CheckpointBody final : BodyExtra {
  CheckpointPolicy policy;
  size_t num_outputs = 0;
  std::vector<Var> EmitBatched(const OpDef& op, std::shared_ptr<const Body> body, absl::Span<const Var> operands,
                               const BatchFunction& batch, const Location& location) const override;
};

}  // namespace tenferro::ad

#endif  // TENFERRO_AD_CHECKPOINT_H_
