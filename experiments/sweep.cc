// How times grow with size: the small function with its number of points, the transforms with the depth of a chain of
// decompositions and the steps of the TRG. Writes tables to stdout and plots with logarithmic axes.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>
#include <string>

#include "tenferro/ad/grad.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/experiments/flags.h"
#include "tenferro/experiments/ising/trg.h"
#include "tenferro/experiments/small_function.h"
#include "tenferro/experiments/svd_chain.h"
#include "tenferro/experiments/svg_plot.h"
#include "tenferro/experiments/timing.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/tensor/status.h"

namespace {

using namespace tenferro;

struct Options {
  std::string out;
  double seconds = 0.3;
  int64_t threads = 1;
};

// The least time of runs for about `seconds`, three at least.
absl::StatusOr<double> LeastSeconds(double seconds, const std::function<absl::Status()>& run) {
  TENFERRO_RETURN_IF_ERROR(run());
  absl::Status status;
  double least = std::numeric_limits<double>::infinity(), total = 0;
  for (int i = 0; i < 3 || total < seconds; ++i) {
    const double time = TimeOnce([&] { status.Update(run()); });
    total += time;
    least = std::min(least, time);
  }
  TENFERRO_RETURN_IF_ERROR(status);
  return least;
}

absl::StatusOr<Plot> SweepSmallFunction(const CpuEngine& engine, double seconds) {
  PlotSeries value{.name = "value", .x = {}, .y = {}, .line = true, .points = true};
  PlotSeries gradient{.name = "gradient", .x = {}, .y = {}, .line = true, .points = true};
  std::printf("n value_us grad_us ns_per_point\n");
  for (int64_t n = 100; n <= 10000000; n *= 10) {
    TENFERRO_ASSIGN_OR_RETURN(const Tensor points, Tensor::FromColMajor<double>({n}, SmallFunctionPoints(n)));
    double microseconds[2];
    for (const bool grad : {false, true}) {
      Graph graph;
      const Var x = graph.Input(DType::kF64, {n});
      TENFERRO_ASSIGN_OR_RETURN(const Program program,
                                Compile({grad ? SmallFunctionGrad(x) : SmallFunction(x)}, {x}));
      TENFERRO_ASSIGN_OR_RETURN(const Prepared prepared, engine.Prepare(program));
      std::vector<Tensor> outputs(1);
      TENFERRO_ASSIGN_OR_RETURN(
          const double time, LeastSeconds(seconds, [&] { return prepared.RunInto({points}, absl::MakeSpan(outputs)); }));
      microseconds[grad] = 1e6 * time;
      (grad ? gradient : value).x.push_back(static_cast<double>(n));
      (grad ? gradient : value).y.push_back(microseconds[grad]);
    }
    std::printf("%lld %.2f %.2f %.2f\n", static_cast<long long>(n), microseconds[0], microseconds[1],
                1e3 * microseconds[1] / static_cast<double>(n));
    std::fflush(stdout);
  }
  return Plot{.title = "Sum of sin(x) x^2",
              .x_label = "points",
              .y_label = "microseconds",
              .log_x = true,
              .log_y = true,
              .series = {value, gradient}};
}

// A model of some depth: its input and its value.
using Model = std::function<Var(Graph& graph, int64_t depth, Var* input)>;

absl::StatusOr<Plot> SweepDepth(const CpuEngine& engine, double seconds, const std::string& title, const Tensor& at,
                                const Model& model) {
  PlotSeries preparation{.name = "trace, gradient, compile, prepare", .x = {}, .y = {}, .line = true, .points = true};
  PlotSeries run{.name = "run with gradient", .x = {}, .y = {}, .line = true, .points = true};
  std::printf("\n%s\ndepth prepare_ms run_ms operations\n", title.c_str());
  for (const int64_t depth : {2, 3, 5, 10, 20, 40}) {
    absl::StatusOr<Prepared> prepared = absl::UnknownError("");
    size_t nodes = 0;
    TENFERRO_ASSIGN_OR_RETURN(const double preparing, LeastSeconds(seconds, [&]() -> absl::Status {
                                Graph graph;
                                Var input;
                                const Var loss = model(graph, depth, &input);
                                TENFERRO_ASSIGN_OR_RETURN(const Program program,
                                                          Compile({loss, ad::Grad(loss, input)}, {input}));
                                nodes = program.nodes().num_nodes();
                                prepared = engine.Prepare(program);
                                return prepared.status();
                              }));
    std::vector<Tensor> outputs(2);
    TENFERRO_ASSIGN_OR_RETURN(const double running, LeastSeconds(seconds, [&] {
                                return prepared->RunInto({at}, absl::MakeSpan(outputs));
                              }));
    std::printf("%lld %.3f %.3f %zu\n", static_cast<long long>(depth), 1e3 * preparing, 1e3 * running, nodes);
    std::fflush(stdout);
    for (PlotSeries* series : {&preparation, &run}) series->x.push_back(static_cast<double>(depth));
    preparation.y.push_back(1e3 * preparing);
    run.y.push_back(1e3 * running);
  }
  return Plot{.title = title,
              .x_label = "depth",
              .y_label = "milliseconds",
              .log_x = true,
              .log_y = true,
              .series = {preparation, run}};
}

absl::Status Run(const Options& options) {
  const CpuEngine engine = CpuEngine::WithThreads(static_cast<int>(options.threads));
  TENFERRO_ASSIGN_OR_RETURN(const Plot points, SweepSmallFunction(engine, options.seconds));
  std::vector<double> matrix = {0.9, 0.1, -0.3, 0.2, 0.7, 0.4, -0.1, 0.5, 1.3};
  TENFERRO_ASSIGN_OR_RETURN(const Tensor y, Tensor::FromColMajor<double>({3, 3}, matrix));
  TENFERRO_ASSIGN_OR_RETURN(
      const Plot chain,
      SweepDepth(engine, options.seconds, "Chain of 3x3 singular value decompositions", y,
                 [](Graph& graph, int64_t depth, Var* input) {
                   *input = graph.Input(DType::kF64, {3, 3});
                   return SvdChain(*input, depth);
                 }));
  TENFERRO_ASSIGN_OR_RETURN(
      const Plot trg,
      SweepDepth(engine, options.seconds, "TRG steps, bond dimension 16", Tensor::Scalar(0.44),
                 [](Graph& graph, int64_t depth, Var* input) {
                   *input = graph.Input(DType::kF64, {});
                   return LogPartitionPerSite(*input, RankSchedule(16, depth), BondSplit::kSplit);
                 }));
  if (options.out.empty()) return absl::OkStatus();
  TENFERRO_RETURN_IF_ERROR(WriteSvg(options.out + "/small_function.svg", {points}));
  return WriteSvg(options.out + "/depth.svg", {chain, trg});
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  Flags flags("How times grow: the small function with its points, gradients with depth.");
  flags.Add("seconds", &options.seconds, "about how long to repeat each measurement");
  flags.Add("threads", &options.threads, "threads of the engine");
  flags.Add("out", &options.out, "folder for small_function.svg and depth.svg");
  flags.ParseOrExit(argc, argv);
  const absl::Status status = Run(options);
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  return 1;
}
