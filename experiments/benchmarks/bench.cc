// This project's figures beside its peers'.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <regex>
#include <thread>

#include "absl/strings/str_cat.h"
#include "benchmark/benchmark.h"
#include "tenferro/experiments/benchmarks/delivery.h"
#include "tenferro/experiments/benchmarks/figures.h"
#include "tenferro/experiments/benchmarks/row.h"
#include "tenferro/experiments/file.h"
#include "tenferro/experiments/flags.h"
#include "tenferro/experiments/progress.h"
#include "tenferro/experiments/timing.h"
#include "tenferro/tensor/status.h"

namespace {

using namespace tenferro;

struct Options {
  std::string filter = ".";
  std::string peers;
  std::string out;
  int64_t repetitions = 5;
  double seconds = 0.5;
};

// Short, so that on a busy machine some of them go undisturbed.
constexpr double kWindowSeconds = 2e-3;
constexpr int64_t kMostRepetitions = 250;

// Keeps the least of the repetitions' mean times.
class LeastTime final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration || run.iterations == 0) continue;
      least_ = std::min(least_, run.real_accumulated_time / static_cast<double>(run.iterations));
    }
  }
  double microseconds() const { return 1e6 * least_; }

 private:
  double least_ = std::numeric_limits<double>::infinity();
};

absl::StatusOr<Measured> MeasureRow(const BenchRow& row, const Options& options) {
  absl::StatusOr<Work> work = row.make();
  TENFERRO_RETURN_IF_ERROR(work.status());
  absl::Status status = (*work)();
  TENFERRO_RETURN_IF_ERROR(status);
  const double once = TimeOnce([&] { status.Update((*work)()); });
  const double affordable = options.seconds / std::max(once, kWindowSeconds);
  const int64_t repetitions =
      std::max(options.repetitions, static_cast<int64_t>(std::min<double>(affordable, kMostRepetitions)));
  benchmark::RegisterBenchmark(row.name.c_str(),
                               [&](benchmark::State& state) {
                                 for (auto _ : state) status.Update((*work)());
                               })
      ->UseRealTime()
      ->MinTime(kWindowSeconds)
      ->Repetitions(static_cast<int>(repetitions));
  LeastTime time;
  benchmark::RunSpecifiedBenchmarks(&time);
  benchmark::ClearRegisteredBenchmarks();
  TENFERRO_RETURN_IF_ERROR(status);
  return Measured{row.name, time.microseconds(), row.flops};
}

// Where this program lies: the others that it starts lie beside it.
std::string OwnFolder() {
  char path[4096];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  const std::string whole(path, length > 0 ? static_cast<size_t>(length) : 0);
  return whole.substr(0, whole.rfind('/'));
}

std::string Processor() {
  const absl::StatusOr<std::string> info = ReadFile("/proc/cpuinfo");
  const std::string key = "model name\t: ";
  const size_t at = info.ok() ? info->find(key) : std::string::npos;
  if (at == std::string::npos) return "unknown processor";
  const size_t from = at + key.size();
  return info->substr(from, info->find('\n', from) - from);
}

absl::Status Run(const Options& options) {
  const std::regex filter(options.filter);
  const auto wanted = [&](const std::string& name) { return std::regex_search(name, filter); };

  std::vector<Figure> figures(PublishedFigures().begin(), PublishedFigures().end());
  if (!options.peers.empty()) {
    TENFERRO_ASSIGN_OR_RETURN(const std::string csv, ReadFile(options.peers));
    TENFERRO_ASSIGN_OR_RETURN(const std::vector<Figure> here, ParseFigures(csv));
    figures.insert(figures.end(), here.begin(), here.end());
  }

  const std::vector<BenchRow> rows = AllRows();
  std::vector<Measured> measured;
  Progress progress("rows", static_cast<int64_t>(rows.size()));
  for (const BenchRow& row : rows) {
    if (wanted(row.name)) {
      TENFERRO_ASSIGN_OR_RETURN(Measured result, MeasureRow(row, options));
      measured.push_back(std::move(result));
    }
    progress.Advance();
  }
  const std::string folder = OwnFolder();
  const std::vector<std::string> names = {"process: /usr/bin/true", "process to first gradient", "peak resident MiB",
                                          "stripped program MiB"};
  if (std::any_of(names.begin(), names.end(), wanted)) {
    TENFERRO_ASSIGN_OR_RETURN(const std::vector<Measured> delivery,
                              MeasureDelivery(folder + "/benchmarks/spawn", folder + "/grad_stripped_program", 200));
    for (const Measured& row : delivery) {
      if (wanted(row.name)) measured.push_back(row);
    }
  }
  std::vector<Quotient> quotients;
  for (const char* width : {"", " w2"}) {
    for (const char* beta : {"beta=0.2", "beta=0.44"}) {
      quotients.push_back({absl::StrCat("trg value+grad / value ", beta, width),
                           absl::StrCat("trg value+grad ", beta, width), absl::StrCat("trg value ", beta, width)});
    }
  }
  AddQuotients(quotients, measured, figures);
  if (measured.empty()) return absl::InvalidArgumentError(absl::StrCat("no row matches ", options.filter));

  std::printf("here: %s, %u cores; one thread unless w2; least of the means of short repetitions for %g s\n",
              Processor().c_str(), std::thread::hardware_concurrency(), options.seconds);
  std::printf("peers: %s%s%s\n", kPublishedSource, options.peers.empty() ? "" : "; and ", options.peers.c_str());
  std::printf("in brackets: time here / time of the peer\n\n%s", FormatTable(measured, figures).c_str());
  if (options.out.empty()) return absl::OkStatus();
  std::vector<Figure> own;
  for (const Measured& row : measured) own.push_back({row.name, "here", row.value});
  return WriteFile(options.out, FormatFigures(own));
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  int64_t threads = 1;
  Flags flags("One table of this project's times and sizes beside its peers'.");
  flags.Add("filter", &options.filter, "regular expression that the rows' names match somewhere");
  flags.Add("peers", &options.peers, "CSV file of peers measured here (tools/peers.sh): name,peer,microseconds");
  flags.Add("repetitions", &options.repetitions, "least number of repetitions of each row");
  flags.Add("seconds", &options.seconds, "about how long to repeat each row");
  flags.Add("out", &options.out, "CSV file of this project's figures");
  flags.Add("threads", &threads, "accepted for uniformity; the rows say their own");
  flags.ParseOrExit(argc, argv);
  const absl::Status status = Run(options);
  if (status.ok()) return 0;
  std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
  return 1;
}
