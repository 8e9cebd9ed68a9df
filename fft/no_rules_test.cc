// A program without //fft:autodiff runs transforms, has none of their rules in it (no_rules_test.sh asks the linker's
// table) and says which target brings them.
#include <cstdio>
#include <string>

#include "tenferro/ad/grad.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/fft/fft.h"
#include "tenferro/runtime/function.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"

int main() {
  using namespace tenferro;
  Graph graph;
  const Var x = graph.Input(DType::kF64, {4});
  const Var power = ReduceSum(Square(Abs(fft::Rfft(x, 0))));
  const absl::StatusOr<Prepared> prepared = CpuEngine::Serial().Prepare(*Compile({power}, {x}));
  const absl::StatusOr<std::vector<Tensor>> out =
      prepared->Run({*Tensor::FromColMajor<double>({4}, std::vector<double>{1, 2, 3, 4})});
  std::printf("%s\n", out.ok() ? "runs" : std::string(out.status().message()).c_str());
  std::printf("%s\n", std::string(ad::Grad(power, x).status().message()).c_str());
}
