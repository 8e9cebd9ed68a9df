#include <cstring>
#include <memory>
#include <random>

#include "absl/strings/str_cat.h"
#include "tenferro/experiments/benchmarks/row.h"
#include "tenferro/runtime/ops/cumulative.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/indexing.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/sort.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"

namespace tenferro {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

constexpr int64_t kMillion = 1000000;
constexpr int64_t kIndices = 100000;

std::vector<Tensor> Million() { return {NormalNumbers(DType::kF64, {kMillion})}; }

// Positive, for the logarithm.
std::vector<Tensor> PositiveMillion() {
  Tensor tensor = NormalNumbers(DType::kF64, {kMillion});
  const absl::Span<double> elements = *tensor.MutableData<double>();
  for (double& element : elements) element = std::abs(element) + 0.1;
  return {tensor};
}

Tensor Indices(int64_t count, int64_t below, uint64_t seed = 2) {
  std::mt19937_64 bits(seed);
  std::vector<int64_t> indices(count);
  for (int64_t& index : indices) index = static_cast<int64_t>(bits() % static_cast<uint64_t>(below));
  return *Tensor::FromColMajor<int64_t>({count}, indices);
}

std::vector<Tensor> MillionAndIndices() {
  return {NormalNumbers(DType::kF64, {kMillion}), Indices(kIndices, kMillion),
          NormalNumbers(DType::kF64, {kIndices}, 1)};
}

constexpr int64_t kLines = 10000;
std::vector<Tensor> MatrixAndLines(const Shape& shape) {
  return {NormalNumbers(DType::kF64, shape), Indices(kLines, kLines)};
}

std::vector<Tensor> Integers() { return {Indices(kMillion, 20), Indices(kMillion, 20, 3)}; }

std::function<std::vector<Tensor>()> Numbers(const Shape& shape) {
  return [shape] { return std::vector<Tensor>{NormalNumbers(DType::kF64, shape)}; };
}

template <Var (*kFunction)(const Arg&)>
BenchRow Unary(const char* name) {
  return PreparedRow(absl::StrCat(name, " 1e6"), 1, Million, [](In x) -> Out { return {kFunction(x[0])}; });
}

BenchRow Permutation(const char* name, const Ints& axes, int width) {
  return PreparedRow(absl::StrCat("permute 256x256x64 ", name), width, Numbers({256, 256, 64}),
                     [axes](In x) -> Out { return {Transpose(x[0], axes)}; });
}

// The same bytes as a permutation moves: what the memory can do.
absl::StatusOr<Work> MakeMemcpy() {
  const Tensor from = NormalNumbers(DType::kF64, {256, 256, 64});
  TENFERRO_ASSIGN_OR_RETURN(const Tensor to, Tensor::Zeros(DType::kF64, {256, 256, 64}));
  return Work([from, to] {
    std::memcpy(to.storage()->data(), from.storage()->data(), from.size() * sizeof(double));
    return absl::OkStatus();
  });
}

const ScatterAttributes kElements = {.update_window_dims = {},
                                     .inserted_window_dims = {0},
                                     .input_batching_dims = {},
                                     .scatter_indices_batching_dims = {},
                                     .scatter_dims_to_operand_dims = {0},
                                     .index_vector_dim = 1};

}  // namespace

std::vector<BenchRow> ArrayRows() {
  return {
      PreparedRow(
          "add 1e6", 1,
          [] {
            return std::vector<Tensor>{Million()[0], NormalNumbers(DType::kF64, {kMillion}, 1)};
          },
          [](In x) -> Out { return {x[0] + x[1]}; }),
      Unary<Exp>("exp"),
      PreparedRow("log 1e6", 1, PositiveMillion, [](In x) -> Out { return {Log(x[0])}; }),
      Unary<Sin>("sin"),
      Unary<Tanh>("tanh"),
      PreparedRow("sum 1e6", 1, Million, [](In x) -> Out { return {ReduceSum(x[0])}; }),
      PreparedRow("sum 1000x1000 axis 0", 1, Numbers({1000, 1000}), [](In x) -> Out { return {ReduceSum(x[0], {0})}; }),
      PreparedRow("sum 1000x1000 axis 1", 1, Numbers({1000, 1000}), [](In x) -> Out { return {ReduceSum(x[0], {1})}; }),
      {"memcpy 256x256x64", MakeMemcpy},
      Permutation("210", {2, 1, 0}, 1),
      Permutation("210", {2, 1, 0}, 2),
      Permutation("102", {1, 0, 2}, 1),
      Permutation("102", {1, 0, 2}, 2),
      PreparedRow("gather 1e5", 1, MillionAndIndices,
                  [](In x) -> Out { return {TakeAlongAxis(x[0], x[1], 0, IndexMode::kClamp)}; }),
      PreparedRow("scatter-add 1e5", 1, MillionAndIndices,
                  [](In x) -> Out { return {Scatter(x[0], x[1], x[2], ScatterKind::kAdd, kElements)}; }),
      PreparedRow(
          "gather 1e4 columns of 100x10000", 1,
          [] {
            return MatrixAndLines({100, kLines});
          },
          [](In x) -> Out { return {IndexSelect(x[0], x[1], 1)}; }),
      PreparedRow(
          "gather 1e4 rows of 10000x100", 1,
          [] {
            return MatrixAndLines({kLines, 100});
          },
          [](In x) -> Out { return {IndexSelect(x[0], x[1], 0)}; }),
      PreparedRow("sort 1e6", 1, Million, [](In x) -> Out { return {Sort(x[0], 0)}; }),
      PreparedRow("sort 1e3", 1, Numbers({1000}), [](In x) -> Out { return {Sort(x[0], 0)}; }),
      PreparedRow("sort 1000x1000 axis 0", 1, Numbers({1000, 1000}), [](In x) -> Out { return {Sort(x[0], 0)}; }),
      PreparedRow("sort 1000x1000 axis 1", 1, Numbers({1000, 1000}), [](In x) -> Out { return {Sort(x[0], 1)}; }),
      PreparedRow("argsort 1e6", 1, Million, [](In x) -> Out { return {ArgSort(x[0], 0)}; }),
      PreparedRow("argsort 1e3", 1, Numbers({1000}), [](In x) -> Out { return {ArgSort(x[0], 0)}; }),
      PreparedRow("argmax 1e6", 1, Million, [](In x) -> Out { return {ArgMax(x[0], 0)}; }),
      PreparedRow("cumsum 1e6", 1, Million, [](In x) -> Out { return {CumSum(x[0], 0)}; }),
      PreparedRow("cumsum 1000x1000 axis 0", 1, Numbers({1000, 1000}), [](In x) -> Out { return {CumSum(x[0], 0)}; }),
      PreparedRow("cumsum 1000x1000 axis 1", 1, Numbers({1000, 1000}), [](In x) -> Out { return {CumSum(x[0], 1)}; }),
      PreparedRow("less i64 1e6", 1, Integers, [](In x) -> Out { return {Lt(x[0], x[1])}; }),
      PreparedRow(
          "less f64 1e6", 1,
          [] {
            return std::vector<Tensor>{Million()[0], NormalNumbers(DType::kF64, {kMillion}, 1)};
          },
          [](In x) -> Out { return {Lt(x[0], x[1])}; }),
      PreparedRow("less and select i64 1e6", 1, Integers,
                  [](In x) -> Out { return {Select(Lt(x[0], x[1]), x[0], x[1])}; }),
      PreparedRow("multiply i64 1e6", 1, Integers, [](In x) -> Out { return {x[0] * x[1]}; }),
      PreparedRow("absolute i64 1e6", 1, Integers, [](In x) -> Out { return {Abs(x[0] - 10)}; }),
  };
}

}  // namespace tenferro
