#include "tenferro/runtime/graph.h"

#include "tenferro/runtime/ops/source.h"

namespace tenferro {

Var GraphContext::Input(const ValueType& type, const Location& location) {
  if (absl::Status valid = type.shape.Validate(); !valid.ok()) return ErrorVar(location, "input", valid.message());
  const int64_t index = data_.nodes.num_values();
  return Var(shared_from_this(), data_.nodes.Add(kInput, {index}, {}, {type}, location));
}

Var GraphContext::Constant(const Tensor& value, const Location& location) {
  const int64_t index = data_.constants.size();
  data_.constants.push_back(value);
  const ValueType type{value.dtype(), value.shape()};
  return Var(shared_from_this(), data_.nodes.Add(kConstant, {index}, {}, {type}, location));
}

Var GraphContext::Adopt(const Var& var, const char* op, const Location& location) {
  Context* const context = var.context().get();
  if (context == this) return var;
  if (absl::StatusOr<Tensor> number = var.ToTensor(); number.ok()) return Constant(*number, location);
  Context* ancestor = parent_;
  while (ancestor != nullptr && ancestor != context) ancestor = ancestor->parent();
  if (ancestor == nullptr) return ErrorVar(location, op, "operands belong to different graphs");

  Var outer = var;
  if (context != parent_) {
    auto* between = dynamic_cast<GraphContext*>(parent_);
    if (between == nullptr) return ErrorVar(location, op, "a value of an outer graph cannot pass through this context");
    outer = between->Adopt(var, op, location);
  }
  for (size_t i = 0; i < captured_.size(); ++i) {
    if (captured_[i].id() == outer.id()) return Var(shared_from_this(), capture_ids_[i]);
  }
  const Var inner = Input(outer.type(), location);
  captured_.push_back(outer);
  capture_ids_.push_back(inner.id());
  return inner;
}

Vars GraphContext::Record(const OpDef& op, WordSpan attributes, absl::Span<const Var> inputs,
                          const Location& location) {
  absl::InlinedVector<ValueId, 3> ids;
  for (const Var& input : inputs) {
    const Var own = Adopt(input, op.name, location);
    if (!own.ok()) return {own};
    ids.push_back(own.id());
  }
  absl::StatusOr<ValueTypes> types = InferTypes(op, attributes, inputs, location);
  if (!types.ok()) return {Var::Error(types.status())};
  const ValueId first = data_.nodes.Add(op, attributes, ids, *types, location);
  Vars outputs;
  for (size_t i = 0; i < types->size(); ++i) outputs.emplace_back(shared_from_this(), first + i);
  return outputs;
}

Vars GraphContext::Emit(const OpDef& op, WordSpan attributes, absl::Span<const Var> inputs, const Location& location) {
  return Record(op, attributes, inputs, location);
}

Vars GraphContext::EmitWithBody(const OpDef& op, std::shared_ptr<const Body> body, WordSpan attributes,
                                absl::Span<const Var> inputs, const Location& location) {
  // The types of a body's outputs are its own to say, so the shape rule is not asked.
  absl::InlinedVector<ValueId, 3> ids;
  for (const Var& input : inputs) {
    const Var own = Adopt(input, op.name, location);
    if (!own.ok()) return {own};
    ids.push_back(own.id());
  }
  ValueTypes types;
  for (ValueId id : body->outputs) types.push_back(body->graph.nodes.type(id));
  Words words{static_cast<int64_t>(data_.bodies.size())};
  words.insert(words.end(), attributes.begin(), attributes.end());
  data_.bodies.push_back(std::move(body));
  const ValueId first = data_.nodes.Add(op, words, ids, types, location);
  Vars outputs;
  for (size_t i = 0; i < types.size(); ++i) outputs.emplace_back(shared_from_this(), first + i);
  return outputs;
}

std::shared_ptr<const Body> GraphContext::Close(absl::Span<const Var> inputs, absl::Span<const Var> outputs) {
  auto body = std::make_shared<Body>();
  for (const Var& input : inputs) body->inputs.push_back(input.id());
  body->inputs.insert(body->inputs.end(), capture_ids_.begin(), capture_ids_.end());
  for (const Var& output : outputs) body->outputs.push_back(output.id());
  body->graph = data_;  // a copy: Vars that the traced function kept stay valid
  EndTracing();
  return body;
}

Var Graph::Input(DType dtype, const Shape& shape, Location location) {
  return context_->Input({dtype, shape}, LocationScope::Resolve(location));
}

Var Graph::Constant(const Tensor& value, Location location) {
  return context_->Constant(value, LocationScope::Resolve(location));
}

Var ConstantLike(const Var& like, const Tensor& value, Location location) {
  if (!like.ok()) return like.empty() ? ErrorVar(location, "constant", "an operand is an empty Var") : like;
  return like.context()->Constant(value, LocationScope::Resolve(location));
}

absl::StatusOr<TracedBody> TraceBody(absl::Span<const Var> arguments, const TracedFunction& function, const char* op,
                                     const Location& location) {
  if (arguments.empty()) return ErrorVar(location, op, "needs at least one argument").status();
  std::vector<ValueType> types;
  for (const Var& argument : arguments) {
    if (argument.empty()) return ErrorVar(location, op, "an argument is an empty Var").status();
    if (!argument.ok()) return argument.status();
    types.push_back(argument.type());
  }
  absl::StatusOr<TracedBody> traced = TraceBody(*InnermostContext(arguments), types, function, op, location);
  if (traced.ok()) traced->operands.insert(traced->operands.begin(), arguments.begin(), arguments.end());
  return traced;
}

absl::StatusOr<TracedBody> TraceBody(Context& surroundings, absl::Span<const ValueType> types,
                                     const TracedFunction& function, const char* op, const Location& location) {
  if (function == nullptr) return ErrorVar(location, op, "the function is empty").status();
  auto graph = std::make_shared<GraphContext>(&surroundings);
  // Vars of the body that the function kept may outlive the graph around it, also when tracing fails.
  struct Ending {
    GraphContext& graph;
    ~Ending() { graph.EndTracing(); }
  } ending{*graph};
  std::vector<Var> inputs;
  for (const ValueType& type : types) inputs.push_back(graph->Input(type, location));
  std::vector<Var> outputs = function(inputs);
  for (Var& output : outputs) {
    if (output.empty()) return ErrorVar(location, op, "the function returned an empty Var").status();
    if (!output.ok()) return output.status();
    output = graph->Adopt(output, op, location);
    if (!output.ok()) return output.status();
  }
  TracedBody traced;
  traced.operands.assign(graph->captured().begin(), graph->captured().end());
  traced.num_outputs = static_cast<int>(outputs.size());
  traced.body = graph->Close(inputs, outputs);
  return traced;
}

std::vector<Var> InlineBody(const Body& body, absl::Span<const Var> operands, KnownValues known, bool flatten) {
  Context* const context = InnermostContext(operands);
  const NodeTable& nodes = body.graph.nodes;
  std::vector<Var> values(nodes.num_values());
  for (size_t i = 0; i < body.inputs.size(); ++i) values[body.inputs[i]] = operands[i];
  for (const auto& [value, var] : known) values[value] = var;
  for (const Node& node : nodes.nodes()) {
    bool missing = false;
    for (uint32_t k = 0; k < node.num_outputs; ++k) missing |= values[node.first_output + k].empty();
    if (!missing) continue;
    LocationScope scope(node.location);
    const WordSpan attributes = nodes.attributes(node);
    Vars inputs, outputs;
    for (ValueId input : nodes.inputs(node)) inputs.push_back(values[input]);
    if (node.op == &kConstant) {
      outputs = {context->Constant(body.graph.constants[attributes[0]], node.location)};
    } else if (flatten && StandsForItsBody(*node.op)) {
      const std::vector<Var> inner = InlineBody(*body.graph.bodies[attributes[0]], inputs, {}, true);
      outputs.assign(inner.begin(), inner.end());
    } else if (node.op->kind == OpKind::kCall) {
      outputs = context->EmitWithBody(*node.op, body.graph.bodies[attributes[0]], attributes.subspan(1), inputs,
                                      node.location);
    } else {
      outputs = context->Emit(*node.op, attributes, inputs, node.location);
    }
    if (!outputs[0].ok()) return std::vector<Var>(body.outputs.size(), outputs[0]);
    for (uint32_t k = 0; k < node.num_outputs; ++k) {
      if (values[node.first_output + k].empty()) values[node.first_output + k] = outputs[k];
    }
  }
  std::vector<Var> results;
  for (ValueId output : body.outputs) results.push_back(values[output]);
  return results;
}

std::shared_ptr<const Body> BodyOf(const NodeView& node) {
  return dynamic_cast<const GraphContext&>(*node.outputs[0].context()).data().bodies[node.attributes[0]];
}

}  // namespace tenferro
