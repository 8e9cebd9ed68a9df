#ifndef TENFERRO_EXPERIMENTS_PARITY_COVERAGE_H_
#define TENFERRO_EXPERIMENTS_PARITY_COVERAGE_H_

#include <map>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "tenferro/experiments/parity/cases.h"

namespace tenferro::parity {

struct Coverage {
  std::vector<const Case*> included;
  std::map<std::string, int> included_per_op;  // "group/op": number of cases
  std::map<std::string, int> excluded_per_op;
};

// Which cases this project's operations can express: those with a formula.
Coverage CoverageOf(absl::Span<const Case> cases);

// A table of both, and the sums.
std::string ToText(const Coverage& coverage);

}  // namespace tenferro::parity

#endif  // TENFERRO_EXPERIMENTS_PARITY_COVERAGE_H_
