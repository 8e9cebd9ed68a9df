#ifndef TENFERRO_EXPERIMENTS_ISING_RESULTS_H_
#define TENFERRO_EXPERIMENTS_ISING_RESULTS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "tenferro/experiments/ising/onsager.h"

namespace tenferro {

// What one inverse temperature gave: ln Z / N and its derivative, both from the tensor network and exact, and the
// times.
struct IsingResult {
  double beta = 0;
  double lnz = 0;
  double dlnz = 0;
  IsingExact exact = {};
  double value_ms = 0;
  double value_and_grad_ms = 0;
};

// A header and one line a result; 17 significant digits, so that every double can be read back as it was.
std::string ToCsv(absl::Span<const IsingResult> results);
// Errors: the file cannot be written.
absl::Status WriteCsv(const std::string& path, absl::Span<const IsingResult> results);

}  // namespace tenferro

#endif  // TENFERRO_EXPERIMENTS_ISING_RESULTS_H_
