#include "tenferro/experiments/ising/results.h"

#include <cstdio>

#include "tenferro/experiments/file.h"

namespace tenferro {

std::string ToCsv(absl::Span<const IsingResult> results) {
  std::string csv = "beta,lnz,dlnz,lnz_exact,dlnz_exact,value_ms,value_and_grad_ms\n";
  for (const IsingResult& r : results) {
    char line[256];
    std::snprintf(line, sizeof(line), "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", r.beta, r.lnz, r.dlnz, r.exact.lnz,
                  r.exact.dlnz, r.value_ms, r.value_and_grad_ms);
    csv += line;
  }
  return csv;
}

absl::Status WriteCsv(const std::string& path, absl::Span<const IsingResult> results) {
  return WriteFile(path, ToCsv(results));
}

}  // namespace tenferro
