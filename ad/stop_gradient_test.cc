#include "tenferro/ad/stop_gradient.h"

#include "gtest/gtest.h"
#include "tenferro/ad/grad.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"

namespace tenferro {
namespace {

TEST(StopGradient, IsAConstantToDerivativesAndNothingInTheProgram) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2});
  const Var g = ad::Grad(ReduceSum(x * ad::StopGradient(x * x)), x);
  const Program program = *Compile({g}, {x});
  EXPECT_EQ(program.ToString().find("= stop_gradient"), std::string::npos);
  const Prepared prepared = *CpuEngine::Serial().Prepare(program);
  EXPECT_EQ((*prepared.Run({*Tensor::FromColMajor<double>({2}, {2, 3})}))[0].ToString(), "[4. 9.]");
}

TEST(StopGradient, AloneLeavesNoDerivative) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2});
  const Var loss = ReduceSum(ad::StopGradient(x));
  EXPECT_NE(std::string(ad::Grad(loss, x).status().message())
                .find("(it passes through stop_gradient: the derivative was to stop there)"),
            std::string::npos);
  EXPECT_TRUE(ad::GradOptional(loss, {x})[0].empty());
}

TEST(StopGradient, OfNumbersAndIntegers) {
  const Var x = Immediate(CpuEngine::Serial(), *Tensor::FromColMajor<int64_t>({2}, {2, 3}));
  EXPECT_EQ(ad::StopGradient(x).ToTensor()->ToString(), "[2 3]");
}

}  // namespace
}  // namespace tenferro
