#include <sys/resource.h>

#include <cmath>

#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/function.h"
#include "tenferro/runtime/ops/call.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"

namespace tenferro {
namespace {

Tensor Numbers(std::vector<double> data) {
  return *Tensor::FromColMajor<double>({static_cast<int64_t>(data.size())}, data);
}

TEST(Immediate, ComputesAtOnce) {
  const CpuEngine engine = CpuEngine::Serial();
  const Var x = Immediate(engine, Numbers({1, 2, 3}));
  const Var y = ReduceSum(x * x + 1);
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_EQ(*y.ToTensor()->Item<double>(), 17);
}

TEST(Immediate, ErrorsComeAtOnceToo) {
  const CpuEngine engine = CpuEngine::Serial();
  const Var x = Immediate(engine, Numbers({1, 2, 3}));
  const Var bad = Matmul(x, x);
  EXPECT_NE(std::string(bad.status().message()).find("immediate_test.cc:"), std::string::npos);
  EXPECT_FALSE((bad + 1).ToTensor().ok());
}

TEST(Immediate, CallsRunTheFunction) {
  const CpuEngine engine = CpuEngine::Serial();
  const Var x = Immediate(engine, Numbers({1, 2, 3}));
  const Var y = Call({x}, [&](absl::Span<const Var> in) -> std::vector<Var> { return {in[0] * x}; })[0];
  EXPECT_EQ(y.ToTensor()->ToString(), "[1. 4. 9.]");
}

TEST(Immediate, NumbersGoIntoGraphsAsConstants) {
  const CpuEngine engine = CpuEngine::Serial();
  const Var number = Immediate(engine, Numbers({1, 2, 3}));
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const Prepared prepared = *engine.Prepare(*Compile({number * x}, {x}));
  EXPECT_EQ((*prepared.Run({Numbers({4, 5, 6})}))[0].ToString(), "[ 4. 10. 18.]");
}

TEST(Immediate, AMillionOperationsHoldFlatMemory) {
  const CpuEngine engine = CpuEngine::Serial();
  const auto peak_kib = [] {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  };
  Var x = Immediate(engine, Numbers({0.5, 0.25}));
  for (int i = 0; i < 10000; ++i) x = Cos(x);
  const long before = peak_kib();
  for (int i = 0; i < 1000000; ++i) x = Cos(x);
#ifdef __SANITIZE_ADDRESS__
  constexpr long kAllowed = 400 * 1024;  // freed memory stays in quarantine; a million tensors would be more
#else
  constexpr long kAllowed = 2048;
#endif
  EXPECT_LT(peak_kib() - before, kAllowed);
  const Tensor fixed_point = *x.ToTensor();
  EXPECT_NEAR(*fixed_point.At<double>({0}), 0.7390851332151607, 1e-15);
}

TEST(Function, CompilesOnceForEachSignature) {
  const CpuEngine engine = CpuEngine::Serial();
  int traces = 0;
  const Function f = Compile(engine, [&](absl::Span<const Var> in) -> std::vector<Var> {
    ++traces;
    return {ReduceSum(Sin(in[0]))};
  });
  for (int i = 0; i < 3; ++i) {
    const absl::StatusOr<Tensor> sum = f.Call1({Numbers({0, 1})});
    ASSERT_TRUE(sum.ok()) << sum.status();
    EXPECT_NEAR(*sum->Item<double>(), std::sin(1.0), 1e-15);
  }
  EXPECT_EQ(traces, 1);
  EXPECT_TRUE(f({Numbers({0, 1, 2})}).ok());
  EXPECT_EQ(traces, 2);
  EXPECT_EQ(f.cache_statistics().hits, 2);
  EXPECT_EQ(f.cache_statistics().misses, 2);
}

TEST(Function, KeepsABoundedNumberOfSignatures) {
  const Function f(
      CpuEngine::Serial(), [](absl::Span<const Var> in) -> std::vector<Var> { return {in[0] + 1}; }, 2);
  for (int64_t n : {1, 2, 3, 1}) EXPECT_TRUE(f({*Tensor::Zeros(DType::kF64, {n})}).ok());
  EXPECT_EQ(f.cache_statistics().evictions, 2);
  EXPECT_EQ(f.cache_statistics().misses, 4);
}

TEST(Function, RefusesAnEmptyFunction) {
  EXPECT_EQ(Compile(CpuEngine::Serial(), nullptr)({}).status().message(), "function: the function is empty");
}

TEST(Function, Call1WantsOneOutput) {
  const Function f = Compile(CpuEngine::Serial(), [](absl::Span<const Var> in) -> std::vector<Var> {
    return {in[0], in[0] + 1};
  });
  EXPECT_EQ(f.Call1({Numbers({1})}).status().message(), "Call1: the function has 2 outputs");
}

}  // namespace
}  // namespace tenferro
