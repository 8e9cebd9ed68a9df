#ifndef TENFERRO_EXPERIMENTS_BENCHMARKS_FIGURES_H_
#define TENFERRO_EXPERIMENTS_BENCHMARKS_FIGURES_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace tenferro {

// What a peer takes for a row: microseconds, or MiB for a row whose name ends in " MiB".
struct Figure {
  std::string name;
  std::string peer;
  double value;
};

// Figures of peers that were measured once, elsewhere.
absl::Span<const Figure> PublishedFigures();
// Their versions and the machine they were measured on.
extern const char* const kPublishedSource;

// Lines "name,peer,microseconds", the first of which is that header; empty ones and those that start with # say
// nothing. Errors: another header; a line without two commas, or whose last field is no positive number.
absl::StatusOr<std::vector<Figure>> ParseFigures(const std::string& csv);
std::string FormatFigures(absl::Span<const Figure> figures);

// What this project takes for a row.
struct Measured {
  std::string name;
  double value;
  double flops = 0;  // of one execution
};

// The quotient of two rows as a row of its own, here and for each peer that has both.
struct Quotient {
  std::string name;
  std::string numerator;
  std::string denominator;
};
void AddQuotients(absl::Span<const Quotient> quotients, std::vector<Measured>& measured, std::vector<Figure>& figures);

// A Markdown table: a row for each measured one, a column for each peer that has a figure for any of them; behind each
// figure in brackets how many times it this project takes.
std::string FormatTable(absl::Span<const Measured> measured, absl::Span<const Figure> figures);

}  // namespace tenferro

#endif  // TENFERRO_EXPERIMENTS_BENCHMARKS_FIGURES_H_
