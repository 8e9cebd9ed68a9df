#ifndef TENFERRO_AD_ACTIVE_NODES_H_
#define TENFERRO_AD_ACTIVE_NODES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tenferro/runtime/graph.h"

namespace tenferro::ad {

// What of a graph a derivative has to pass through: the operations between the `wrt` and the outputs, calls inlined.
class ActiveNodes {
 public:
  // Errors: an empty or error Var; values that do not belong to one graph.
  static absl::StatusOr<ActiveNodes> Find(const char* transform, absl::Span<const Var> outputs,
                                          absl::Span<const Var> wrt, const Location& location);

  GraphContext& graph() const { return *graph_; }
  // Indices of the active nodes, operands first. Constants and what does not depend on wrt are not among them.
  const std::vector<uint32_t>& order() const { return order_; }
  // True for a value that depends on a wrt and has a derivative.
  bool IsActive(ValueId value) const { return active_[value]; }
  // The value that stands for `value`: itself, or what it is in the inlined body of the call that makes it.
  ValueId Resolve(ValueId value) const {
    while (value < alias_.size() && alias_[value] != kNoValue) value = alias_[value];
    return value;
  }
  Var VarOf(ValueId value) const { return graph_->ValueAt(value); }
  // A node's operands after inlining.
  Vars InputsOf(const Node& node) const;
  size_t num_values() const { return num_values_; }

  // " (it passes through floor: …)" or nothing: why a wrt of this dtype may have no influence.
  std::string ReasonForZero(DType wrt) const;

 private:
  void InlineCall(uint32_t node_index);

  std::shared_ptr<GraphContext> graph_;
  std::vector<uint32_t> order_;
  std::vector<bool> active_;
  std::vector<ValueId> alias_;
  size_t num_values_ = 0;
  const OpDef* stopped_by_ = nullptr;
};

// `var` as a value that operations on `graph` may use: one of a context inside the graph stays as it is, others are
// adopted. Errors: of another graph.
Var BringTo(GraphContext& graph, const Var& var, const char* transform, const Location& location);

// The rules of a node's derivative: the record's own or those of its family's slot.
struct RuleSet {
  JvpRule jvp = nullptr;
  VjpRule vjp = nullptr;
  VjpRule transpose = nullptr;
};
RuleSet RulesOf(const OpDef& op);

// An error Var for an operation that has no derivative rule, naming the target that would add one.
Var NoRule(const OpDef& op, const Location& location);

}  // namespace tenferro::ad

#endif  // TENFERRO_AD_ACTIVE_NODES_H_
