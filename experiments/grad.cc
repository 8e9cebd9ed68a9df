// The gradient of Σ sin(x)·x² at 1000 points of [−2, 2]: the smallest whole program, and the yardstick of size and
// start-up, hence without a flags library or streams.
#include "tenferro/ad/grad.h"

#include <chrono>
#include <cstdio>
#include <vector>

#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/tensor/status.h"

namespace {

using namespace tenferro;
using Clock = std::chrono::steady_clock;

double Milliseconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

absl::Status Run(const char* out_path) {
  constexpr int kPoints = 1000;
  std::vector<double> points(kPoints);
  for (int i = 0; i < kPoints; ++i) points[i] = -2.0 + 4.0 * i / (kPoints - 1);
  TENFERRO_ASSIGN_OR_RETURN(const Tensor xs, Tensor::FromColMajor<double>({kPoints}, points));

  const Clock::time_point start = Clock::now();
  Graph graph;
  const Var x = graph.Input(DType::kF64, {kPoints});
  const Var gradient = ad::Grad(ReduceSum(Sin(x) * (x * x)), x);
  TENFERRO_ASSIGN_OR_RETURN(const Program program, Compile({gradient}, {x}));
  const Clock::time_point compiled = Clock::now();
  const CpuEngine engine = CpuEngine::Serial();
  TENFERRO_ASSIGN_OR_RETURN(const Prepared prepared, engine.Prepare(program));
  const Clock::time_point ready = Clock::now();
  TENFERRO_ASSIGN_OR_RETURN(const std::vector<Tensor> outputs, prepared.Run({xs}));
  const Clock::time_point ran = Clock::now();

  TENFERRO_ASSIGN_OR_RETURN(const absl::Span<const double> values, outputs[0].Data<double>());
  double sum = 0;
  for (double value : values) sum += value;
  std::printf("grad[0] = %.15f, sum(grad) = %.15f\n", values[0], sum);
  std::printf("trace+grad+compile %.3f ms, +prepare %.3f ms, +first run %.3f ms\n", Milliseconds(start, compiled),
              Milliseconds(compiled, ready), Milliseconds(ready, ran));
  if (out_path == nullptr) return absl::OkStatus();
  std::FILE* const file = std::fopen(out_path, "w");
  if (file == nullptr) return absl::UnavailableError("cannot write the output file");
  for (double value : values) std::fprintf(file, "%.17e\n", value);
  if (std::fclose(file) != 0) return absl::UnavailableError("cannot write the output file");
  return absl::OkStatus();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2) {
    std::fputs("usage: grad [OUT]\n", stderr);
    return 2;
  }
  const absl::Status status = Run(argc == 2 ? argv[1] : nullptr);
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  return 1;
}
