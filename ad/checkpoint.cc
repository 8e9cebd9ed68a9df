#include "tenferro/ad/checkpoint.h"

#include <algorithm>
#include <utility>

#include "tenferro/ad/jvp.h"
#include "tenferro/ad/vjp.h"
#include "tenferro/runtime/ops/barrier.h"
#include "tenferro/runtime/ops/call.h"
#include "tenferro/runtime/ops/elementwise_rules.h"

namespace tenferro::ad {
namespace {

using In = absl::Span<const Var>;

const CheckpointBody& ExtraOf(const Body& body) { return static_cast<const CheckpointBody&>(*body.extra); }

// The positions of the Vars that are not empty, and these.
struct Present {
  explicit Present(In vars) {
    for (size_t i = 0; i < vars.size(); ++i) {
      if (vars[i].empty()) continue;
      index.push_back(i);
      list.push_back(vars[i]);
    }
  }
  std::vector<size_t> index;
  std::vector<Var> list;
};

// places[index[i]] = values[i], or an error among the values in every place.
void Place(In values, const std::vector<size_t>& index, absl::Span<Var> places) {
  for (size_t i = 0; i < values.size(); ++i) {
    if (!values[i].ok()) return std::fill(places.begin(), places.end(), values[i]);
    places[index[i]] = values[i];
  }
}

// The function's results and derivative from a second run, as one function of the arguments and seeds. Returns the
// values that the policy saves, as the second run computes them, in `saved`.
struct SecondRun {
  const Body& body;
  OperandSet wanted;
  const Present& seeds;
  std::vector<size_t> found;  // inputs that have a cotangent
  std::vector<Var> saved;

  std::vector<Var> operator()(In in) {
    const In inputs = in.first(body.inputs.size());
    const std::vector<Var> outputs = InlineBody(body, inputs);
    saved.assign(outputs.begin() + ExtraOf(body).num_outputs, outputs.end());
    std::vector<Var> wrt, y;
    std::vector<size_t> wrt_index;
    for (size_t i = 0; i < inputs.size(); ++i) {
      if (!HasOperand(wanted, i)) continue;
      wrt.push_back(inputs[i]);
      wrt_index.push_back(i);
    }
    for (size_t k : seeds.index) y.push_back(outputs[k]);
    const Present shares(VjpOptional(y, wrt, in.last(y.size())));
    for (size_t i : shares.index) found.push_back(wrt_index[i]);
    return shares.list;
  }
};

// Runs the function again behind a barrier on the cotangents, so that nothing of it is merged with the first run nor
// starts before the cotangents are there, and takes the derivative of that; what the policy saves takes the place of
// what the second run would compute, behind the same barrier. Each derivative is found in a graph of its own, so a long
// chain of checkpoints costs linear time.
void VjpCheckpoint(const NodeView& node, In cotangents, OperandSet wanted, absl::Span<Var> input_cotangents) {
  const std::shared_ptr<const Body> body = BodyOf(node);
  const size_t num_outputs = ExtraOf(*body).num_outputs;
  // A derivative of this derivative has cotangents of the saved values too.
  const Present seeds(cotangents);
  if (seeds.list.empty()) return;
  bool arrive = true;  // on a tape cotangents have no time at which they do
  for (const Var& seed : seeds.list) arrive &= seed.context() == node.outputs[0].context();
  // Without it what follows from saved values alone would be merged with the first run, and so be saved too.
  std::vector<Var> kept(node.inputs.begin(), node.inputs.end());
  kept.insert(kept.end(), node.outputs.begin() + num_outputs, node.outputs.end());
  if (arrive) kept = Barrier(kept, seeds.list);
  const auto saved = kept.begin() + node.inputs.size();
  std::vector<Var> arguments(kept.begin(), saved);
  arguments.insert(arguments.end(), seeds.list.begin(), seeds.list.end());
  const size_t first_saved = arguments.size();
  arguments.insert(arguments.end(), saved, kept.end());

  SecondRun run{*body, wanted, seeds, {}, {}};
  const std::vector<Var> shares = Call(arguments, [&](In in) -> std::vector<Var> {
    absl::StatusOr<TracedBody> second = TraceBody(
        in.first(first_saved), [&run](In inner) { return run(inner); }, kCheckpoint.name, Location::current());
    if (!second.ok()) return {Var::Error(second.status())};
    std::vector<std::pair<ValueId, Var>> known;
    for (size_t k = 0; k < run.saved.size(); ++k) known.emplace_back(run.saved[k].id(), in[first_saved + k]);
    return InlineBody(*second->body, second->operands, known);
  });
  Place(shares, run.found, input_cotangents);
}

// Tangents come from a checkpoint again, so that the reverse derivative of a forward one saves memory too.
void JvpCheckpoint(const NodeView& node, In tangents, absl::Span<Var> output_tangents) {
  const std::shared_ptr<const Body> body = BodyOf(node);
  const Present moving(tangents);
  std::vector<Var> arguments(node.inputs.begin(), node.inputs.end());
  arguments.insert(arguments.end(), moving.list.begin(), moving.list.end());
  std::vector<size_t> found;
  const std::vector<Var> results = Checkpoint(
      arguments,
      [&](In in) -> std::vector<Var> {
        const std::vector<Var> outputs = InlineBody(*body, in.first(node.inputs.size()));
        std::vector<Var> wrt;
        for (size_t i : moving.index) wrt.push_back(in[i]);
        const Present present(JvpOptional(outputs, wrt, in.last(wrt.size())));
        found = present.index;
        return present.list;
      },
      ExtraOf(*body).policy);
  Place(results, found, output_tangents);
}

struct NameAttributes {
  Ints characters;
  void Fields(auto&& field) { field("name", characters); }
};

std::string NameOf(WordSpan words) {
  const Ints characters = Decode<NameAttributes>(words).characters;
  return std::string(characters.begin(), characters.end());
}

absl::Status InferName(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  outputs.push_back(inputs[0]);
  return absl::OkStatus();
}

void TransposeName(const NodeView&, In cotangents, OperandSet, absl::Span<Var> input_cotangents) {
  input_cotangents[0] = cotangents[0];
}

Var PartialOfName(In, const Var&, const Var& t) { return t; }

ValueId SimplifyAway(Rewriter&, WordSpan, absl::Span<const ValueId> in, const ValueType&) { return in[0]; }

bool IsSaved(const CheckpointPolicy& policy, const OpDef& op, WordSpan attributes) {
  if (std::find(policy.save_ops.begin(), policy.save_ops.end(), &op) != policy.save_ops.end()) return true;
  if (&op != &kCheckpointName) return false;
  const std::string name = NameOf(attributes);
  return std::find(policy.save_names.begin(), policy.save_names.end(), name) != policy.save_names.end();
}

// Of the body's outputs the first `num_outputs` are the function's, the others saved.
std::vector<Var> EmitCheckpoint(std::shared_ptr<Body> body, In operands, size_t num_outputs,
                                const CheckpointPolicy& policy, const Location& location) {
  auto extra = std::make_shared<CheckpointBody>();
  extra->policy = policy;
  extra->num_outputs = num_outputs;
  body->extra = std::move(extra);
  const Vars outputs = InnermostContext(operands)->EmitWithBody(kCheckpoint, std::move(body), {}, operands, location);
  return std::vector<Var>(outputs.begin(), outputs.end());
}

}  // namespace

constexpr OpDef kCheckpoint{
    .name = "checkpoint", .infer = InferWithBody, .kind = OpKind::kCall, .jvp = JvpCheckpoint, .vjp = VjpCheckpoint};
constexpr OpDef kCheckpointName = [] {
  OpDef op =
      elementwise_internal::ElementwiseRecord({.name = "checkpoint_name", .infer = InferName, .linear = 0b1}, nullptr);
  op.partials[0] = PartialOfName;
  op.transpose = TransposeName;
  op.print = NameOf;
  op.simplify = SimplifyAway;
  return op;
}();

std::vector<Var> Checkpoint(In arguments, const TracedFunction& function, const CheckpointPolicy& policy,
                            Location location) {
  const Location here = LocationScope::Resolve(location);
  bool all_ok = !arguments.empty();
  for (const Var& argument : arguments) all_ok = all_ok && argument.ok();
  if (all_ok && function != nullptr && InnermostContext(arguments)->holds_numbers()) return function(arguments);
  absl::StatusOr<TracedBody> traced = TraceBody(arguments, function, kCheckpoint.name, here);
  if (!traced.ok()) return {Var::Error(traced.status())};
  if (traced->num_outputs == 0) return {};
  // Calls are unfolded, so that the policy sees what is in them.
  const std::shared_ptr<const Body> folded = traced->body;
  absl::StatusOr<TracedBody> flat = TraceBody(
      traced->operands, [&](In in) { return InlineBody(*folded, in, {}, true); }, kCheckpoint.name, here);
  if (!flat.ok()) return {Var::Error(flat.status())};
  auto body = std::make_shared<Body>(*flat->body);
  for (const Node& node : body->graph.nodes.nodes()) {
    if (!IsSaved(policy, *node.op, body->graph.nodes.attributes(node))) continue;
    for (uint32_t k = 0; k < node.num_outputs; ++k) body->outputs.push_back(node.first_output + k);
  }
  std::vector<Var> outputs = EmitCheckpoint(std::move(body), flat->operands, traced->num_outputs, policy, here);
  if (!outputs[0].ok()) return {outputs[0]};
  outputs.resize(traced->num_outputs);
  return outputs;
}

std::vector<Var> CheckpointBody::EmitBatched(const OpDef& op, std::shared_ptr<const Body> body, In operands,
                                             const BatchFunction& batch, const Location& location) const {
  absl::StatusOr<TracedBody> traced =
      TraceBody(operands, batch([body](In in) { return InlineBody(*body, in); }), op.name, location);
  if (!traced.ok()) return {Var::Error(traced.status())};
  return EmitCheckpoint(std::make_shared<Body>(*traced->body), traced->operands, num_outputs, policy, location);
}

Var CheckpointName(const Var& x, absl::string_view name, Location location) {
  if (x.ok() && x.context()->holds_numbers()) return x;
  return EmitOne(kCheckpointName, Encode(NameAttributes{Ints(name.begin(), name.end())}), {x}, location);
}

}  // namespace tenferro::ad
