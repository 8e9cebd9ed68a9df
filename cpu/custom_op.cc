#include "tenferro/cpu/custom_op.h"

#include <memory>

#include "tenferro/cpu/kernel.h"

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

}  // namespace

CustomOp::CustomOp(const CustomOpRules& rules)
    : slots_{{.family = rules.name, .cpu_target = nullptr, .derivative_target = nullptr, .cpu = &kFamily},
             rules.kernel},
      record_{.name = rules.name,
              .infer = rules.shape,
              .jvp = rules.jvp,
              .vjp = rules.vjp,
              .not_differentiable = rules.not_differentiable,
              .batch = rules.batch,
              .slots = &slots_},
      num_outputs_(rules.num_outputs) {}

std::vector<Var> CustomOp::operator()(absl::Span<const Var> operands, WordSpan attributes, Location location) const {
  if (operands.empty()) return std::vector<Var>(num_outputs_, ErrorVar(location, record_.name, "there is no operand"));
  const Vars outputs = Emit(record_, attributes, operands, location, num_outputs_);
  return std::vector<Var>(outputs.begin(), outputs.end());
}

}  // namespace tenferro
