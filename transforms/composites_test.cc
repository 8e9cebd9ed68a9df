// Functions written with other operations, mapped over a batch: each slice is the function of the slice.
#include <cmath>

#include "gtest/gtest.h"
#include "tenferro/runtime/ops/activations.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/matrix_parts.h"
#include "tenferro/runtime/ops/numbers_for_tests.h"
#include "tenferro/runtime/ops/products.h"
#include "tenferro/runtime/ops/rearrange.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/reductions.h"
#include "tenferro/transforms/vmap.h"

namespace tenferro {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

struct Composite {
  const char* name;
  TracedFunction function;  // of one matrix [3, 4]
};

std::vector<Composite> Composites() {
  return {
      {"mean", [](In x) -> Out { return {Mean(x[0], {1}, KeepDims::kYes)}; }},
      {"variance", [](In x) -> Out { return {Variance(x[0], {0})}; }},
      {"standard_deviation", [](In x) -> Out { return {StandardDeviation(x[0])}; }},
      {"norm", [](In x) -> Out { return {Norm(x[0], {1})}; }},
      {"norm_3", [](In x) -> Out { return {Norm(x[0], {0}, {.order = 3})}; }},
      {"log_sum_exp", [](In x) -> Out { return {LogSumExp(x[0], {0})}; }},
      {"roll",
       [](In x) -> Out {
         return {Roll(x[0], {1, 2}, {0, 1})};
       }},
      {"tile",
       [](In x) -> Out {
         return {Tile(x[0], {2, 1})};
       }},
      {"repeat", [](In x) -> Out { return {Repeat(x[0], 2, 1)}; }},
      {"tril", [](In x) -> Out { return {Tril(x[0])}; }},
      {"trace", [](In x) -> Out { return {Trace(x[0], 1)}; }},
      {"one_hot", [](In x) -> Out { return {OneHot(Cast(x[0], DType::kI32), 3, 1, DType::kF64)}; }},
      {"kron", [](In x) -> Out { return {Kron(x[0], x[0])}; }},
      {"vdot", [](In x) -> Out { return {VDot(x[0], x[0])}; }},
      {"gelu", [](In x) -> Out { return {Gelu(x[0])}; }},
      {"softmax", [](In x) -> Out { return {Softmax(x[0], 1)}; }},
      {"masked_log_softmax", [](In x) -> Out { return {MaskedLogSoftmax(x[0], Gt(x[0], 0), 0)}; }},
      {"layer_norm", [](In x) -> Out { return {LayerNorm(x[0], {0})}; }},
  };
}

std::vector<double> Numbers(int64_t count) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(3 * std::sin(static_cast<double>(5 * i + 1)));
  return numbers;
}

TEST(CompositesMapped, GiveEachSliceItsOwn) {
  constexpr int64_t kSize = 5;
  const Shape shape{3, 4};
  const std::vector<double> numbers = Numbers(kSize * shape.size());
  const Var batch = Now<double>({3, 4, kSize}, numbers);
  for (const Composite& composite : Composites()) {
    const std::vector<Var> mapped = Vmap(composite.function, {batch});
    ASSERT_EQ(mapped.size(), 1) << composite.name;
    const std::vector<double> got = Values<double>(mapped[0]);
    std::vector<double> want;
    for (int64_t b = 0; b < kSize; ++b) {
      const auto first = numbers.begin() + b * shape.size();
      const Var slice = Now<double>(shape, std::vector<double>(first, first + shape.size()));
      const std::vector<double> part = Values<double>(composite.function({slice})[0]);
      want.insert(want.end(), part.begin(), part.end());
    }
    ASSERT_EQ(got.size(), want.size()) << composite.name;
    for (size_t i = 0; i < got.size(); ++i) {
      // The order of a sum depends on the shape.
      EXPECT_TRUE(got[i] == want[i] || std::abs(got[i] - want[i]) <= 1e-14 * std::abs(want[i]))
          << composite.name << ": " << got[i] << ", not " << want[i];
    }
  }
}

}  // namespace
}  // namespace tenferro
