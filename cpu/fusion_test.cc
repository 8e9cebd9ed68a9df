// Which loops, copies and bytes a program becomes.

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/barrier.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

Prepared Prepare(absl::Span<const Var> outputs, absl::Span<const Var> inputs) {
  absl::StatusOr<Program> program = Compile(outputs, inputs);
  EXPECT_TRUE(program.ok()) << program.status();
  absl::StatusOr<Prepared> prepared = CpuEngine::Serial().Prepare(*program);
  EXPECT_TRUE(prepared.ok()) << prepared.status();
  return *prepared;
}

// Explain without its first line, which has the sizes.
std::string Instructions(const Prepared& prepared) {
  const std::string text = prepared.Explain();
  return text.substr(text.find('\n') + 1);
}

TEST(FusionTest, ValueAndGradientAreOneLoop) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {1000});
  const Var s = Sin(x), q = x * x;
  const Var value = ReduceSum(s * q);
  const Var left = s * x * 2.0;
  const Var right = Cos(x) * q;
  const Prepared prepared = Prepare({value, left + right}, {x});
  EXPECT_EQ(prepared.arena_bytes(), 0);
  EXPECT_EQ(Instructions(prepared),
            "0: loop over 1000 elements, tile 336, registers 3\n"
            "    r0, r1 = sin and cos %0\n"
            "    r2 = mul %0 %0\n"
            "    c0 = mul r0 r2\n"
            "    r0 = mul r0 %0\n"
            "    r0 = mul r0 %6\n"
            "    r2 = mul r1 r2\n"
            "    %10 = add r0 r2\n"
            "    %4 = reduce_sum c0\n");
}

TEST(FusionTest, SineAndCosineOfAValueAreOneStep) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {5000});
  const Var y = x * 3.0;
  // The cosine first, and what still reads y between them.
  const Var sum = Cos(y) + y * Sin(y);
  const Prepared together = Prepare({sum}, {x});
  EXPECT_NE(together.Explain().find(" = sin and cos "), std::string::npos) << together.Explain();
  // Results in memory stay where they are.
  const Prepared apart = Prepare({Cos(y), y * 2.0, Sin(y)}, {x});
  EXPECT_EQ(apart.Explain().find(" sin and "), std::string::npos) << apart.Explain();
  std::vector<double> numbers(5000);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = 0.01 * static_cast<double>(i) - 20;
  const Tensor input = *Tensor::FromColMajor<double>({5000}, numbers);
  const std::vector<Tensor> results = *together.Run({input}), parts = *apart.Run({input});
  for (int64_t i = 0; i < 5000; ++i) {
    EXPECT_EQ(*results[0].At<double>({i}),
              *parts[0].At<double>({i}) + *parts[1].At<double>({i}) / 2 * *parts[2].At<double>({i}));
  }
}

TEST(FusionTest, MixedDTypesShareALoop) {
  Graph graph;
  const Var x = graph.Input(DType::kF32, {100});
  const Prepared prepared = Prepare({Select(Lt(x, 0.0), Cast(x, DType::kI32), Cast(x * x, DType::kI32))}, {x});
  EXPECT_EQ(prepared.arena_bytes(), 0);
  EXPECT_EQ(Instructions(prepared).find("\n1:"), std::string::npos) << prepared.Explain();
}

TEST(FusionTest, ABroadcastRowIsGatheredAndAScalarFilled) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {30, 40});
  const Var row = graph.Input(DType::kF64, {40});
  const Var scalar = graph.Input(DType::kF64, {});
  const Prepared prepared = Prepare({x * row + scalar}, {x, row, scalar});
  EXPECT_EQ(prepared.arena_bytes(), 0);
  EXPECT_EQ(Instructions(prepared),
            "0: loop over 1200 elements, tile 400, registers 2\n"
            "    fill %5\n"
            "    r0 = gather strides 0 1\n"
            "    r0 = mul %0 r0\n"
            "    %6 = add r0 %5\n");
}

TEST(FusionTest, LeadingReductionsEndALoop) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {100, 50});
  const Prepared prepared = Prepare({ReduceSum(Exp(x), {0}), ReduceMax(Exp(x), {0})}, {x});
  EXPECT_EQ(prepared.arena_bytes(), 0);
  EXPECT_EQ(Instructions(prepared),
            "0: loop over 5000 elements, tile 512, registers 0\n"
            "    c0 = exp %0\n"
            "    %2 = reduce_sum c0\n"
            "    %3 = reduce_max c0\n");
}

TEST(FusionTest, AValueWaitsForTheLoopThatNeedsIt) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {50, 50});
  const Var product = Matmul(x, x);
  const Prepared prepared = Prepare({product * Sin(x)}, {x});
  // The sine is not stored before the product, but made beside it.
  EXPECT_EQ(prepared.arena_bytes(), 0);
  EXPECT_EQ(Instructions(prepared),
            "0: loop over 2500 elements, tile 512, registers 1\n"
            "    %1 = dot_general %0 %0, 50 columns at a time\n"
            "    r0 = sin %0\n"
            "    %3 = mul %1 r0\n");
}

TEST(FusionTest, NoLoopReadsWhatItHasNotFinished) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {50, 50});
  const Var s = Sin(x);
  const Prepared prepared = Prepare({s + Transpose(s)}, {x});
  EXPECT_EQ(prepared.arena_bytes(), 20032);
  EXPECT_EQ(Instructions(prepared),
            "0: loop over 2500 elements, tile 512, registers 0\n"
            "    %1 = sin %0\n"
            "1: loop over 2500 elements, tile 512, registers 1\n"
            "    r0 = gather strides 50 1\n"
            "    %3 = add %1 r0\n");
}

TEST(FusionTest, LargeTranspositionsAreCopiedOnce) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {1000, 1000});
  const Var t = Transpose(x);
  const Prepared prepared = Prepare({Sin(t) + x, ReduceSum(x * t)}, {x});
  const std::string text = Instructions(prepared);
  EXPECT_NE(text.find("copy of %1{offset 0 strides 1000 1}"), std::string::npos) << text;
  EXPECT_EQ(text.find("copy of"), text.rfind("copy of")) << text;
}

TEST(FusionTest, ProductsTakeViewsAndWriteTransposed) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3, 2, 4});
  const Var y = graph.Input(DType::kF64, {3, 5, 4});
  // Both transposed operands and the result's batch axis at the end are strides of one product.
  const Prepared prepared = Prepare({Matmul(Transpose(x, {1, 0, 2}), y)}, {x, y});
  EXPECT_EQ(prepared.arena_bytes(), 0);
  EXPECT_EQ(Instructions(prepared).find("\n1:"), std::string::npos) << prepared.Explain();
  EXPECT_EQ(Instructions(prepared).find("copy"), std::string::npos) << prepared.Explain();
}

TEST(FusionTest, TemporariesTakeOverOneAnothersBytes) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {10000});
  Var y = x;
  // Each reduction forces its operand into memory.
  for (int i = 0; i < 6; ++i) y = Sin(y) * ReduceSum(y);
  // One array of 80000 bytes and a few numbers; the last temporary lives in the output.
  EXPECT_LE(Prepare({y}, {x}).arena_bytes(), 1000);
  EXPECT_LE(Prepare({ReduceSum(y)}, {x}).arena_bytes(), 81000);
}

TEST(FusionTest, ConstantsAreNotSpreadOut) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {1000000});
  const Prepared prepared = Prepare({x * 3.0 + OnesLike(x) * 2.0}, {x});
  EXPECT_EQ(prepared.arena_bytes(), 0);
  EXPECT_EQ(Instructions(prepared).find("\n1:"), std::string::npos) << prepared.Explain();
}

TEST(FusionTest, ALongChainIsOneLoopOfFewRegisters) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {100});
  Var y = x;
  for (int i = 0; i < 20000; ++i) y = Sin(y) + x;
  const Prepared prepared = Prepare({y}, {x});
  EXPECT_EQ(prepared.arena_bytes(), 0);
  EXPECT_EQ(Instructions(prepared).substr(0, 50), "0: loop over 100 elements, tile 112, registers 1\n ");
}

TEST(FusionTest, AReductionThatOnlyABarrierReadsHasBytesOfItsOwn) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {8});
  const Var kept = x * 2.0;
  const Var later = Gt(Barrier({kept}, {ReduceSum(x * 3.0)})[0], 5.0);
  const std::vector<double> numbers = {1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<Tensor> results = *Prepare({later}, {x}).Run({*Tensor::FromColMajor<double>({8}, numbers)});
  for (int64_t i = 0; i < 8; ++i) EXPECT_EQ(*results[0].At<bool>({i}), 2 * numbers[i] > 5);
}

// The sums are written after all products, whose moduli they read: kept until then, these would be eight matrices.
TEST(FusionTest, WhatFreesMemoryRunsAtOnce) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {128, 128});
  std::vector<Var> moduli, largest, outputs;
  Var product = x;
  for (int i = 0; i < 8; ++i) {
    product = Matmul(product, x);
    moduli.push_back(Abs(product));
    largest.push_back(ReduceMax(moduli.back()));
  }
  for (int i = 0; i < 8; ++i) {
    const Var chosen = Eq(moduli[i], BroadcastInDim(largest[i], {128, 128}, {}));
    outputs.push_back(ReduceSum(Select(chosen, moduli[i], ZerosLike(moduli[i]))));
  }
  EXPECT_LE(Prepare(outputs, {x}).arena_bytes(), 3 * 128 * 128 * 8 + 4096);
}

}  // namespace
}  // namespace tenferro
