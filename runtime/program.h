#ifndef TENFERRO_RUNTIME_PROGRAM_H_
#define TENFERRO_RUNTIME_PROGRAM_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "tenferro/runtime/graph.h"

namespace tenferro {

// What Compile did, in numbers that do not depend on the machine.
struct CompileStatistics {
  int64_t nodes_visited = 0;     // nodes of the graph and its bodies that the outputs need
  int64_t nodes_merged = 0;      // common subexpressions removed
  int64_t nodes_simplified = 0;  // replaced by an operand or by simpler nodes
};

// A compiled function: a flat list of operations in single-assignment form, in an order in which they can run. Every
// body is inlined, nothing is computed twice, nothing unused is left. Immutable; copies share it; any engine can
// prepare it.
class Program {
 public:
  Program(std::shared_ptr<const GraphData> graph, std::vector<ValueId> inputs, std::vector<ValueId> outputs,
          CompileStatistics statistics)
      : graph_(std::move(graph)), inputs_(std::move(inputs)), outputs_(std::move(outputs)), statistics_(statistics) {}

  const NodeTable& nodes() const { return graph_->nodes; }
  const Tensor& constant(int64_t index) const { return graph_->constants[index]; }
  // In the order of Compile's arguments. An input that no output needs is there too.
  absl::Span<const ValueId> inputs() const { return inputs_; }
  absl::Span<const ValueId> outputs() const { return outputs_; }
  const ValueType& type(ValueId value) const { return graph_->nodes.type(value); }
  const CompileStatistics& statistics() const { return statistics_; }

  // One line an operation: "%3: f64[2,3] = add %1, %2  (model.cc:17)".
  std::string ToString() const;
  // Graphviz.
  std::string ToDot() const;

 private:
  std::shared_ptr<const GraphData> graph_;
  std::vector<ValueId> inputs_;
  std::vector<ValueId> outputs_;
  CompileStatistics statistics_;
};

// Compiles what `outputs` need into a program whose arguments are `inputs`, graph inputs in the order Run will get
// them. Only rewrites that keep every bit are made. Cost: linear in the number of nodes that the outputs need. Errors:
// an output or input carries one; they are of different graphs; an input is no graph input, or stands twice; the
// outputs need a graph input that is not among `inputs`.
absl::StatusOr<Program> Compile(absl::Span<const Var> outputs, absl::Span<const Var> inputs);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_PROGRAM_H_
