#include <algorithm>
#include <cstdio>
#include <string>

#include "tenferro/ad/grad.h"
#include "tenferro/experiments/flags.h"
#include "tenferro/experiments/svd_chain.h"
#include "tenferro/experiments/timing.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/program.h"
#include "tenferro/tensor/status.h"

namespace {

using namespace tenferro;

absl::Status Measure(int64_t layers) {
  constexpr int kRepeat = 3;
  double trace = 1e99, grad = 1e99, compile = 1e99;
  size_t value_ops = 0, all_ops = 0;
  for (int i = 0; i < kRepeat; ++i) {
    Graph graph;
    const Var y = graph.Input(DType::kF64, {3, 3});
    Var loss, gradient;
    trace = std::min(trace, TimeOnce([&] { loss = SvdChain(y, layers); }));
    value_ops = graph.num_nodes();
    grad = std::min(grad, TimeOnce([&] { gradient = ad::Grad(loss, y); }));
    all_ops = graph.num_nodes();
    absl::Status status;
    compile = std::min(compile, TimeOnce([&] { status = Compile({gradient}, {y}).status(); }));
    TENFERRO_RETURN_IF_ERROR(status);
  }
  std::printf("%lld %.3f %.3f %.3f %zu %zu\n", static_cast<long long>(layers), 1e3 * trace, 1e3 * grad, 1e3 * compile,
              value_ops, all_ops - value_ops);
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<int64_t> layers = {8, 9, 10, 11, 12, 13};
  int64_t threads = 1;
  Flags flags(
      "How the cost of the derivative transform grows with the depth of a chain of 3x3 decompositions; nothing is "
      "run.");
  flags.Add("layers", &layers, "numbers of layers");
  flags.Add("threads", &threads, "accepted for uniformity; building a graph takes one thread");
  flags.ParseOrExit(argc, argv);
  std::printf("n trace_ms grad_ms compile_ms ops_value ops_grad\n");
  for (int64_t n : layers) {
    if (const absl::Status status = Measure(n); !status.ok()) {
      std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
      return 1;
    }
  }
  return 0;
}
