#include <cstdio>
#include <string>

#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/experiments/flags.h"
#include "tenferro/experiments/operations/table.h"

int main(int argc, char** argv) {
  int64_t threads = 1;
  std::string format = "text";
  tenferro::Flags flags(
      "What is known of every operation: dtypes, derivatives, batching, its name in StableHLO, its kernels, and how\n"
      "many reference cases use it.");
  flags.Add("format", &format, {"text", "markdown"}, "how the table is written");
  flags.Add("threads", &threads, "as every experiment has it");
  flags.ParseOrExit(argc, argv);

  const absl::StatusOr<std::vector<tenferro::parity::Case>> cases =
      tenferro::parity::LoadCases("experiments/parity/data");
  if (!cases.ok()) {
    std::fprintf(stderr, "op_table: %s\n", std::string(cases.status().message()).c_str());
    return 1;
  }
  const tenferro::CpuEngine engine = tenferro::CpuEngine::WithThreads(static_cast<int>(threads));
  const std::string text =
      tenferro::ToText(tenferro::OpRows(engine, tenferro::ParityCounts(*cases)),
                       format == "text" ? tenferro::TableFormat::kText : tenferro::TableFormat::kMarkdown);
  std::fputs(text.c_str(), stdout);
  return 0;
}
