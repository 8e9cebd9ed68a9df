// The best of all paths through a chain of transitions, and which of the transitions it uses: its gradient.
#include <cstdio>

#include "tenferro/ad/grad.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"
#include "tropical.h"

using namespace tenferro;

absl::Status Run() {
  Graph graph;
  const Var first = graph.Input(DType::kF64, {1, 2}), step = graph.Input(DType::kF64, {2, 2}),
            last = graph.Input(DType::kF64, {2, 1});
  const Var two_steps = tropical_product({tropical_product({first, step})[0], step})[0];
  const Var best = Reshape(tropical_product({two_steps, last})[0], {});
  TENFERRO_ASSIGN_OR_RETURN(const Program program, Compile({best, ad::Grad(best, step)}, {first, step, last}));
  TENFERRO_ASSIGN_OR_RETURN(const Prepared prepared, CpuEngine::Serial().Prepare(program));
  TENFERRO_ASSIGN_OR_RETURN(const Tensor start, Tensor::FromRowMajor<double>({1, 2}, {0.5, 1}));
  TENFERRO_ASSIGN_OR_RETURN(const Tensor scores, Tensor::FromRowMajor<double>({2, 2}, {1, 3, 2.5, 0}));
  TENFERRO_ASSIGN_OR_RETURN(const Tensor end, Tensor::FromRowMajor<double>({2, 1}, {0, 1}));
  TENFERRO_ASSIGN_OR_RETURN(const std::vector<Tensor> out, prepared.Run({start, scores, end}));
  std::printf("best score %s, transitions used:\n%s\n", out[0].ToString().c_str(), out[1].ToString().c_str());
  return absl::OkStatus();
}

int main() {
  const absl::Status status = Run();
  if (!status.ok()) std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  return status.ok() ? 0 : 1;
}
