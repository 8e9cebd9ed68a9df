// Gradient descent on a function of two variables, in a repository of its own that depends on tenferro.
#include <cstdio>

#include "tenferro/ad/grad.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"

using namespace tenferro;

absl::Status Run() {
  Graph graph;
  const Var p = graph.Input(DType::kF64, {2});
  const Var x = Slice(p, {0}, {1}), y = Slice(p, {1}, {2});
  const Var loss = ReduceSum(Square(1.0 - x) + 100.0 * Square(y - x * x));
  const Var next = p - 1e-3 * ad::Grad(loss, p);
  TENFERRO_ASSIGN_OR_RETURN(const Program program, Compile({next, loss}, {p}));
  TENFERRO_ASSIGN_OR_RETURN(const Prepared step, CpuEngine::Serial().Prepare(program));
  TENFERRO_ASSIGN_OR_RETURN(Tensor point, Tensor::Zeros(DType::kF64, {2}));
  for (int i = 0; i < 50000; ++i) {
    TENFERRO_ASSIGN_OR_RETURN(const std::vector<Tensor> out, step.Run({point}));
    point = out[0];
  }
  std::printf("minimum at %s\n", point.ToString().c_str());
  return absl::OkStatus();
}

int main() {
  const absl::Status status = Run();
  if (!status.ok()) std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  return status.ok() ? 0 : 1;
}
