#include "tenferro/experiments/parity/run.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tenferro/ad/grad.h"
#include "tenferro/ad/jacobian.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/ad/vjp.h"
#include "tenferro/experiments/parity/compare.h"
#include "tenferro/experiments/parity/evaluate.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"

namespace tenferro::parity {
namespace {

// y and its first derivatives at the scalar x, as a vector.
Var DerivativesUpTo(int order, Var y, const Var& x) {
  std::vector<Var> derivatives = {Reshape(y, {1})};
  for (int i = 1; i <= order; ++i) {
    y = ad::Grad(y, x);
    derivatives.push_back(Reshape(y, {1}));
  }
  return Concatenate(derivatives, 0);
}

class Builder {
 public:
  explicit Builder(const Case& c) : case_(c) {}

  absl::StatusOr<CaseProgram> Build() {
    inputs_ = AddArguments(case_.inputs);
    const std::vector<Var> function = Evaluate(graph_, case_, inputs_);
    TENFERRO_ASSIGN_OR_RETURN(const std::vector<Var> outputs, OutputsOf(function));
    TENFERRO_ASSIGN_OR_RETURN(Program program, Compile(outputs, arguments_));
    return CaseProgram{std::move(program), std::move(values_)};
  }

 private:
  std::vector<Var> AddArguments(const std::vector<Array>& arrays) {
    std::vector<Var> added;
    for (const Array& array : arrays) {
      added.push_back(graph_.Input(array.value.dtype(), array.value.shape()));
      arguments_.push_back(added.back());
      values_.push_back(array.value);
    }
    return added;
  }

  // The inputs that arrays stand for, named prefix + name of the input.
  template <class Named>
  std::vector<Var> InputsOf(const std::vector<Named>& arrays, const std::string& prefix) const {
    std::vector<Var> found;
    for (const Named& array : arrays) {
      for (size_t i = 0; i < inputs_.size(); ++i) {
        if (array.name == prefix + case_.inputs[i].name) found.push_back(inputs_[i]);
      }
    }
    return found;
  }

  // The inputs that the tangents belong to: t_x to x; a single v to the only input.
  std::vector<Var> MovingInputs() const {
    std::vector<Var> moving = InputsOf(case_.tangents, "t_");
    return moving.empty() ? inputs_ : moving;
  }

  absl::StatusOr<std::vector<Var>> OutputsOf(const std::vector<Var>& function) {
    const std::string& kind = case_.kind;
    if (kind == "value") return function;
    if (kind == "vjp") return ad::Vjp(function, InputsOf(case_.outputs, "out_d_"), AddArguments(case_.cotangents));
    if (kind == "jvp") return ad::Jvp(function, MovingInputs(), AddArguments(case_.tangents));
    if (kind == "grad") return ad::Grad(function[0], inputs_);
    if (kind == "hvp") {
      return std::vector<Var>{ad::Hvp(function[0], inputs_[0], AddArguments(case_.tangents)[0])};
    }
    if (kind == "value_and_grad") {
      // Elements of the value that each depend on one element of the input: the gradient of their sum.
      return std::vector<Var>{function[0], ad::Vjp(function, inputs_, {OnesLike(function[0])})[0]};
    }
    const Var &y = function[0], &x = inputs_.back();
    if (case_.op == "jacrev") return std::vector<Var>{ad::Jacrev(y, x)};
    if (case_.op == "hessian") return std::vector<Var>{ad::Hessian(y, x)};
    if (case_.op == "jacfwd3") return std::vector<Var>{ad::Jacfwd(ad::Jacfwd(ad::Jacfwd(y, x), x), x)};
    if (case_.op == "grad^n") return std::vector<Var>{DerivativesUpTo(5, y, x)};
    return absl::UnimplementedError(absl::StrCat(case_.name, ": unknown kind ", kind, " of ", case_.op));
  }

  const Case& case_;
  Graph graph_;
  std::vector<Var> inputs_;
  std::vector<Var> arguments_;
  std::vector<Tensor> values_;
};

}  // namespace

absl::StatusOr<CaseProgram> BuildCase(const Case& c) { return Builder(c).Build(); }

absl::Status RunCase(const Engine& engine, const Case& c) {
  TENFERRO_ASSIGN_OR_RETURN(const CaseProgram built, BuildCase(c));
  TENFERRO_ASSIGN_OR_RETURN(const Prepared prepared, engine.Prepare(built.program));
  TENFERRO_ASSIGN_OR_RETURN(const std::vector<Tensor> got, prepared.Run(built.arguments));
  if (got.size() != c.outputs.size()) {
    return absl::InvalidArgumentError(absl::StrCat(got.size(), " outputs, expected ", c.outputs.size()));
  }
  for (size_t i = 0; i < got.size(); ++i) TENFERRO_RETURN_IF_ERROR(Compare(got[i], c.outputs[i]));
  return absl::OkStatus();
}

}  // namespace tenferro::parity
