#include "tenferro/tensor/decimal.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace tenferro {
namespace {

// d[0].d[1]d[2]… × 10^exponent.
struct Digits {
  std::string digits;
  int exponent;
};

// printf and strtod and not std::to_chars, which brings 130 KiB of tables. Both honour the locale's decimal point.
struct Printed {
  char text[48];
  explicit Printed(double magnitude, int digits) { std::snprintf(text, sizeof(text), "%.*e", digits - 1, magnitude); }

  char* LastDigit() {
    char* last = text;
    for (char* c = text; *c != 'e'; ++c) last = c;
    return last;
  }
  bool ReadsBackAs(double magnitude, bool single) const {
    return single ? std::strtof(text, nullptr) == static_cast<float>(magnitude)
                  : std::strtod(text, nullptr) == magnitude;
  }
  Digits ToDigits() const {
    Digits result;
    const char* c = text;
    for (; *c != 'e'; ++c) {
      if (*c >= '0' && *c <= '9') result.digits.push_back(*c);
    }
    result.exponent = std::atoi(c + 1);
    return result;
  }
};

Digits ShortestDigits(double magnitude, bool single) {
  int unused_exponent;
  const bool power_of_two = std::frexp(magnitude, &unused_exponent) == 0.5;
  for (int count = 1; count < 17; ++count) {
    Printed printed(magnitude, count);
    if (printed.ReadsBackAs(magnitude, single)) return printed.ToDigits();
    // Below a power of two the neighbour is half as far as above: the nearest decimal may miss and the next one hit.
    if (power_of_two && *printed.LastDigit() != '9') {
      ++*printed.LastDigit();
      if (printed.ReadsBackAs(magnitude, single)) return printed.ToDigits();
    }
  }
  return Printed(magnitude, 17).ToDigits();
}

std::string Sign(double value, bool plus) { return std::signbit(value) ? "-" : plus ? "+" : ""; }

void DropTrailingZeros(std::string* fraction, int least) {
  while (static_cast<int>(fraction->size()) > least && fraction->back() == '0') fraction->pop_back();
}

}  // namespace

DecimalText PositionalText(double value, bool single, bool plus, FractionDigits digits) {
  const double magnitude = std::fabs(value);
  const Digits shortest = ShortestDigits(magnitude, single);
  const int count = static_cast<int>(shortest.digits.size());
  const int before_point = std::max(shortest.exponent + 1, 0);
  DecimalText text;
  if (count - 1 - shortest.exponent > digits.most) {
    std::string printed(before_point + digits.most + 16, '\0');
    printed.resize(std::snprintf(printed.data(), printed.size(), "%.*f", digits.most, magnitude));
    text.whole = printed.substr(0, printed.find_first_not_of("0123456789"));
    text.fraction = printed.substr(printed.size() - digits.most);
  } else {
    const std::string zeros_after_point(std::max(-shortest.exponent - 1, 0), '0');
    text.whole = shortest.digits.substr(0, before_point);
    text.whole.resize(std::max(before_point, 1), '0');
    text.fraction = zeros_after_point + shortest.digits.substr(std::min(before_point, count));
    text.fraction.resize(std::max<size_t>(text.fraction.size(), digits.least), '0');
  }
  DropTrailingZeros(&text.fraction, digits.least);
  text.whole = Sign(value, plus) + text.whole;
  return text;
}

DecimalText ScientificText(double value, bool single, bool plus, FractionDigits digits) {
  const double magnitude = std::fabs(value);
  Digits shown = ShortestDigits(magnitude, single);
  const int fraction = static_cast<int>(shown.digits.size()) - 1;
  if (fraction > digits.most) {
    shown = Printed(magnitude, digits.most + 1).ToDigits();
  } else if (fraction < digits.least) {
    shown = Printed(magnitude, digits.least + 1).ToDigits();
  }
  DecimalText text;
  text.whole = Sign(value, plus) + shown.digits[0];
  text.fraction = shown.digits.substr(1);
  DropTrailingZeros(&text.fraction, digits.least);
  char exponent[16];
  std::snprintf(exponent, sizeof(exponent), "%+03d", shown.exponent);
  text.exponent = exponent;
  return text;
}

}  // namespace tenferro
