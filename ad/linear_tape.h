#ifndef TENFERRO_AD_LINEAR_TAPE_H_
#define TENFERRO_AD_LINEAR_TAPE_H_

#include <memory>
#include <vector>

#include "absl/functional/function_ref.h"
#include "tenferro/runtime/var.h"

namespace tenferro::ad {

// Records what a tangent rule does to its tangents, so that it can be run backwards. Operations on primal values alone
// go to the graph; those that touch a tangent are noted here, as a linear map of the tangents whose coefficients are
// values of the graph.
class LinearTape final : public Context {
 public:
  explicit LinearTape(std::shared_ptr<Context> graph) : graph_(std::move(graph)) {}

  Var Tangent(const ValueType& type);

  // Cotangents of the tangents (value i: tangent i) from those of `results`; empty where there is none.
  std::vector<Var> Transpose(absl::Span<const Var> results, absl::Span<const Var> cotangents);

  // `results` for these tangents in place of the recorded ones; empty where none moves.
  std::vector<Var> Apply(absl::Span<const Var> results, absl::Span<const Var> tangents) const;
  // The same for `size` lists of tangents at once, along a last axis of tangents and results. Errors: an operation
  // without a batching rule.
  std::vector<Var> ApplyBatched(absl::Span<const Var> results, absl::Span<const Var> tangents, Dim size) const;

  Vars Emit(const OpDef& op, WordSpan attributes, absl::Span<const Var> inputs, const Location& location) override;
  Var Constant(const Tensor& value, const Location& location) override { return graph_->Constant(value, location); }
  Vars EmitWithBody(const OpDef& op, std::shared_ptr<const Body> body, WordSpan attributes,
                    absl::Span<const Var> inputs, const Location& location) override;
  const ValueType& TypeOf(ValueId id) const override { return values_[id].type; }
  Context* parent() const override { return graph_.get(); }

 private:
  struct Value {
    ValueType type;
    int node;  // -1 for a tangent
  };
  struct Entry {
    const OpDef* op;
    Words attributes;
    Vars inputs;                                // of the graph; empty where the operand is the tape's own
    absl::InlinedVector<int64_t, 3> own_inputs;  // the tape's value, or -1. No Var: the tape would keep itself alive
    ValueId first_output;
    int num_outputs;
  };

  bool IsOwn(const Var& var) const { return var.context().get() == this; }
  std::vector<int> ConsumersFirst(absl::Span<const Var> results) const;
  // An entry once more on other values of the tape; `own` are the operands that come from there.
  using Repeat = absl::FunctionRef<Vars(const Entry& entry, absl::Span<const Var> inputs, OperandSet own)>;
  std::vector<Var> Replay(absl::Span<const Var> results, absl::Span<const Var> tangents, Repeat repeat) const;

  std::shared_ptr<Context> graph_;
  std::vector<Value> values_;
  std::vector<Entry> entries_;
  size_t num_tangents_ = 0;
};

}  // namespace tenferro::ad

#endif  // TENFERRO_AD_LINEAR_TAPE_H_
