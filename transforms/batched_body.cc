#include "tenferro/transforms/batched_body.h"

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/tensor/status.h"
#include "tenferro/transforms/vmap.h"

namespace tenferro {
namespace {

// Which nodes lead to an output.
std::vector<bool> NeededNodes(const NodeTable& nodes, absl::Span<const ValueId> outputs) {
  std::vector<bool> needed(nodes.num_nodes());
  for (ValueId output : outputs) needed[nodes.producer(output)] = true;
  for (size_t i = nodes.num_nodes(); i-- > 0;) {
    if (!needed[i]) continue;
    for (ValueId input : nodes.inputs(nodes.node(i))) needed[nodes.producer(input)] = true;
  }
  return needed;
}

class BodyBatcher {
 public:
  BodyBatcher(const GraphData& graph, Dim size, Context& context) : graph_(graph), size_(size), context_(context) {}

  // What a node of the body becomes on these operands.
  absl::StatusOr<std::vector<BatchedVar>> Apply(const Node& node, absl::Span<const BatchedVar> operands) const {
    const WordSpan attributes = graph_.nodes.attributes(node);
    if (node.op == &kConstant) {
      return std::vector<BatchedVar>{{context_.Constant(graph_.constants[attributes[0]], node.location)}};
    }
    if (node.op->kind == OpKind::kCall) return ApplyBody(node, graph_.bodies[attributes[0]], operands);
    Vars inputs, outputs(node.num_outputs);
    OperandSet batched = 0;
    for (size_t i = 0; i < operands.size(); ++i) {
      inputs.push_back(operands[i].var);
      batched |= OperandSet{operands[i].batched} << i;
    }
    if (inputs.empty()) {
      outputs = context_.Emit(*node.op, attributes, {}, node.location);
    } else if (batched == 0) {
      outputs = Emit(*node.op, attributes, inputs, node.location, static_cast<int>(node.num_outputs));
    } else if (node.op->batch != nullptr) {
      node.op->batch({*node.op, attributes, inputs, {}}, batched, size_, absl::MakeSpan(outputs));
    } else {
      return ErrorVar(node.location, node.op->name, "has no batching rule").status();
    }
    std::vector<BatchedVar> results;
    for (uint32_t k = 0; k < node.num_outputs; ++k) {
      if (outputs[k].empty()) {
        return ErrorVar(node.location, node.op->name, absl::StrCat("its batching rule gives no output ", k)).status();
      }
      TENFERRO_RETURN_IF_ERROR(outputs[k].status());
      ValueType type = graph_.nodes.type(node.first_output + k);
      if (batched != 0) type.shape.push_back(size_);
      if (outputs[k].type() != type) {
        return ErrorVar(node.location, node.op->name,
                        absl::StrCat("its batching rule gives ", outputs[k].type().ToString(), " for output ", k,
                                     ", not ", type.ToString()))
            .status();
      }
      results.push_back({std::move(outputs[k]), batched != 0});
    }
    return results;
  }

 private:
  // A call is replaced by what it calls; what holds more than a body says itself what it becomes.
  absl::StatusOr<std::vector<BatchedVar>> ApplyBody(const Node& node, std::shared_ptr<const Body> body,
                                                    absl::Span<const BatchedVar> operands) const {
    if (body->extra == nullptr) return BatchBody(*body, operands, size_, context_);
    bool any = false;
    for (const BatchedVar& operand : operands) any |= operand.batched;
    std::vector<Var> inputs, outputs;
    for (const BatchedVar& operand : operands) {
      inputs.push_back(any ? WithBatchAxis(operand.var, operand.batched, size_) : operand.var);
    }
    if (any) {
      const auto batch = [](TracedFunction function) { return Vmap(std::move(function)); };
      outputs = body->extra->EmitBatched(*node.op, body, inputs, batch, node.location);
    } else {
      const Vars same = context_.EmitWithBody(*node.op, body, graph_.nodes.attributes(node).subspan(1), inputs,
                                              node.location);
      outputs.assign(same.begin(), same.end());
    }
    std::vector<BatchedVar> results;
    for (Var& output : outputs) {
      TENFERRO_RETURN_IF_ERROR(output.status());
      results.push_back({std::move(output), any});
    }
    return results;
  }

  const GraphData& graph_;
  Dim size_;
  Context& context_;
};

}  // namespace

absl::StatusOr<std::vector<BatchedVar>> BatchBody(const Body& body, absl::Span<const BatchedVar> operands, Dim size,
                                                  Context& context) {
  const NodeTable& nodes = body.graph.nodes;
  const std::vector<bool> needed = NeededNodes(nodes, body.outputs);
  const BodyBatcher batcher(body.graph, size, context);
  std::vector<BatchedVar> values(nodes.num_values());
  for (size_t i = 0; i < body.inputs.size(); ++i) values[body.inputs[i]] = operands[i];
  for (size_t i = 0; i < nodes.num_nodes(); ++i) {
    const Node& node = nodes.node(i);
    if (!needed[i] || node.op == &kInput) continue;
    LocationScope scope(node.location);
    std::vector<BatchedVar> inputs;
    for (ValueId input : nodes.inputs(node)) inputs.push_back(values[input]);
    TENFERRO_ASSIGN_OR_RETURN(std::vector<BatchedVar> results, batcher.Apply(node, inputs));
    for (size_t k = 0; k < results.size(); ++k) values[node.first_output + k] = std::move(results[k]);
  }
  std::vector<BatchedVar> results;
  for (ValueId output : body.outputs) results.push_back(values[output]);
  return results;
}

}  // namespace tenferro
