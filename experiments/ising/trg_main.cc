#include "tenferro/experiments/ising/trg_main.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/experiments/flags.h"
#include "tenferro/experiments/ising/results.h"
#include "tenferro/experiments/ising/trg_program.h"
#include "tenferro/experiments/progress.h"
#include "tenferro/experiments/svg_plot.h"
#include "tenferro/experiments/timing.h"
#include "tenferro/tensor/status.h"

namespace tenferro {
namespace {

struct Options {
  int64_t chi = 16;
  int64_t steps = 20;
  std::string schedule = "rank";
  std::vector<double> betas = {0.2, 0.35, 0.44, 0.5, 0.8};
  int64_t repeat = 5;
  std::string svd = "split";
  int64_t threads = 1;
  std::string out;
  std::string plot;
  std::string trace;
};

BondSplit BondSplitOf(const std::string& name) {
  return name == "full" ? BondSplit::kFull : name == "truncated" ? BondSplit::kTruncated : BondSplit::kSplit;
}

absl::StatusOr<std::vector<int64_t>> Ranks(const CpuEngine& engine, const Options& options) {
  if (options.schedule == "full") return FullSchedule(options.chi, options.steps);
  if (options.chi <= 16) return RankSchedule(options.chi, options.steps);
  return MeasuredSchedule(engine, options.chi, options.steps, options.betas);
}

absl::StatusOr<std::unique_ptr<TrgProgram>> MakeProgram(TrgForm form, const CpuEngine& engine, const Options& options) {
  TENFERRO_ASSIGN_OR_RETURN(const std::vector<int64_t> ranks, Ranks(engine, options));
  if (form == TrgForm::kStaged) return StagedTrg::Make(engine, ranks, BondSplitOf(options.svd));
  return WholeTrg::Make(engine, ranks, BondSplitOf(options.svd));
}

// Times both programs at beta; it moves by 1e-9 between repeats, so that nothing can be reused.
absl::StatusOr<IsingResult> Measure(const TrgProgram& program, double beta, int64_t repeat, Timing& value_time,
                                    Timing& gradient_time) {
  absl::Status status;
  TrgProgram::ValueAndGradient found{};
  value_time = TimeRepeats(static_cast<int>(repeat), [&](int i) {
    const absl::StatusOr<double> value = program.Value(beta + 1e-9 * i);
    status.Update(value.status());
  });
  gradient_time = TimeRepeats(static_cast<int>(repeat), [&](int i) {
    const absl::StatusOr<TrgProgram::ValueAndGradient> both = program.ValueAndGrad(beta + 1e-9 * i);
    status.Update(both.status());
    if (i == 0 && both.ok()) found = *both;
  });
  TENFERRO_RETURN_IF_ERROR(status);
  return IsingResult{.beta = beta,
                     .lnz = found.lnz,
                     .dlnz = found.dlnz,
                     .exact = Onsager(beta),
                     .value_ms = 1e3 * value_time.min,
                     .value_and_grad_ms = 1e3 * gradient_time.min};
}

// Energy and specific heat over the range of the betas. The specific heat is a difference of derivatives over 2e-7:
// over more, ln Z jumps where a singular value crosses the cut.
absl::Status WritePlot(const TrgProgram& program, const Options& options) {
  const auto [low, high] = std::minmax_element(options.betas.begin(), options.betas.end());
  const double from = *low == *high ? *low / 2 : *low;
  constexpr int kPoints = 60;
  constexpr double kStep = 1e-7;
  PlotSeries energy{.name = "TRG", .x = {}, .y = {}, .line = false, .points = true};
  PlotSeries exact_energy{.name = "exact", .x = {}, .y = {}};
  PlotSeries heat = energy;
  PlotSeries exact_heat = exact_energy;
  Progress progress("plot", kPoints);
  for (int i = 0; i < kPoints; ++i) {
    const double beta = from + (*high - from) * i / (kPoints - 1);
    TENFERRO_ASSIGN_OR_RETURN(const TrgProgram::ValueAndGradient here, program.ValueAndGrad(beta));
    TENFERRO_ASSIGN_OR_RETURN(const TrgProgram::ValueAndGradient above, program.ValueAndGrad(beta + kStep));
    TENFERRO_ASSIGN_OR_RETURN(const TrgProgram::ValueAndGradient below, program.ValueAndGrad(beta - kStep));
    const IsingExact exact = Onsager(beta);
    for (PlotSeries* series : {&energy, &exact_energy, &heat, &exact_heat}) series->x.push_back(beta);
    energy.y.push_back(-here.dlnz);
    exact_energy.y.push_back(-exact.dlnz);
    heat.y.push_back(beta * beta * (above.dlnz - below.dlnz) / (2 * kStep));
    exact_heat.y.push_back(exact.specific_heat);
    progress.Advance();
  }
  const std::vector<Plot> plots = {{.title = "Energy per site",
                                    .x_label = "inverse temperature",
                                    .y_label = "energy",
                                    .series = {energy, exact_energy}},
                                   {.title = "Specific heat per site",
                                    .x_label = "inverse temperature",
                                    .y_label = "specific heat",
                                    .series = {heat, exact_heat}}};
  return WriteSvg(options.plot, plots);
}

absl::Status Run(TrgForm form, const Options& options) {
  const CpuEngine engine = CpuEngine::WithThreads(static_cast<int>(options.threads));
  TENFERRO_ASSIGN_OR_RETURN(const std::unique_ptr<TrgProgram> program, MakeProgram(form, engine, options));
  const TrgPreparation& times = program->preparation();
  std::printf("trace %.3f ms, derivative %.3f ms, compile %.3f ms, prepare %.3f ms, %lld programs\n", times.trace_ms,
              times.derivative_ms, times.compile_ms, times.prepare_ms, static_cast<long long>(times.programs));
  std::printf("%-6s %-22s %-22s %9s %9s %10s %10s %10s %10s\n", "beta", "lnZ/N", "d(lnZ/N)/dbeta", "-exact", "-exact",
              "value ms", "first", "v+grad ms", "first");
  std::vector<IsingResult> results;
  Progress progress("beta", options.betas.size());
  for (double beta : options.betas) {
    Timing value_time, gradient_time;
    TENFERRO_ASSIGN_OR_RETURN(const IsingResult r, Measure(*program, beta, options.repeat, value_time, gradient_time));
    std::printf("%-6g %-22.17g %-22.17g %9.1e %9.1e %10.3f %10.3f %10.3f %10.3f\n", beta, r.lnz, r.dlnz,
                r.lnz - r.exact.lnz, r.dlnz - r.exact.dlnz, r.value_ms, 1e3 * value_time.first, r.value_and_grad_ms,
                1e3 * gradient_time.first);
    std::fflush(stdout);
    results.push_back(r);
    progress.Advance();
  }
  if (!options.out.empty()) TENFERRO_RETURN_IF_ERROR(WriteCsv(options.out, results));
  if (!options.plot.empty()) TENFERRO_RETURN_IF_ERROR(WritePlot(*program, options));
  if (!options.trace.empty()) TENFERRO_RETURN_IF_ERROR(program->Trace(options.betas.back(), options.trace));
  return absl::OkStatus();
}

}  // namespace

int TrgMain(TrgForm form, int argc, char** argv) {
  Options options;
  Flags flags(
      "ln Z / N of the square-lattice Ising model and its derivative by inverse temperature, with the tensor "
      "renormalisation group.");
  flags.Add("chi", &options.chi, "largest bond dimension");
  flags.Add("steps", &options.steps, "renormalisation steps");
  flags.Add("schedule", &options.schedule, {"rank", "full"},
            "how the bond dimension grows: as the exact rank, or as d^2");
  flags.Add("betas", &options.betas, "inverse temperatures");
  flags.Add("repeat", &options.repeat, "timed repeats after the first run");
  flags.Add("svd", &options.svd, {"split", "truncated", "full"}, "the decomposition that splits a bond");
  flags.Add("threads", &options.threads, "threads of the engine");
  flags.Add("out", &options.out, "CSV file of the table");
  flags.Add("plot", &options.plot, "SVG file of energy and specific heat");
  flags.Add("trace", &options.trace,
            "JSON file of one run of value and gradient at the last beta, for ui.perfetto.dev (trg_whole)");
  flags.ParseOrExit(argc, argv);
  const absl::Status status = Run(form, options);
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  return 1;
}

}  // namespace tenferro
