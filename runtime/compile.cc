#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/program_builder.h"

namespace tenferro {
namespace {

const GraphContext* GraphOf(const Var& var) { return dynamic_cast<const GraphContext*>(var.context().get()); }

absl::Status Mistake(absl::string_view message) {
  return absl::InvalidArgumentError(absl::StrCat("compile: ", message));
}

// The graph that all of `vars` belong to, in `graph`.
absl::Status CommonGraph(const char* what, absl::Span<const Var> vars, const GraphContext*& graph) {
  for (size_t i = 0; i < vars.size(); ++i) {
    if (vars[i].empty()) return Mistake(absl::StrCat(what, " ", i, " is an empty Var"));
    if (!vars[i].ok()) return vars[i].status();
    const GraphContext* const own = GraphOf(vars[i]);
    if (own == nullptr) return Mistake(absl::StrCat(what, " ", i, " is a number, not a value of a graph"));
    if (graph != nullptr && own != graph) return Mistake(absl::StrCat(what, " ", i, " belongs to another graph"));
    graph = own;
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<Program> Compile(absl::Span<const Var> outputs, absl::Span<const Var> inputs) {
  if (outputs.empty()) return Mistake("no output is asked for");
  const GraphContext* graph = nullptr;
  if (absl::Status s = CommonGraph("output", outputs, graph); !s.ok()) return s;
  if (absl::Status s = CommonGraph("input", inputs, graph); !s.ok()) return s;
  Body whole;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ValueId id = inputs[i].id();
    if (graph->nodes().node(graph->nodes().producer(id)).op != &kInput) {
      return Mistake(absl::StrCat("input ", i, " is no input of the graph but the result of an operation"));
    }
    for (ValueId earlier : whole.inputs) {
      if (earlier == id) return Mistake(absl::StrCat("input ", i, " stands twice"));
    }
    whole.inputs.push_back(id);
  }
  for (const Var& output : outputs) whole.outputs.push_back(output.id());
  return CompileFunction(graph->data(), whole.inputs, whole.outputs);
}

absl::StatusOr<Program> CompileFunction(const GraphData& graph, absl::Span<const ValueId> inputs,
                                        absl::Span<const ValueId> outputs) {
  ProgramBuilder builder;
  std::vector<ValueId> arguments;
  for (ValueId input : inputs) {
    const Location& location = graph.nodes.node(graph.nodes.producer(input)).location;
    arguments.push_back(builder.Input(graph.nodes.type(input), location));
  }
  std::vector<ValueId> results;
  if (absl::Status s = builder.Inline(graph, inputs, arguments, outputs, results); !s.ok()) return s;
  return builder.Finish(arguments, results);
}

}  // namespace tenferro
