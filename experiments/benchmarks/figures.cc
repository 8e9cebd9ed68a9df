#include "tenferro/experiments/benchmarks/figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace tenferro {
namespace {

constexpr char kHeader[] = "name,peer,microseconds";

enum class Unit { kTime, kSize, kNone };

Unit UnitOf(const std::string& name) {
  if (absl::EndsWith(name, " MiB")) return Unit::kSize;
  return absl::StrContains(name, " / ") ? Unit::kNone : Unit::kTime;
}

std::string Digits(double value) {
  char text[32];
  std::snprintf(text, sizeof text,
                value >= 100   ? "%.0f"
                : value >= 10  ? "%.1f"
                : value >= 0.1 ? "%.2f"
                               : "%.2g",
                value);
  return text;
}

std::string Show(double value, Unit unit) {
  if (unit != Unit::kTime) return Digits(value);
  if (value < 1e3) return absl::StrCat(Digits(value), " µs");
  if (value < 1e6) return absl::StrCat(Digits(value * 1e-3), " ms");
  return absl::StrCat(Digits(value * 1e-6), " s");
}

const Figure* Find(absl::Span<const Figure> figures, const std::string& name, const std::string& peer) {
  for (const Figure& figure : figures) {
    if (figure.name == name && figure.peer == peer) return &figure;
  }
  return nullptr;
}

const Measured* Find(absl::Span<const Measured> measured, const std::string& name) {
  for (const Measured& row : measured) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

// In the order in which they come first, those without a row left out.
std::vector<std::string> Peers(absl::Span<const Measured> measured, absl::Span<const Figure> figures) {
  std::vector<std::string> peers;
  for (const Figure& figure : figures) {
    if (Find(measured, figure.name) == nullptr) continue;
    if (std::find(peers.begin(), peers.end(), figure.peer) == peers.end()) peers.push_back(figure.peer);
  }
  return peers;
}

}  // namespace

absl::StatusOr<std::vector<Figure>> ParseFigures(const std::string& csv) {
  std::vector<Figure> figures;
  bool header = false;
  int number = 0;
  for (const absl::string_view line : absl::StrSplit(csv, '\n')) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (!header) {
      if (line != kHeader) {
        return absl::InvalidArgumentError(absl::StrCat("line ", number, ": expected ", kHeader, ", got ", line));
      }
      header = true;
      continue;
    }
    // A row's name may have commas.
    const std::vector<std::string> fields = absl::StrSplit(line, ',');
    const size_t n = fields.size();
    double value;
    if (n < 3 || !absl::SimpleAtod(fields[n - 1], &value) || !(value > 0) || std::isinf(value)) {
      return absl::InvalidArgumentError(
          absl::StrCat("line ", number, ": expected a name, a peer and a positive number, got ", line));
    }
    std::string name = fields[0];
    for (size_t i = 1; i + 2 < n; ++i) absl::StrAppend(&name, ",", fields[i]);
    figures.push_back({name, fields[n - 2], value});
  }
  if (!header) return absl::InvalidArgumentError(absl::StrCat("no line ", kHeader));
  return figures;
}

std::string FormatFigures(absl::Span<const Figure> figures) {
  std::string csv = absl::StrCat(kHeader, "\n");
  for (const Figure& figure : figures) {
    char value[32];
    std::snprintf(value, sizeof value, "%.6g", figure.value);
    absl::StrAppend(&csv, figure.name, ",", figure.peer, ",", value, "\n");
  }
  return csv;
}

void AddQuotients(absl::Span<const Quotient> quotients, std::vector<Measured>& measured, std::vector<Figure>& figures) {
  for (const Quotient& quotient : quotients) {
    const Measured* const numerator = Find(measured, quotient.numerator);
    const Measured* const denominator = Find(measured, quotient.denominator);
    if (numerator == nullptr || denominator == nullptr) continue;
    std::vector<Figure> added;
    for (const std::string& peer : Peers(measured, figures)) {
      const Figure* const above = Find(figures, quotient.numerator, peer);
      const Figure* const below = Find(figures, quotient.denominator, peer);
      if (above != nullptr && below != nullptr) added.push_back({quotient.name, peer, above->value / below->value});
    }
    figures.insert(figures.end(), added.begin(), added.end());
    measured.push_back({quotient.name, numerator->value / denominator->value});
  }
}

std::string FormatTable(absl::Span<const Measured> measured, absl::Span<const Figure> figures) {
  const std::vector<std::string> peers = Peers(measured, figures);
  std::string text = "| | here | GFLOP/s |";
  for (const std::string& peer : peers) absl::StrAppend(&text, " ", peer, " |");
  absl::StrAppend(&text, "\n|---|---|---|");
  for (size_t i = 0; i < peers.size(); ++i) text += "---|";
  text += '\n';
  for (const Measured& row : measured) {
    const Unit unit = UnitOf(row.name);
    absl::StrAppend(&text, "| ", row.name, " | ", Show(row.value, unit), " | ",
                    row.flops > 0 ? Digits(row.flops / row.value * 1e-3) : "", " |");
    for (const std::string& peer : peers) {
      const Figure* const figure = Find(figures, row.name, peer);
      if (figure != nullptr) {
        absl::StrAppend(&text, " ", Show(figure->value, unit), " (", Digits(row.value / figure->value), ")");
      }
      text += " |";
    }
    text += '\n';
  }
  return text;
}

}  // namespace tenferro
