// Products inside the loops that read them: the same bits as one operation at a time, on any number of threads, over
// old results and over donated arguments.

#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tenferro/cpu/check_program.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/cpu/kernels/isa.h"
#include "tenferro/cpu/random_program.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/activations.h"
#include "tenferro/runtime/ops/barrier.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

constexpr char kFused[] = " columns at a time";

// A graph and numbers for its inputs.
struct Model {
  Graph graph;
  std::vector<Var> inputs;
  std::vector<Tensor> arguments;
  std::mt19937 random{7};

  Var Input(DType dtype, const Shape& shape) { return Input(RandomTensor(dtype, shape, random)); }
  Var Input(const Tensor& tensor) {
    arguments.push_back(tensor);
    inputs.push_back(graph.Input(tensor.dtype(), tensor.shape()));
    return inputs.back();
  }
  // How many products are in loops, after all results have been compared.
  int Check(absl::Span<const Var> outputs, const std::vector<CpuEngine>& engines) {
    const absl::StatusOr<Program> program = Compile(outputs, inputs);
    EXPECT_TRUE(program.ok()) << program.status();
    const absl::Status status = CheckProgram(*program, arguments, engines);
    EXPECT_TRUE(status.ok()) << status;
    const std::string text = engines[0].Prepare(*program)->Explain();
    int count = 0;
    for (size_t at = text.find(kFused); at != std::string::npos; at = text.find(kFused, at + 1)) ++count;
    return count;
  }
  int Check(absl::Span<const Var> outputs) {
    static const auto* const engines = new std::vector<CpuEngine>{CpuEngine::Serial(), CpuEngine::WithThreads(2),
                                                                  CpuEngine::WithThreads(3), CpuEngine::WithThreads(8)};
    return Check(outputs, *engines);
  }
  int64_t ArenaBytes(absl::Span<const Var> outputs) {
    return CpuEngine::Serial().Prepare(*Compile(outputs, inputs))->arena_bytes();
  }
};

struct Sizes {
  int64_t m, n, k;
};
constexpr Sizes kSizes[] = {{1500, 20, 5}, {20, 1500, 5}, {257, 130, 63}, {1024, 512, 7}, {1000, 300, 9},
                            {700, 120, 0}, {1, 5000, 30}, {5000, 1, 30},  {1, 1, 300},    {0, 40, 8},
                            {40, 0, 8},    {5, 6, 7},     {63, 64, 65}};

TEST(FuseProductsTest, EveryDTypeAndShape) {
  for (const DType dtype : {DType::kF32, DType::kF64, DType::kC64, DType::kC128, DType::kI32, DType::kU8}) {
    for (const Sizes& sizes : kSizes) {
      SCOPED_TRACE(absl::StrCat(Name(dtype), " ", sizes.m, " ", sizes.n, " ", sizes.k));
      Model model;
      const Var x = model.Input(dtype, {sizes.m, sizes.k}), w = model.Input(dtype, {sizes.k, sizes.n});
      const Var along_columns = model.Input(dtype, {sizes.n}), along_rows = model.Input(dtype, {sizes.m, 1});
      const Var z = Matmul(x, w) * along_columns + along_rows;
      const bool is_small = sizes.m * sizes.n <= 100 && sizes.m * sizes.n > 0;
      for (const Var& result : {z * z, ReduceSum(z * z)}) {
        const int fused = model.Check({result});
        EXPECT_TRUE(fused == 1 || !is_small);
      }
      model.Check({ReduceProd(z, {0})});
      model.Check({ReduceSum(Matmul(x, w), {0})});
      model.Check({z, ReduceSum(z), Matmul(x, w)});
    }
  }
}

TEST(FuseProductsTest, EveryInstructionSet) {
  for (Isa isa : {Isa::kV2, Isa::kV3, Isa::kV4, Isa::kNeon}) {
    if (!IsSupported(isa)) continue;
    const std::vector<CpuEngine> engines = {CpuEngine::WithThreads(1, isa), CpuEngine::WithThreads(2, isa)};
    for (const DType dtype : {DType::kF32, DType::kF64, DType::kC128}) {
      Model model;
      const Var z = Matmul(model.Input(dtype, {250, 300}), model.Input(dtype, {300, 2120})) + 1.0;
      model.Check({z * z}, engines);
      EXPECT_EQ(model.Check({ReduceSum(z * z, {0})}, engines), 1) << Name(dtype);
    }
  }
}

TEST(FuseProductsTest, AnyLayout) {
  Model model;
  const Var x = model.Input(DType::kF64, {40, 1200}), w = model.Input(DType::kF64, {700, 40});
  const Var b = model.Input(DType::kF64, {700, 1200});
  EXPECT_EQ(model.Check({Relu(Matmul(Transpose(x), Transpose(w)))}), 1);
  // The transposition is the product's own layout.
  EXPECT_EQ(model.Check({Relu(Transpose(Matmul(Transpose(x), Transpose(w))) + b)}), 1);
  EXPECT_EQ(model.Check({ReduceSum(Transpose(Matmul(Transpose(x), Transpose(w))) * b)}), 1);
  // Several axes are rows or columns.
  const Var t = model.Input(DType::kF64, {30, 12, 25}), u = model.Input(DType::kF64, {25, 40, 50});
  EXPECT_EQ(model.Check({Relu(DotGeneral(t, u, {.lhs_contract = {2}, .rhs_contract = {0}}))}), 1);
  // Batches are not one matrix.
  const Var s = model.Input(DType::kF64, {30, 20, 7}), v = model.Input(DType::kF64, {20, 40, 7});
  EXPECT_EQ(model.Check({Relu(Matmul(s, v))}), 0);
}

TEST(FuseProductsTest, NothingIsStoredForAReduction) {
  Model model;
  const Var x = model.Input(DType::kF64, {1024, 20}), w = model.Input(DType::kF64, {20, 1024});
  const Var b = model.Input(DType::kF64, {1024, 1024});
  const Var z = Relu(Matmul(x, w) - b);
  EXPECT_EQ(model.Check({ReduceSum(z)}), 1);
  EXPECT_LE(model.ArenaBytes({ReduceSum(z)}), 1000);
  EXPECT_EQ(model.Check({ReduceMax(z, {0}), Gt(z, 0.5)}), 1);
  EXPECT_LE(model.ArenaBytes({ReduceMax(z, {0}), Gt(z, 0.5)}), 10000);
  // Chunks of a sum that do not end with columns.
  const Var odd = model.Input(DType::kF64, {1000, 20});
  EXPECT_EQ(model.Check({ReduceSum(Relu(Matmul(odd, w)))}), 1);
  // Such columns are made twice, which must not happen to what is stored.
  EXPECT_EQ(model.Check({ReduceSum(Relu(Matmul(odd, w))), Matmul(odd, w)}), 0);
  EXPECT_EQ(model.Check({ReduceSum(Relu(Matmul(odd, w)) * 2.0), Relu(Matmul(odd, w))}), 1);
}

TEST(FuseProductsTest, SeveralProductsInALoop) {
  Model model;
  const Var x = model.Input(DType::kF32, {900, 30}), y = model.Input(DType::kF32, {900, 17});
  const Var v = model.Input(DType::kF32, {30, 1100}), w = model.Input(DType::kF32, {17, 1100});
  const Var b = model.Input(DType::kF32, {1100});
  EXPECT_EQ(model.Check({Relu(Matmul(x, v) + Matmul(y, w) + b)}), 2);
  EXPECT_EQ(model.Check({ReduceSum(Matmul(x, v) * Matmul(y, w), {0})}), 2);
  EXPECT_EQ(model.ArenaBytes({ReduceSum(Matmul(x, v) * Matmul(y, w), {0})}), 0);
  // The same elements as another matrix.
  const Var t = model.Input(DType::kF32, {450, 6}), u = model.Input(DType::kF32, {6, 2200});
  EXPECT_EQ(model.Check({Matmul(x, v) + Reshape(Matmul(t, u), {900, 1100})}), 1);
}

TEST(FuseProductsTest, OthersMayNeedTheProduct) {
  Model model;
  const Var x = model.Input(DType::kF64, {600, 30}), w = model.Input(DType::kF64, {30, 600});
  const Var z = Matmul(x, w);
  EXPECT_EQ(model.Check({Relu(z), z}), 1);
  EXPECT_EQ(model.Check({Relu(z), Matmul(z, Transpose(w))}), 1);
  EXPECT_EQ(model.Check({Relu(z), Transpose(z)}), 1);
  // A loop that reads elements before they are made.
  EXPECT_EQ(model.Check({z + Transpose(z)}), 0);
  EXPECT_EQ(model.Check({Relu(z), ReduceSum(z, {1})}), 1);
  // Part of a product, beside an output that is also a part.
  EXPECT_EQ(model.Check({Relu(Slice(z, {0, 0}, {300, 600}, {1, 1})), Slice(z, {0, 1}, {600, 2}, {1, 1})}), 0);
}

TEST(FuseProductsTest, TheOperandsOutliveTheLoop) {
  Model model;
  // Each result has the size of an operand that nobody reads later.
  const Var x = model.Input(DType::kF64, {64, 4096}), w = model.Input(DType::kF64, {64, 64});
  EXPECT_EQ(model.Check({Tanh(Matmul(w, x) + x)}), 1);
  const Var y = Tanh(x * 2.0);
  EXPECT_EQ(model.Check({Tanh(Matmul(w, y) + y)}), 1);
  const Var u = model.Input(DType::kF64, {100, 100}), v = model.Input(DType::kF64, {100, 100});
  EXPECT_EQ(model.Check({Tanh(Matmul(u, v) + u)}), 1);
  EXPECT_EQ(model.Check({Tanh(Matmul(u, u) + u)}), 1);
  const Var h = Tanh(u * 2.0);
  EXPECT_EQ(model.Check({Tanh(Matmul(h, v) + h)}), 1);
  EXPECT_EQ(model.Check({Tanh(Matmul(v, h) + h), ReduceSum(Matmul(v, h) * h)}), 1);
  Var state = u;
  for (int i = 0; i < 4; ++i) state = Tanh(Matmul(state, v) + state);
  EXPECT_EQ(model.Check({state}), 4);
  const Var a = model.Input(DType::kF64, {512, 64}), b = model.Input(DType::kF64, {64, 512});
  const Var outer = Matmul(a, b);
  EXPECT_EQ(model.Check({Tanh(outer) + model.Input(DType::kF64, {512, 512})}), 1);
}

TEST(FuseProductsTest, ABarrierHoldsItsReadersBack) {
  Model model;
  const Var x = model.Input(DType::kF64, {60, 60}), w = model.Input(DType::kF64, {60, 60});
  const Var z = Matmul(x, w);
  const Var later = Barrier({x}, {z})[0];
  model.Check({Relu(z) + later});
  model.Check({Relu(z), Matmul(later, w) + 1.0});
  model.Check({ReduceSum(Barrier({z}, {ReduceSum(Relu(x))})[0] * 2.0)});
}

// Elements whose row and column are of different parities are 0, and some columns.
Tensor Checkered(int64_t rows, int64_t columns) {
  std::vector<double> numbers(rows * columns, 0.0);
  for (int64_t i = 0; i < rows * columns; ++i) {
    if ((i % rows + i / rows) % 2 == 0 && i / rows % 11 != 3) numbers[i] = static_cast<double>(i % 97) - 48;
  }
  return *Tensor::FromColMajor<double>({rows, columns}, numbers);
}

TEST(FuseProductsTest, BlocksOfZerosAreFound) {
  Model model;
  const Var x = model.Input(Checkered(1024, 64)), w = model.Input(Checkered(64, 1024));
  const Var z = Matmul(x, w) * 0.1;
  EXPECT_EQ(model.Check({Tanh(z)}), 1);
  EXPECT_EQ(model.Check({ReduceSum(Tanh(z))}), 1);
  EXPECT_EQ(model.Check({ReduceSum(Tanh(z)), Matmul(x, w)}), 1);
}

}  // namespace
}  // namespace tenferro
