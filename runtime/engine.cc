#include "tenferro/runtime/engine.h"

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/program_builder.h"

namespace tenferro {

absl::StatusOr<std::vector<Tensor>> Prepared::Run(const Arguments& arguments) const {
  std::vector<Tensor> outputs(program_->num_outputs());
  if (absl::Status s = program_->Run(arguments, absl::MakeSpan(outputs), false); !s.ok()) return s;
  return outputs;
}

absl::Status Prepared::RunInto(const Arguments& arguments, absl::Span<Tensor> outputs) const {
  if (outputs.size() != program_->num_outputs()) {
    return absl::InvalidArgumentError(
        absl::StrCat("run: ", program_->num_outputs(), " outputs, but room for ", outputs.size()));
  }
  return program_->Run(arguments, outputs, true);
}

absl::StatusOr<std::vector<Tensor>> Prepared::Run(const Arguments& arguments, const RunOptions& options) const {
  if (options.trace.empty()) return Run(arguments);
  std::vector<Tensor> outputs(program_->num_outputs());
  if (absl::Status s = program_->RunTraced(arguments, absl::MakeSpan(outputs), false, options.trace); !s.ok()) return s;
  return outputs;
}

absl::Status Prepared::RunInto(const Arguments& arguments, absl::Span<Tensor> outputs,
                               const RunOptions& options) const {
  if (options.trace.empty() || outputs.size() != program_->num_outputs()) return RunInto(arguments, outputs);
  return program_->RunTraced(arguments, outputs, true, options.trace);
}

absl::Status PreparedProgram::RunTraced(const Arguments&, absl::Span<Tensor>, bool, const std::string&) const {
  return absl::UnimplementedError("run: this engine writes no traces");
}

namespace {

// The results of one operation that ran at once.
class ImmediateContext final : public Context {
 public:
  ImmediateContext(const Engine& engine, std::vector<Tensor> values) : engine_(engine), values_(std::move(values)) {
    for (const Tensor& value : values_) types_.push_back({value.dtype(), value.shape()});
  }

  Vars Emit(const OpDef& op, WordSpan attributes, absl::Span<const Var> inputs, const Location& location) override {
    if (absl::StatusOr<ValueTypes> types = InferTypes(op, attributes, inputs, location); !types.ok()) {
      return {Var::Error(types.status())};
    }
    absl::InlinedVector<Tensor, 3> operands;
    if (absl::Status s = Operands(op, inputs, location, operands); !s.ok()) return {Var::Error(s)};
    return Results(op, location, engine_.backend().RunOp(op, attributes, operands));
  }

  Var Constant(const Tensor& value, const Location&) override { return Immediate(engine_, value); }

  Vars EmitWithBody(const OpDef& op, std::shared_ptr<const Body> body, WordSpan, absl::Span<const Var> inputs,
                    const Location& location) override {
    absl::InlinedVector<Tensor, 3> operands;
    if (absl::Status s = Operands(op, inputs, location, operands); !s.ok()) return {Var::Error(s)};
    absl::StatusOr<Program> program = CompileFunction(body->graph, body->inputs, body->outputs);
    if (!program.ok()) return {Var::Error(program.status())};
    absl::StatusOr<Prepared> prepared = engine_.Prepare(*program);
    if (!prepared.ok()) return {Var::Error(prepared.status())};
    return Results(op, location, prepared->Run(absl::MakeConstSpan(operands)));
  }

  const ValueType& TypeOf(ValueId id) const override { return types_[id]; }
  // Engines may answer with views; whoever reads the numbers expects them in order.
  absl::StatusOr<Tensor> ValueOf(ValueId id) const override {
    return values_[id].device().is_host() ? values_[id].Dense() : values_[id];
  }
  bool holds_numbers() const override { return true; }

 private:
  absl::Status Operands(const OpDef& op, absl::Span<const Var> inputs, const Location& location,
                        absl::InlinedVector<Tensor, 3>& operands) const {
    for (const Var& input : inputs) {
      const auto* const other = dynamic_cast<const ImmediateContext*>(input.context().get());
      if (other == nullptr || &other->engine_.backend() != &engine_.backend()) {
        return ErrorVar(location, op.name, "operands belong to different engines").status();
      }
      operands.push_back(other->values_[input.id()]);
    }
    return absl::OkStatus();
  }

  Vars Results(const OpDef& op, const Location& location, absl::StatusOr<std::vector<Tensor>> values) const {
    if (!values.ok()) {
      return {Var::Error(absl::Status(
          values.status().code(), absl::StrCat(ToString(location), ": ", op.name, ": ", values.status().message())))};
    }
    const size_t count = values->size();
    auto context = std::make_shared<ImmediateContext>(engine_, *std::move(values));
    Vars results;
    for (size_t i = 0; i < count; ++i) results.emplace_back(context, i);
    return results;
  }

  Engine engine_;
  std::vector<Tensor> values_;
  ValueTypes types_;
};

}  // namespace

Var Immediate(const Engine& engine, const Tensor& value) {
  absl::StatusOr<Tensor> uploaded = engine.Upload(value);
  if (!uploaded.ok()) return Var::Error(uploaded.status());
  return Var(std::make_shared<ImmediateContext>(engine, std::vector<Tensor>{*std::move(uploaded)}), 0);
}

}  // namespace tenferro
