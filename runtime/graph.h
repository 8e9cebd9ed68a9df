#ifndef TENFERRO_RUNTIME_GRAPH_H_
#define TENFERRO_RUNTIME_GRAPH_H_

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "tenferro/runtime/node_table.h"
#include "tenferro/runtime/var.h"
#include "tenferro/tensor/tensor.h"

namespace tenferro {

class GraphContext;

// What a graph is made of: nodes, and what their attributes refer to by index.
struct GraphData {
  NodeTable nodes;
  std::vector<Tensor> constants;                    // attribute 0 of `constant`
  std::vector<std::shared_ptr<const Body>> bodies;  // attribute 0 of an operation with a body
};

using TracedFunction = std::function<std::vector<Var>(absl::Span<const Var>)>;

// What an operation with a body holds beside it, of a kind that its record knows: a rule, a policy.
struct BodyExtra {
  virtual ~BodyExtra() = default;
  // False if the operation's derivative is another one than that of the operations in its body.
  virtual bool derivative_is_of_body() const { return true; }
  // Applies `op` to operands that all carry a further last axis. `batch` turns a function into that of all slices.
  using BatchFunction = std::function<TracedFunction(TracedFunction)>;
  virtual std::vector<Var> EmitBatched(const OpDef& op, std::shared_ptr<const Body> body,
                                       absl::Span<const Var> operands, const BatchFunction& batch,
                                       const Location& location) const = 0;
};

// A function traced into its own graph, the attribute of `call` and its kin. Takes `inputs` in order.
struct Body {
  GraphData graph;
  std::vector<ValueId> inputs;
  std::vector<ValueId> outputs;
  std::shared_ptr<const BodyExtra> extra;
};

// The context that records. One thread builds a graph at a time; different graphs may be built on different threads.
class GraphContext final : public Context {
 public:
  // `parent` may be used by operations here: its values are captured as further inputs. It must outlive the tracing.
  explicit GraphContext(Context* parent = nullptr) : parent_(parent) {}

  Var Input(const ValueType& type, const Location& location);
  Var Constant(const Tensor& value, const Location& location) override;
  Vars Emit(const OpDef& op, WordSpan attributes, absl::Span<const Var> inputs, const Location& location) override;
  Vars EmitWithBody(const OpDef& op, std::shared_ptr<const Body> body, WordSpan attributes,
                    absl::Span<const Var> inputs, const Location& location) override;
  const ValueType& TypeOf(ValueId id) const override { return data_.nodes.type(id); }
  Context* parent() const override { return parent_; }

  const GraphData& data() const { return data_; }
  const NodeTable& nodes() const { return data_.nodes; }
  Var ValueAt(ValueId id) { return Var(shared_from_this(), id); }

  // Ends the tracing of a body: its inputs are `inputs` and then one for each captured value.
  std::shared_ptr<const Body> Close(absl::Span<const Var> inputs, absl::Span<const Var> outputs);
  // From here on this graph stands alone: values of the parent are those of any other graph.
  void EndTracing() { parent_ = nullptr; }
  // The values of the parent that this body uses, in the order of the body's further inputs.
  absl::Span<const Var> captured() const { return captured_; }
  // This graph's own Var for `var`: itself, a captured value of an ancestor, or a number as a constant. Errors: of
  // another graph.
  Var Adopt(const Var& var, const char* op, const Location& location);

 private:
  Vars Record(const OpDef& op, WordSpan attributes, absl::Span<const Var> inputs, const Location& location);

  GraphData data_;
  Context* parent_;
  std::vector<Var> captured_;         // Vars of the parent
  std::vector<ValueId> capture_ids_;  // what they are called here
};

// A graph of operations under construction: make inputs, call operations on them, compile what you want. A handle:
// copies are the same graph, which lives as long as its last handle or Var.
class Graph {
 public:
  Graph() : context_(std::make_shared<GraphContext>()) {}

  // A value that Run will be given. Errors (carried): a negative or overflowing extent.
  Var Input(DType dtype, const Shape& shape, Location location = Location::current());
  // A value known now.
  Var Constant(const Tensor& value, Location location = Location::current());

  size_t num_nodes() const { return context_->nodes().num_nodes(); }
  GraphContext& context() const { return *context_; }

 private:
  std::shared_ptr<GraphContext> context_;
};

// A constant in the context of `like`.
Var ConstantLike(const Var& like, const Tensor& value, Location location = Location::current());

// Traces `function` on inputs of the types of `arguments`, as a body that may use values of the surrounding graph.
struct TracedBody {
  std::shared_ptr<const Body> body;
  Vars operands;  // the arguments and then the captured values
  int num_outputs = 0;
};
absl::StatusOr<TracedBody> TraceBody(absl::Span<const Var> arguments, const TracedFunction& function, const char* op,
                                     const Location& location);
// The same on inputs of other types: the operands are the captured values alone, which are values of `surroundings`.
absl::StatusOr<TracedBody> TraceBody(Context& surroundings, absl::Span<const ValueType> types,
                                     const TracedFunction& function, const char* op, const Location& location);

// Emits the operations of `body` on `operands`, in their innermost context. A value of the body that stands in `known`
// is taken from there instead. Calls stay calls unless `flatten`. Returns the body's outputs, or an error Var for each.
using KnownValues = absl::Span<const std::pair<ValueId, Var>>;
std::vector<Var> InlineBody(const Body& body, absl::Span<const Var> operands, KnownValues known = {},
                            bool flatten = false);

// The body of a node of a graph, by one of its outputs and its attributes.
std::shared_ptr<const Body> BodyOf(const NodeView& node);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_GRAPH_H_
