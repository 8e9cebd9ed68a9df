// The derivative rules of the indexing, sort and cumulative families against differences and by the dot-product test,
// to second order, real and complex.
#include <cmath>

#include "gtest/gtest.h"
#include "tenferro/ad/check_grads.h"
#include "tenferro/ad/vjp.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/ops/cumulative.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/indexing.h"
#include "tenferro/runtime/ops/sort.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

struct Rule {
  const char* name;
  std::vector<Shape> shapes;
  TracedFunction function;
  bool complex = true;
};

Var Numbers(const Var& like, const std::vector<int64_t>& numbers) {
  std::vector<Var> parts;
  for (int64_t number : numbers) parts.push_back(Full(like, DType::kI64, {1}, number));
  return parts.empty() ? Full(like, DType::kI64, {0}, 0) : Concatenate(parts, 0);
}

// Rows of a matrix at indices i64[n].
GatherAttributes Rows(int64_t columns, IndexMode mode) {
  return {.offset_dims = {1},
          .collapsed_slice_dims = {0},
          .operand_batching_dims = {},
          .start_indices_batching_dims = {},
          .start_index_map = {0},
          .index_vector_dim = 1,
          .slice_sizes = {1, columns},
          .mode = mode};
}
ScatterAttributes ToRows(IndexMode mode, bool from_the_end) {
  return {.update_window_dims = {1},
          .inserted_window_dims = {0},
          .input_batching_dims = {},
          .scatter_indices_batching_dims = {},
          .scatter_dims_to_operand_dims = {0},
          .index_vector_dim = 1,
          .mode = mode,
          .from_the_end = from_the_end};
}

// Windows of two elements of a vector, which overlap.
ScatterAttributes Overlapping(IndexMode mode) {
  return {.update_window_dims = {1},
          .inserted_window_dims = {},
          .input_batching_dims = {},
          .scatter_indices_batching_dims = {},
          .scatter_dims_to_operand_dims = {0},
          .index_vector_dim = 1,
          .mode = mode};
}

// With repeated indices and ones on both sides of the range.
template <ScatterKind kKind, IndexMode kMode, bool kFromTheEnd = false>
Out ScatterRows(In x) {
  return {Scatter(x[0] * x[0], Numbers(x[0], {1, 3, 1, -1, 4, 0, 3}), x[1] * x[1], kKind, ToRows(kMode, kFromTheEnd))};
}
template <ScatterKind kKind, IndexMode kMode>
Out ScatterOverlapping(In x) {
  return {Scatter(x[0], Numbers(x[0], {1, 2, 4, -1, 1}), x[1] * x[1], kKind, Overlapping(kMode))};
}

std::vector<Rule> Rules() {
  constexpr IndexMode kClamp = IndexMode::kClamp, kFill = IndexMode::kFill;
  const Shape v{5}, m{4, 3}, updates{7, 3}, pairs{5, 2}, t{2, 3, 4};
  return {
      {"gather_clamp",
       {m},
       [](In x) -> Out {
         return {Gather(x[0] * x[0], Numbers(x[0], {2, 0, 2, 9, -3}), Rows(3, kClamp))};
       }},
      {"gather_fill",
       {m},
       [](In x) -> Out {
         return {Gather(x[0] * x[0], Numbers(x[0], {2, 0, 2, 9, -3}), Rows(3, kFill), 2)};
       }},
      {"index_select",
       {t},
       [](In x) -> Out {
         return {IndexSelect(x[0] * x[0], Numbers(x[0], {-1, 1, 1}), 1)};
       }},
      {"take_along_axis",
       {m},
       [](In x) -> Out {
         const Var at = BroadcastInDim(Numbers(x[0], {-1, 1, 1, 0, 2}), {5, 3}, {0});
         return {TakeAlongAxis(x[0] * x[0], at, 0, kClamp)};
       }},
      {"put_along_axis",
       {m, Shape{2, 3}},
       [](In x) -> Out {
         return {PutAlongAxis(x[0] * x[0], BroadcastInDim(Numbers(x[0], {1, 1}), {2, 3}, {0}), x[1] * x[1], 0)};
       }},
      {"scatter_set", {m, updates}, ScatterRows<ScatterKind::kSet, kFill>},
      {"scatter_set_from_the_end", {m, updates}, ScatterRows<ScatterKind::kSet, kFill, true>},
      {"scatter_add_from_the_end", {m, updates}, ScatterRows<ScatterKind::kAdd, kFill, true>},
      {"scatter_mul_from_the_end", {m, updates}, ScatterRows<ScatterKind::kMul, kClamp, true>},
      {"scatter_max_from_the_end", {m, updates}, ScatterRows<ScatterKind::kMax, kFill, true>, false},
      {"scatter_set_clamp", {m, updates}, ScatterRows<ScatterKind::kSet, kClamp>},
      {"scatter_set_overlapping", {v, pairs}, ScatterOverlapping<ScatterKind::kSet, kFill>},
      {"scatter_add", {m, updates}, ScatterRows<ScatterKind::kAdd, kFill>},
      {"scatter_add_clamp", {m, updates}, ScatterRows<ScatterKind::kAdd, kClamp>},
      {"scatter_add_overlapping", {v, pairs}, ScatterOverlapping<ScatterKind::kAdd, kClamp>},
      {"scatter_mul", {m, updates}, ScatterRows<ScatterKind::kMul, kFill>},
      {"scatter_mul_clamp", {m, updates}, ScatterRows<ScatterKind::kMul, kClamp>},
      {"scatter_mul_overlapping", {v, pairs}, ScatterOverlapping<ScatterKind::kMul, kClamp>},
      {"scatter_min", {m, updates}, ScatterRows<ScatterKind::kMin, kFill>, false},
      {"scatter_max", {m, updates}, ScatterRows<ScatterKind::kMax, kClamp>, false},
      {"scatter_max_overlapping", {v, pairs}, ScatterOverlapping<ScatterKind::kMax, kFill>, false},
      {"dynamic_slice",
       {m},
       [](In x) -> Out {
         return {DynamicSlice(x[0] * x[0], {Arg(9), Arg(1)}, {2, 2})};
       }},
      {"dynamic_update_slice",
       {m, Shape{2, 2}},
       [](In x) -> Out {
         return {DynamicUpdateSlice(x[0] * x[0], x[1] * x[1], {Arg(1), Arg(-4)})};
       }},
      {"sort",
       {m},
       [](In x) -> Out {
         return {Sort(x[0], 0) * x[0], Sort(x[0] * x[0], 1, true)};
       },
       false},
      {"top_k", {m}, [](In x) -> Out { return {TopK(x[0] * x[0], 2, 0).values}; }, false},
      {"sort_by_key",
       {m, m},
       [](In x) -> Out {
         const SortedPairs sorted = SortByKey(x[0], {x[1] * x[0]}, 0);
         return {sorted.keys, sorted.values[0]};
       },
       false},
      {"cumsum",
       {t},
       [](In x) -> Out {
         return {CumSum(x[0] * x[0], 1), CumSum(x[0], 2, true)};
       }},
      {"cumprod",
       {m},
       [](In x) -> Out {
         return {CumProd(x[0], 0), CumProd(x[0], 1, true)};
       }},
      {"cummax",
       {m},
       [](In x) -> Out {
         return {CumMax(x[0], 0) * x[0], CumMax(x[0], 1, true)};
       },
       false},
      {"cummin",
       {m},
       [](In x) -> Out {
         return {CumMin(x[0], 0) * x[0], CumMin(x[0], 1, true)};
       },
       false},
      {"cumlogsumexp",
       {m},
       [](In x) -> Out {
         return {CumLogSumExp(x[0], 0), CumLogSumExp(x[0], 1, true)};
       },
       false},
      {"linear_recurrence",
       {m, m},
       [](In x) -> Out {
         return {LinearRecurrence(x[0], x[1], 0), LinearRecurrence(x[1] * x[0], x[0], 1, true)};
       }},
      {"linear_recurrence_of_b", {m}, [](In x) -> Out { return {LinearRecurrence(FullLike(x[0], 0.5), x[0], 0)}; }},
  };
}

// Numbers apart from each other, so that no order is close to a tie; complex ones have any phase.
Tensor Input(DType dtype, const Shape& shape, int which) {
  std::vector<double> re;
  std::vector<std::complex<double>> z;
  for (int64_t i = 0; i < shape.size(); ++i) {
    re.push_back(0.4 + 1.3 * std::fmod(0.37 + 0.6180339887498949 * static_cast<double>(i + 31 * which), 1.0));
    z.push_back(std::polar(re.back(), 2.0 * std::sin(static_cast<double>(3 * i + which))));
  }
  return dtype == DType::kF64 ? *Tensor::FromColMajor<double>(shape, re)
                              : *Tensor::FromColMajor<std::complex<double>>(shape, z);
}

class RulesTest : public testing::TestWithParam<std::tuple<Rule, DType>> {};

TEST_P(RulesTest, AgreesWithDifferencesToSecondOrder) {
  const auto& [rule, dtype] = GetParam();
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < rule.shapes.size(); ++i) {
    inputs.push_back(Input(dtype, rule.shapes[i], static_cast<int>(i)));
  }
  const absl::Status status = ad::CheckGrads(CpuEngine::Serial(), rule.function, inputs, {.order = 2});
  EXPECT_TRUE(status.ok()) << status;
}

std::vector<std::tuple<Rule, DType>> Cases() {
  std::vector<std::tuple<Rule, DType>> cases;
  for (const Rule& rule : Rules()) {
    cases.emplace_back(rule, DType::kF64);
    if (rule.complex) cases.emplace_back(rule, DType::kC128);
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Indexing, RulesTest, testing::ValuesIn(Cases()), [](const auto& info) {
  return std::string(std::get<0>(info.param).name) + "_" + Name(std::get<1>(info.param));
});

// The gradient of the sum of w·f(x), w = 1, 2, 3, …
std::vector<std::vector<double>> Gradients(const TracedFunction& function, const std::vector<Tensor>& values) {
  Graph graph;
  std::vector<Var> inputs;
  for (const Tensor& value : values) inputs.push_back(graph.Input(value.dtype(), value.shape()));
  const Var y = function(inputs)[0];
  const Var weights = Reshape(Iota(y, y.dtype(), {y.shape().size()}, 0) + 1, y.shape());
  const std::vector<Var> gradients = ad::Vjp({y}, inputs, {weights});
  std::vector<std::vector<double>> numbers;
  const absl::StatusOr<Program> program = Compile(gradients, inputs);
  EXPECT_TRUE(program.ok()) << program.status();
  const std::vector<Tensor> results = *CpuEngine::Serial().Prepare(*program)->Run(values);
  for (const Tensor& result : results) {
    const absl::Span<const double> data = *result.Data<double>();
    numbers.emplace_back(data.begin(), data.end());
  }
  return numbers;
}

Tensor Vector(const std::vector<double>& numbers) {
  return *Tensor::FromColMajor<double>({static_cast<int64_t>(numbers.size())}, numbers);
}

using Lists = std::vector<std::vector<double>>;

TEST(Conventions, ScatterMulIsExactAtZeros) {
  const auto multiply = [](In x) -> Out {
    return {Scatter(x[0], Numbers(x[0], {0, 0, 1, 1, 2}), x[1], ScatterKind::kMul,
                    {.update_window_dims = {},
                     .inserted_window_dims = {0},
                     .input_batching_dims = {},
                     .scatter_indices_batching_dims = {},
                     .scatter_dims_to_operand_dims = {0},
                     .index_vector_dim = 1})};
  };
  // Element 0: no zero; 1: one among the updates; 2: x itself. Then two zeros for each.
  EXPECT_EQ(Gradients(multiply, {Vector({2, 3, 0}), Vector({5, 7, 0, 4, 6})}),
            (Lists{{35, 0, 18}, {14, 10, 24, 0, 0}}));
  EXPECT_EQ(Gradients(multiply, {Vector({0, 0, 0}), Vector({5, 7, 0, 4, 0})}), (Lists{{35, 0, 0}, {0, 0, 0, 0, 0}}));
}

TEST(Conventions, ScatterExtremaShareTies) {
  const auto largest = [](In x) -> Out {
    return {Scatter(x[0], Numbers(x[0], {0, 0, 1, 1, 5}), x[1], ScatterKind::kMax,
                    {.update_window_dims = {},
                     .inserted_window_dims = {0},
                     .input_batching_dims = {},
                     .scatter_indices_batching_dims = {},
                     .scatter_dims_to_operand_dims = {0},
                     .index_vector_dim = 1})};
  };
  EXPECT_EQ(Gradients(largest, {Vector({4, 1, 2}), Vector({4, 3, 6, 6, 9})}), (Lists{{0.5, 0, 3}, {0.5, 0, 1, 1, 0}}));
}

TEST(Conventions, ScatterSetGoesToTheLastUpdate) {
  const auto set = [](In x) -> Out { return {PutAlongAxis(x[0], Numbers(x[0], {1, 0, 1, 7}), x[1], 0)}; };
  EXPECT_EQ(Gradients(set, {Vector({4, 1, 2}), Vector({1, 1, 1, 1})}), (Lists{{0, 0, 3}, {0, 1, 2, 0}}));
}

TEST(Conventions, CumulativeExtremaShareTies) {
  const auto largest = [](In x) -> Out { return {CumMax(x[0], 0)}; };
  // Weights 1 … 5; y = 1, 2, 2, 2, 3 comes from {0}, {1}, {1}, {1, 3}, {4}.
  EXPECT_EQ(Gradients(largest, {Vector({1, 2, 0, 2, 3})}), (Lists{{1, 7, 0, 2, 5}}));
}

TEST(Conventions, CumProdIsExactAtZeros) {
  const auto product = [](In x) -> Out { return {CumProd(x[0], 0)}; };
  // y = 2, 0, 0, 0: dy_1/dx_1 = 2, dy_2/dx_1 = 6, dy_3/dx_1 = 0.
  EXPECT_EQ(Gradients(product, {Vector({2, 0, 3, 0})}), (Lists{{1, 22, 0, 0}}));
  // The derivative of the gradient: d²y_2/dx_0 dx_1 = 3 and so on, to third order.
  const absl::Status status = ad::CheckGrads(CpuEngine::Serial(), product, {Vector({2, 0, 3, 0, 1})}, {.order = 3});
  EXPECT_TRUE(status.ok()) << status;
}

TEST(Conventions, CumLogSumExpOfMinusInfinity) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const auto function = [](In x) -> Out { return {CumLogSumExp(x[0], 0)}; };
  EXPECT_EQ(Gradients(function, {Vector({-kInfinity, -kInfinity, 0, -kInfinity})}), (Lists{{0, 0, 7, 0}}));
}

TEST(Conventions, SortMovesTangentsOfTiesInTheirOrder) {
  const auto sort = [](In x) -> Out { return {Sort(x[0], 0)}; };
  EXPECT_EQ(Gradients(sort, {Vector({2, 1, 2, 0})}), (Lists{{3, 2, 4, 1}}));
  const auto descending = [](In x) -> Out { return {Sort(x[0], 0, true)}; };
  EXPECT_EQ(Gradients(descending, {Vector({2, 1, 2, 0})}), (Lists{{1, 3, 2, 4}}));
}

TEST(Conventions, EmptyLinesHaveEmptyDerivatives) {
  const Tensor empty = *Tensor::Zeros(DType::kF64, {2, 0});
  for (const TracedFunction& function : std::vector<TracedFunction>{
           [](In x) -> Out { return {Sort(x[0], 1)}; }, [](In x) -> Out { return {Sort(x[0], 0)}; },
           [](In x) -> Out { return {TopK(x[0], 0, 1).values}; }, [](In x) -> Out { return {CumProd(x[0], 1)}; },
           [](In x) -> Out { return {CumMax(x[0], 1)}; }, [](In x) -> Out { return {CumLogSumExp(x[0], 1)}; },
           [](In x) -> Out { return {IndexSelect(x[0], Numbers(x[0], {}), 1)}; },
           [](In x) -> Out {
             return {DynamicSlice(x[0], {Arg(0), Arg(0)}, {2, 0})};
           }}) {
    EXPECT_EQ(Gradients(function, {empty}), Lists{{}});
  }
}

}  // namespace
}  // namespace tenferro
