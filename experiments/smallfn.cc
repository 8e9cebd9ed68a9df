#include <cstdio>
#include <string>

#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/experiments/file.h"
#include "tenferro/experiments/flags.h"
#include "tenferro/experiments/small_function.h"
#include "tenferro/experiments/timing.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/tensor/status.h"

namespace {

using namespace tenferro;

struct Options {
  int64_t n = 1000;
  std::string what = "all";
  int64_t repeat = 200;
  int64_t threads = 1;
  std::string out;
};

// Times one of the four and prints its line; the values come back for --out.
absl::StatusOr<Tensor> Measure(const std::string& what, const Options& options) {
  const CpuEngine engine = CpuEngine::WithThreads(static_cast<int>(options.threads));
  Graph graph;
  const Shape shape{options.n};
  const Var x = graph.Input(DType::kF64, shape);
  const Var v = graph.Input(DType::kF64, shape);
  const Var result = what == "value"  ? SmallFunction(x)
                     : what == "grad" ? SmallFunctionGrad(x)
                     : what == "jvp"  ? SmallFunctionJvp(x, v)
                                      : SmallFunctionHvp(x, v);
  TENFERRO_ASSIGN_OR_RETURN(const Program program, Compile({result}, {x, v}));
  TENFERRO_ASSIGN_OR_RETURN(const Prepared prepared, engine.Prepare(program));
  TENFERRO_ASSIGN_OR_RETURN(const Tensor xs, Tensor::FromColMajor<double>(shape, SmallFunctionPoints(options.n)));
  TENFERRO_ASSIGN_OR_RETURN(const Tensor vs, Tensor::FromColMajor<double>(shape, SmallFunctionDirection(options.n)));
  std::vector<Tensor> outputs(1);
  absl::Status status;
  const Timing timing = TimeRepeats(static_cast<int>(options.repeat), [&](int) {
    status.Update(prepared.RunInto({xs, vs}, absl::MakeSpan(outputs)));
  });
  TENFERRO_RETURN_IF_ERROR(status);
  TENFERRO_ASSIGN_OR_RETURN(const absl::Span<const double> values, outputs[0].Data<double>());
  double sum = 0;
  for (double value : values) sum += value;
  std::printf("%s %lld %lld %.3f %.3f %.17g\n", what.c_str(), static_cast<long long>(options.n),
              static_cast<long long>(options.threads), 1e6 * timing.min, 1e6 * timing.median, sum);
  return outputs[0];
}

absl::Status Run(const Options& options) {
  const std::vector<std::string> all = {"value", "grad", "jvp", "hvp"};
  std::string text;
  for (const std::string& what : options.what == "all" ? all : std::vector<std::string>{options.what}) {
    TENFERRO_ASSIGN_OR_RETURN(const Tensor result, Measure(what, options));
    TENFERRO_ASSIGN_OR_RETURN(const absl::Span<const double> values, result.Data<double>());
    for (double value : values) {
      char line[32];
      std::snprintf(line, sizeof line, "%.17g\n", value);
      text += line;
    }
  }
  return options.out.empty() ? absl::OkStatus() : WriteFile(options.out, text);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  Flags flags(
      "Times f(x) = sum sin(x) x^2 and its derivatives: what, n, threads, min and median microseconds, sum of the "
      "result.");
  flags.Add("n", &options.n, "number of points in [-2, 2]");
  flags.Add("what", &options.what, {"grad", "jvp", "hvp", "value", "all"}, "what to compute");
  flags.Add("repeat", &options.repeat, "timed repeats after the first run");
  flags.Add("threads", &options.threads, "threads of the engine");
  flags.Add("out", &options.out, "file for the results, one value a line");
  flags.ParseOrExit(argc, argv);
  const absl::Status status = Run(options);
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  return 1;
}
