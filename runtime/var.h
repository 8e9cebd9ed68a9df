#ifndef TENFERRO_RUNTIME_VAR_H_
#define TENFERRO_RUNTIME_VAR_H_

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tenferro/runtime/location.h"
#include "tenferro/runtime/node_table.h"
#include "tenferro/runtime/op.h"
#include "tenferro/tensor/tensor.h"

namespace tenferro {

class Context;
struct Body;

// A handle of one value: of a graph (a traced value), of an immediate context (a number that exists already), or of an
// error that happened while it was made. Cheap to copy; keeps its context alive.
class Var {
 public:
  // Empty: stands for "none" in lists of tangents and cotangents. Using it in an operation gives an error Var.
  Var() = default;
  Var(std::shared_ptr<Context> context, ValueId id) : context_(std::move(context)), id_(id) {}
  // Carries `status`, which must not be OK.
  static Var Error(absl::Status status);

  bool empty() const { return context_ == nullptr; }
  // False for an error and for an empty Var.
  bool ok() const { return status().ok(); }
  // The first error among the operations that led here.
  absl::Status status() const;

  // Rank 0 and f64 when not ok().
  const ValueType& type() const;
  DType dtype() const { return type().dtype; }
  const Shape& shape() const { return type().shape; }
  int rank() const { return shape().rank(); }
  // Extent of `axis`; 0 when there is no such axis.
  int64_t dim(int axis) const { return axis >= 0 && axis < rank() ? shape().extent(axis) : 0; }

  // The numbers, where they exist at once. Errors: status(); the value belongs to a graph, which must be compiled and
  // run.
  absl::StatusOr<Tensor> ToTensor() const;

  const std::shared_ptr<Context>& context() const { return context_; }
  ValueId id() const { return id_; }

 private:
  std::shared_ptr<Context> context_;
  ValueId id_ = 0;
};

using Vars = absl::InlinedVector<Var, 3>;

// Where operations go: a graph records them, an immediate context runs them, a transform's context rewrites them.
class Context : public std::enable_shared_from_this<Context> {
 public:
  virtual ~Context() = default;

  // Applies an operation and returns its outputs; a mistake gives a single error Var.
  virtual Vars Emit(const OpDef& op, WordSpan attributes, absl::Span<const Var> inputs, const Location& location) = 0;
  virtual Var Constant(const Tensor& value, const Location& location) = 0;
  // Applies an operation that holds a body; the body's captured values must be inputs already.
  virtual Vars EmitWithBody(const OpDef& op, std::shared_ptr<const Body> body, WordSpan attributes,
                            absl::Span<const Var> inputs, const Location& location) = 0;

  virtual const ValueType& TypeOf(ValueId id) const = 0;
  virtual absl::Status status() const { return absl::OkStatus(); }
  virtual absl::StatusOr<Tensor> ValueOf(ValueId id) const;
  // True if the values are numbers that exist already, which any context takes in as constants.
  virtual bool holds_numbers() const { return false; }
  // The context whose values this one may also use: a body's is the graph it is traced in.
  virtual Context* parent() const { return nullptr; }
};

// The types of `op`'s outputs. The error reads "file:line: op: message".
absl::StatusOr<ValueTypes> InferTypes(const OpDef& op, WordSpan attributes, absl::Span<const Var> inputs,
                                      const Location& location);

// The innermost context among those of `inputs` (one at least): the body being traced rather than the graph around it,
// and a graph rather than numbers.
Context* InnermostContext(absl::Span<const Var> inputs);

// Applies `op` in the innermost context of `inputs`. Exactly `num_outputs` Vars come
// back; the first error among the inputs, a mix of unrelated contexts or a mistake comes back in all.
Vars Emit(const OpDef& op, WordSpan attributes, absl::Span<const Var> inputs, const Location& location,
          int num_outputs = 1);
// The same for the common single output.
Var EmitOne(const OpDef& op, WordSpan attributes, absl::Span<const Var> inputs, const Location& location);

// An error Var whose message reads "file:line: op: message".
Var ErrorVar(const Location& location, const char* op, absl::string_view message);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_VAR_H_
