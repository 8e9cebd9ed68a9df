#include "tenferro/ad/checkpoint.h"
#include "tenferro/ad/custom_rule.h"
#include "tenferro/experiments/parity/evaluate.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::parity {
namespace {

using Vars = std::vector<Var>;

Var MatrixTimesVector(const Var& w, const Var& x) {
  return DotGeneral(w, x, {.lhs_contract = {1}, .rhs_contract = {0}});
}

// sum(sin(x) * roll(x, 1)**2) + prod(cos(x))
Vars RollProduct(const Call& x) {
  const int64_t n = x[0].dim(0);
  const Var rolled = Concatenate({Slice(x[0], {n - 1}, {n}), Slice(x[0], {0}, {n - 1})}, 0);
  return {ReduceSum(Sin(x[0]) * Square(rolled)) + ReduceProd(Cos(x[0]))};
}

constexpr Formula kFormulas[] = {
    {"small/f", [](const Call& x) -> Vars { return {ReduceSum(Sin(x[0]) * (x[0] * x[0]))}; }},
    {"jac/jacobian",
     [](const Call& x) -> Vars { return {Tanh(MatrixTimesVector(x[0], x[1])) * Reshape(Slice(x[1], {0}, {1}), {})}; }},
    {"jac/hessian", RollProduct},
    {"jac/third", RollProduct},
    {"jac/nth_derivatives", [](const Call& x) -> Vars { return {Tanh(Sin(x[0]) * Exp(x[0]))}; }},
    {"jac/pytree_grad", [](const Call& x) -> Vars { return {ReduceSum(Tanh(MatrixTimesVector(x[0], x[1])) * x[2])}; }},
    {"control/checkpoint",
     [](const Call& x) -> Vars {
       const auto f = [](absl::Span<const Var> in) -> Vars { return {Sin(Exp(Cos(in[0])))}; };
       return {ReduceSum(ad::Checkpoint(x.inputs, f)[0])};
     }},
    {"control/custom_vjp",
     [](const Call& x) -> Vars {
       using In = absl::Span<const Var>;
       const auto f = [](In in) -> Vars { return {in[0] * Abs(in[0])}; };
       return ad::CustomVjp(x.inputs, f, [](In in, In, In ct) -> Vars { return {ct[0] * (3 * in[0])}; });
     }},
};

}  // namespace

absl::Span<const Formula> CalculusFormulas() { return kFormulas; }

}  // namespace tenferro::parity
