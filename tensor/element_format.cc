#include "tenferro/tensor/element_format.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"

namespace tenferro {
namespace {

constexpr int kPrecision = 8;

template <class T>
T Load(const void* element) {
  return *static_cast<const T*>(element);
}

double RealPart(DType dtype, const void* element) {
  return RealSizeOf(dtype) == 4 ? Load<float>(element) : Load<double>(element);
}

double ImaginaryPart(DType dtype, const void* element) {
  return RealPart(dtype, static_cast<const char*>(element) + RealSizeOf(dtype));
}

std::string IntegerOrBool(DType dtype, const void* element) {
  switch (dtype) {
    case DType::kBool: return Load<bool>(element) ? "True" : "False";
    case DType::kI32: return absl::StrCat(Load<int32_t>(element));
    case DType::kI64: return absl::StrCat(Load<int64_t>(element));
    case DType::kU8: return absl::StrCat(int{Load<uint8_t>(element)});
    case DType::kU32: return absl::StrCat(Load<uint32_t>(element));
    default: return absl::StrCat(Load<uint64_t>(element));
  }
}

std::string NotFinite(double value, bool plus) {
  if (std::isnan(value)) return plus ? "+nan" : "nan";
  return value < 0 ? "-inf" : plus ? "+inf" : "inf";
}

std::string PadLeft(std::string text, size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

// A number by itself has all its digits. `bare`: without a point where no digit follows it.
std::string RealToString(double value, bool single, bool plus, bool bare) {
  if (!std::isfinite(value)) return NotFinite(value, plus);
  const double magnitude = std::fabs(value);
  const bool positional = magnitude == 0 || (magnitude >= 1e-4 && magnitude < (single ? 1e6 : 1e16));
  FractionDigits digits;
  digits.least = positional && !bare ? 1 : 0;
  const DecimalText text =
      positional ? PositionalText(value, single, plus, digits) : ScientificText(value, single, plus, digits);
  return absl::StrCat(text.whole, text.fraction.empty() ? "" : ".", text.fraction, positional ? "" : "e",
                      text.exponent);
}

std::vector<double> Parts(DType dtype, absl::Span<const void* const> elements,
                          double (*part)(DType dtype, const void* element)) {
  std::vector<double> parts;
  for (const void* element : elements) parts.push_back(part(dtype, element));
  return parts;
}

}  // namespace

std::string ScalarToString(DType dtype, const void* element) {
  if (!IsFloatOrComplex(dtype)) return IntegerOrBool(dtype, element);
  const bool single = RealSizeOf(dtype) == 4;
  const double real = RealPart(dtype, element);
  if (IsFloat(dtype)) return RealToString(real, single, false, false);
  const double imaginary = ImaginaryPart(dtype, element);
  if (real == 0 && !std::signbit(real)) return RealToString(imaginary, single, false, true) + "j";
  return absl::StrCat("(", RealToString(real, single, false, true), RealToString(imaginary, single, true, true), "j)");
}

RealFormat::RealFormat(absl::Span<const double> values, bool single, bool plus) : single_(single), plus_(plus) {
  double smallest = INFINITY;
  double largest = 0;
  bool any_finite = false;
  size_t left_if_not_finite = 0;
  for (double value : values) {
    const double magnitude = std::fabs(value);
    if (!std::isfinite(value)) {
      left_if_not_finite = std::max(left_if_not_finite, NotFinite(value, plus).size());
    } else if (magnitude > 0) {
      smallest = std::min(smallest, magnitude);
      largest = std::max(largest, magnitude);
    }
    any_finite |= std::isfinite(value);
  }
  // In the precision of the numbers, as NumPy compares them.
  const double ratio = single ? static_cast<float>(largest) / static_cast<float>(smallest) : largest / smallest;
  scientific_ = largest >= (single ? 1e6 : 1e8) || smallest < (single ? 0.0001f : 0.0001) || ratio > 1000;
  digits_.most = kPrecision;
  size_t fraction = 0;
  for (double value : values) {
    if (!std::isfinite(value)) continue;
    const DecimalText text =
        scientific_ ? ScientificText(value, single_, plus_, digits_) : PositionalText(value, single_, plus_, digits_);
    left_ = std::max(left_, text.whole.size());
    fraction = std::max(fraction, text.fraction.size());
    exponent_ = std::max(exponent_, text.exponent.size());
  }
  if (scientific_) digits_.least = digits_.most = static_cast<int>(fraction);
  right_ = fraction + (scientific_ ? exponent_ + 1 : 0);
  if (left_if_not_finite > right_ + 1) left_ = std::max(left_, left_if_not_finite - right_ - 1);
}

std::string RealFormat::operator()(double value) const {
  if (!std::isfinite(value)) return PadLeft(NotFinite(value, plus_), left_ + 1 + right_);
  const DecimalText text =
      scientific_ ? ScientificText(value, single_, plus_, digits_) : PositionalText(value, single_, plus_, digits_);
  std::string result = absl::StrCat(PadLeft(text.whole, left_), ".", text.fraction);
  if (scientific_) {
    const std::string zeros(exponent_ - text.exponent.size(), '0');
    absl::StrAppend(&result, "e", text.exponent.substr(0, 1), zeros, text.exponent.substr(1));
  }
  result.resize(left_ + 1 + right_, ' ');
  return result;
}

ElementFormat::ElementFormat(DType dtype, absl::Span<const void* const> elements)
    : dtype_(dtype),
      real_(IsFloatOrComplex(dtype) ? Parts(dtype, elements, RealPart) : std::vector<double>(), RealSizeOf(dtype) == 4,
            false),
      imaginary_(IsComplex(dtype) ? Parts(dtype, elements, ImaginaryPart) : std::vector<double>(),
                 RealSizeOf(dtype) == 4, true) {
  if (IsFloatOrComplex(dtype)) return;
  if (dtype == DType::kBool) width_ = 5;  // NumPy leaves room for False where all are True
  for (const void* element : elements) width_ = std::max(width_, IntegerOrBool(dtype, element).size());
}

std::string ElementFormat::operator()(const void* element) const {
  if (!IsFloatOrComplex(dtype_)) return PadLeft(IntegerOrBool(dtype_, element), width_);
  std::string text = real_(RealPart(dtype_, element));
  if (!IsComplex(dtype_)) return text;
  text += imaginary_(ImaginaryPart(dtype_, element));
  text.insert(text.find_last_not_of(' ') + 1, 1, 'j');
  return text;
}

}  // namespace tenferro
