#include "tenferro/cpu/custom_op.h"

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/tensor/status.h"

namespace tenferro {

class CustomOpKernel final : public Kernel {
 public:
  explicit CustomOpKernel(const KernelRequest& request)
      : kernel_(static_cast<const CustomOp::Slots&>(*request.op.slots).kernel),
        attributes_(request.attributes.begin(), request.attributes.end()),
        inputs_(request.inputs.begin(), request.inputs.end()),
        outputs_(request.outputs.begin(), request.outputs.end()) {}

  absl::Status Run(const KernelArguments& arguments) const override {
    std::vector<ConstArray> inputs;
    std::vector<MutableArray> outputs;
    for (size_t i = 0; i < inputs_.size(); ++i) inputs.push_back({inputs_[i], arguments.inputs[i]});
    for (size_t i = 0; i < outputs_.size(); ++i) outputs.push_back({outputs_[i], arguments.outputs[i]});
    return kernel_(attributes_, inputs, outputs);
  }

 private:
  CustomKernel kernel_;
  Words attributes_;
  std::vector<ValueType> inputs_, outputs_;
};

namespace {

absl::StatusOr<std::unique_ptr<Kernel>> Make(const KernelRequest& request) {
  return std::make_unique<CustomOpKernel>(request);
}

constexpr CpuFamily kFamily{.make = Make};

const char* NameOf(const CustomOpRules& rules) { return rules.name == nullptr ? "custom_op" : rules.name; }

}  // namespace

CustomOp::CustomOp(const CustomOpRules& rules)
    : slots_{{.family = NameOf(rules), .cpu_target = nullptr, .derivative_target = nullptr, .cpu = &kFamily},
             rules.shape, rules.kernel, rules.num_outputs},
      record_{.name = NameOf(rules),
              .infer = Infer,
              .jvp = rules.jvp,
              .vjp = rules.vjp,
              .not_differentiable = rules.not_differentiable,
              .batch = rules.batch,
              .slots = &slots_} {}

absl::Status CustomOp::Infer(const OpDef& op, WordSpan attributes, absl::Span<const ValueType> inputs,
                             ValueTypes& outputs) {
  const Slots& slots = static_cast<const Slots&>(*op.slots);
  TENFERRO_RETURN_IF_ERROR(slots.shape(op, attributes, inputs, outputs));
  if (static_cast<int>(outputs.size()) == slots.num_outputs) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the shape rule gives ", outputs.size(), " types for ", slots.num_outputs, " outputs"));
}

std::vector<Var> CustomOp::operator()(absl::Span<const Var> operands, WordSpan attributes, Location location) const {
  const auto fail = [&](absl::string_view message) {
    return std::vector<Var>(std::max(1, slots_.num_outputs), ErrorVar(location, record_.name, message));
  };
  if (slots_.shape == nullptr) return fail("has no shape rule");
  if (slots_.kernel == nullptr) return fail("has no kernel");
  if (slots_.num_outputs < 1) return fail("has no output");
  if (operands.empty()) return fail("there is no operand");
  const Vars outputs = Emit(record_, attributes, operands, location, slots_.num_outputs);
  return std::vector<Var>(outputs.begin(), outputs.end());
}

}  // namespace tenferro
