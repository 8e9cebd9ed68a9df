#include "tenferro/experiments/parity/coverage.h"

#include "absl/strings/str_cat.h"
#include "tenferro/experiments/parity/evaluate.h"

namespace tenferro::parity {
namespace {

void AppendCounts(std::string* text, const char* title, const std::map<std::string, int>& counts) {
  int sum = 0;
  for (const auto& [op, count] : counts) sum += count;
  absl::StrAppend(text, title, ": ", sum, " cases\n");
  for (const auto& [op, count] : counts) absl::StrAppend(text, "  ", op, " ", count, "\n");
}

}  // namespace

Coverage CoverageOf(absl::Span<const Case> cases) {
  Coverage coverage;
  for (const Case& c : cases) {
    const std::string op = absl::StrCat(c.group, "/", c.op);
    if (FindFormula(c) != nullptr) {
      coverage.included.push_back(&c);
      ++coverage.included_per_op[op];
    } else {
      ++coverage.excluded_per_op[op];
    }
  }
  return coverage;
}

std::string ToText(const Coverage& coverage) {
  std::string text;
  AppendCounts(&text, "included", coverage.included_per_op);
  AppendCounts(&text, "excluded", coverage.excluded_per_op);
  return text;
}

}  // namespace tenferro::parity
