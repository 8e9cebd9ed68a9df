#include "tenferro/runtime/var.h"

#include "absl/strings/str_cat.h"

namespace tenferro {
namespace {

class ErrorContext final : public Context {
 public:
  explicit ErrorContext(absl::Status status) : status_(std::move(status)) {}

  Vars Emit(const OpDef&, WordSpan, absl::Span<const Var>, const Location&) override { return {Self()}; }
  Var Constant(const Tensor&, const Location&) override { return Self(); }
  Vars EmitWithBody(const OpDef&, std::shared_ptr<const Body>, WordSpan, absl::Span<const Var>,
                    const Location&) override {
    return {Self()};
  }
  const ValueType& TypeOf(ValueId) const override { return type_; }
  absl::Status status() const override { return status_; }

 private:
  Var Self() { return Var(shared_from_this(), 0); }

  absl::Status status_;
  ValueType type_;
};

bool IsAncestor(const Context* ancestor, const Context* context) {
  while (context != nullptr && context != ancestor) context = context->parent();
  return context != nullptr;
}

}  // namespace

Var Var::Error(absl::Status status) { return Var(std::make_shared<ErrorContext>(std::move(status)), 0); }

absl::Status Var::status() const {
  if (empty()) return absl::FailedPreconditionError("an empty Var has no value");
  return context_->status();
}

const ValueType& Var::type() const {
  static const ValueType* const kNone = new ValueType();
  return empty() ? *kNone : context_->TypeOf(id_);
}

absl::StatusOr<Tensor> Var::ToTensor() const {
  if (absl::Status s = status(); !s.ok()) return s;
  return context_->ValueOf(id_);
}

absl::StatusOr<Tensor> Context::ValueOf(ValueId) const {
  if (absl::Status s = status(); !s.ok()) return s;
  return absl::FailedPreconditionError("a traced value has no numbers yet: compile the graph and run it");
}

absl::StatusOr<ValueTypes> InferTypes(const OpDef& op, WordSpan attributes, absl::Span<const Var> inputs,
                                      const Location& location) {
  absl::InlinedVector<ValueType, 3> types;
  for (const Var& input : inputs) types.push_back(input.type());
  ValueTypes outputs;
  absl::Status status = op.infer(op, attributes, types, outputs);
  if (!status.ok()) {
    return absl::Status(status.code(), absl::StrCat(ToString(location), ": ", op.name, ": ", status.message()));
  }
  for (const ValueType& output : outputs) {
    if (absl::Status valid = output.shape.Validate(); !valid.ok()) {
      return absl::Status(valid.code(), absl::StrCat(ToString(location), ": ", op.name, ": ", valid.message()));
    }
  }
  return outputs;
}

// Contexts that have nothing to do with each other (of two graphs, of two numbers) are for the chosen one's Emit to
// judge.
Context* InnermostContext(absl::Span<const Var> inputs) {
  Context* innermost = inputs[0].context().get();
  for (const Var& input : inputs.subspan(1)) {
    Context* context = input.context().get();
    if (context == innermost || context->holds_numbers()) continue;
    if (innermost->holds_numbers() || IsAncestor(innermost, context)) innermost = context;
  }
  return innermost;
}

Vars Emit(const OpDef& op, WordSpan attributes, absl::Span<const Var> inputs, const Location& location,
          int num_outputs) {
  const Location here = LocationScope::Resolve(location);
  auto fail = [&](const Var& error) { return Vars(num_outputs, error); };
  if (inputs.empty()) return fail(ErrorVar(here, op.name, "needs at least one operand"));
  for (const Var& input : inputs) {
    if (input.empty()) return fail(ErrorVar(here, op.name, "an operand is an empty Var"));
    if (!input.ok()) return fail(input);
  }
  Vars outputs = InnermostContext(inputs)->Emit(op, attributes, inputs, here);
  if (static_cast<int>(outputs.size()) != num_outputs) return fail(outputs[0]);
  return outputs;
}

Var EmitOne(const OpDef& op, WordSpan attributes, absl::Span<const Var> inputs, const Location& location) {
  return Emit(op, attributes, inputs, location)[0];
}

Var ErrorVar(const Location& location, const char* op, absl::string_view message) {
  return Var::Error(
      absl::InvalidArgumentError(absl::StrCat(ToString(LocationScope::Resolve(location)), ": ", op, ": ", message)));
}

}  // namespace tenferro
