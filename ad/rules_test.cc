// Every derivative rule of the core operations against differences and by the dot-product test, to second order, real
// and complex.
#include "gtest/gtest.h"
#include "tenferro/ad/rule_cases.h"
#include "tenferro/runtime/ops/call.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

std::vector<ad::RuleCase> Rules() {
  const Shape v{5}, m{3, 4}, t{2, 3, 4};
  return {
      {"add", {m, m}, [](In x) -> Out { return {x[0] + x[1]}; }},
      {"add_itself", {v}, [](In x) -> Out { return {x[0] + x[0]}; }},
      {"add_broadcast", {m, Shape{4}}, [](In x) -> Out { return {x[0] + x[1]}; }},
      {"sub", {m, m}, [](In x) -> Out { return {x[0] - x[1]}; }},
      {"mul", {m, m}, [](In x) -> Out { return {x[0] * x[1]}; }},
      {"mul_itself", {v}, [](In x) -> Out { return {x[0] * x[0] * x[0]}; }},
      {"mul_broadcast", {Shape{3, 1}, Shape{1, 4}}, [](In x) -> Out { return {x[0] * x[1]}; }},
      {"div", {v, v}, [](In x) -> Out { return {x[0] / x[1]}; }, 0.5, 2},
      {"neg", {v}, [](In x) -> Out { return {-x[0]}; }},
      {"pow", {v, v}, [](In x) -> Out { return {Pow(x[0], x[1])}; }, 0.5, 2},
      {"pow_number", {v}, [](In x) -> Out { return {Pow(x[0], 3)}; }, 0.5, 2},
      {"max", {v, v}, [](In x) -> Out { return {Max(x[0], x[1]) * x[0]}; }, -1.5, 1.5, true, false},
      {"min", {v, v}, [](In x) -> Out { return {Min(x[0], x[1]) * x[0]}; }, -1.5, 1.5, true, false},
      {"abs", {v}, [](In x) -> Out { return {Abs(x[0])}; }, 0.3, 2},
      {"abs_negative", {v}, [](In x) -> Out { return {Abs(x[0]) * x[0]}; }, -2, -0.3},
      {"sign", {v}, [](In x) -> Out { return {Sign(x[0]) * x[0]}; }, 0.3, 2},
      {"sqrt", {v}, [](In x) -> Out { return {Sqrt(x[0])}; }, 0.5, 2},
      {"rsqrt", {v}, [](In x) -> Out { return {Rsqrt(x[0])}; }, 0.5, 2},
      {"square", {v}, [](In x) -> Out { return {Square(x[0])}; }},
      {"exp", {v}, [](In x) -> Out { return {Exp(x[0])}; }},
      {"expm1", {v}, [](In x) -> Out { return {Expm1(x[0])}; }},
      {"log", {v}, [](In x) -> Out { return {Log(x[0])}; }, 0.5, 2},
      {"log1p", {v}, [](In x) -> Out { return {Log1p(x[0])}; }, -0.3, 2},
      {"sin", {v}, [](In x) -> Out { return {Sin(x[0])}; }},
      {"cos", {v}, [](In x) -> Out { return {Cos(x[0])}; }},
      {"tanh", {v}, [](In x) -> Out { return {Tanh(x[0])}; }, -0.7, 0.7},
      {"sinh", {v}, [](In x) -> Out { return {Sinh(x[0])}; }},
      {"cosh", {v}, [](In x) -> Out { return {Cosh(x[0])}; }},
      {"conj", {v}, [](In x) -> Out { return {Conj(x[0]) * x[0]}; }},
      {"real", {v}, [](In x) -> Out { return {Real(x[0]) * x[0]}; }},
      {"imag", {v}, [](In x) -> Out { return {Imag(x[0]) * x[0]}; }},
      {"make_complex", {v, v}, [](In x) -> Out { return {MakeComplex(x[0], x[1] * x[0])}; }, -1, 1, true, false},
      {"select", {v, v}, [](In x) -> Out { return {Select(Gt(Real(x[0]), 0), x[0] * x[1], x[1])}; }},
      {"convert", {v}, [](In x) -> Out { return {Convert(x[0], DType::kC128) * std::complex<double>(0.5, 2)}; }},
      {"cast", {v}, [](In x) -> Out { return {Cast(x[0] * x[0], DType::kF64)}; }},
      {"reduce_sum",
       {t},
       [](In x) -> Out {
         return {ReduceSum(x[0] * x[0], {0, 2}), ReduceSum(x[0])};
       }},
      {"reduce_prod",
       {Shape{3, 4}},
       [](In x) -> Out {
         return {ReduceProd(x[0], {1}), ReduceProd(x[0])};
       }},
      {"reduce_max",
       {m},
       [](In x) -> Out {
         return {ReduceMax(x[0], {1}), ReduceMax(x[0])};
       },
       -1.5,
       1.5,
       true,
       false},
      {"reduce_min",
       {m},
       [](In x) -> Out {
         return {ReduceMin(x[0], {0}), ReduceMin(x[0])};
       },
       -1.5,
       1.5,
       true,
       false},
      {"transpose",
       {t},
       [](In x) -> Out {
         return {Transpose(x[0], {2, 0, 1}) * 2};
       }},
      {"reshape",
       {t},
       [](In x) -> Out {
         return {Reshape(x[0], {6, 4}) * 2};
       }},
      {"broadcast_in_dim",
       {Shape{3, 1}},
       [](In x) -> Out {
         return {BroadcastInDim(x[0], {5, 2, 3}, {2, 0})};
       }},
      {"broadcast_order",
       {Shape{3, 4}},
       [](In x) -> Out {
         return {BroadcastInDim(x[0] * x[0], {4, 2, 3}, {2, 0})};
       }},
      {"slice",
       {t},
       [](In x) -> Out {
         return {Slice(x[0], {0, 1, 0}, {2, 3, 4}, {1, 1, 3})};
       }},
      {"pad",
       {m, Shape{}},
       [](In x) -> Out {
         return {Pad(x[0], x[1], {1, -1}, {-1, 2}, {2, 1})};
       }},
      {"concatenate",
       {m, Shape{3, 2}},
       [](In x) -> Out {
         return {Concatenate({x[0], x[1], x[0]}, 1)};
       }},
      {"reverse",
       {t},
       [](In x) -> Out {
         return {Reverse(x[0], {0, 2})};
       }},
      {"extract_diag", {Shape{3, 2, 3}}, [](In x) -> Out { return {ExtractDiag(x[0], 0, 2)}; }},
      {"embed_diag", {m}, [](In x) -> Out { return {EmbedDiag(x[0], 2, 0)}; }},
      {"dot", {m, Shape{4, 5}}, [](In x) -> Out { return {Matmul(x[0], x[1])}; }},
      {"dot_batch",
       {Shape{2, 3, 4}, Shape{4, 3, 2, 5}},
       [](In x) -> Out {
         return {DotGeneral(x[0], x[1],
                            {.lhs_contract = {1}, .rhs_contract = {1}, .lhs_batch = {2, 0}, .rhs_batch = {0, 2}})};
       }},
      {"dot_two_axes",
       {Shape{2, 3, 4}, Shape{4, 5, 2}},
       [](In x) -> Out {
         return {DotGeneral(x[0], x[1],
                            {.lhs_contract = {2, 0}, .rhs_contract = {0, 2}, .lhs_batch = {}, .rhs_batch = {}})};
       }},
      {"dot_itself", {Shape{3, 3}}, [](In x) -> Out { return {Matmul(x[0], x[0])}; }},
      {"call",
       {v, v},
       [](In x) -> Out {
         const Var outer = x[1];
         return Call({x[0]}, [&](In in) -> Out { return {Sin(in[0]) * outer, in[0]}; });
       }},
      {"call_in_call",
       {v, v},
       [](In x) -> Out {
         const Var outer = x[1] * x[1];
         return Call({x[0]}, [&](In in) -> Out {
           return Call({Sin(in[0])}, [&](In deep) -> Out { return {deep[0] * outer * in[0]}; });
         });
       }},
  };
}

class RulesTest : public ad::RuleTest {};

TEST_P(RulesTest, AgreesWithDifferencesToSecondOrder) { Check(); }

INSTANTIATE_TEST_SUITE_P(Core, RulesTest, testing::ValuesIn(ad::RealAndComplex(Rules())), ad::RuleName);

}  // namespace
}  // namespace tenferro
