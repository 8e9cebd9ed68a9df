#include "tenferro/experiments/vector_comparison.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "tenferro/experiments/file.h"
#include "tenferro/tensor/npy.h"
#include "tenferro/tensor/status.h"

namespace tenferro {
namespace {

template <class T>
absl::StatusOr<Tensor> ToDoubles(const Tensor& tensor) {
  TENFERRO_ASSIGN_OR_RETURN(const Tensor dense, tensor.Dense());
  TENFERRO_ASSIGN_OR_RETURN(const absl::Span<const T> elements, dense.Data<T>());
  std::vector<double> numbers;
  Shape shape;
  if constexpr (std::is_arithmetic_v<T>) {
    numbers.assign(elements.begin(), elements.end());
  } else {
    shape.push_back(2);
    for (const T& element : elements) {
      numbers.push_back(element.real());
      numbers.push_back(element.imag());
    }
  }
  for (Dim dim : tensor.shape().dims()) shape.push_back(dim);
  return Tensor::FromColMajor<double>(shape, numbers);
}

absl::StatusOr<Tensor> ReadText(const std::string& path) {
  TENFERRO_ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  std::vector<double> numbers;
  for (absl::string_view word : absl::StrSplit(text, absl::ByAnyChar(" \t\r\n"), absl::SkipEmpty())) {
    double number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size()) {
      return absl::InvalidArgumentError(absl::StrCat(path, ": '", word.substr(0, 40), "' is no number"));
    }
    numbers.push_back(number);
  }
  return Tensor::FromColMajor<double>({static_cast<int64_t>(numbers.size())}, numbers);
}

std::string IndexText(int64_t position, const Shape& shape) {
  if (shape.rank() == 1) return absl::StrCat(position);
  Ints index;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    index.push_back(position % shape.extent(axis));
    position /= shape.extent(axis);
  }
  return absl::StrCat("[", absl::StrJoin(index, ","), "]");
}

double Distance(double a, double b) {
  if (a == b || std::isnan(a)) return 0;
  const double difference = std::abs(a - b);
  return std::isfinite(a) && std::isfinite(b) ? difference : std::numeric_limits<double>::infinity();
}

}  // namespace

absl::StatusOr<Tensor> ReadNumbers(const std::string& path) {
  Tensor numbers;
  if (path.ends_with(".npy")) {
    TENFERRO_ASSIGN_OR_RETURN(const Tensor tensor, ReadNpy(path));
    TENFERRO_ASSIGN_OR_RETURN(numbers, Dispatch(tensor.dtype(), [&]<class T>() { return ToDoubles<T>(tensor); }));
  } else {
    TENFERRO_ASSIGN_OR_RETURN(numbers, ReadText(path));
  }
  if (numbers.size() == 0) return absl::InvalidArgumentError(absl::StrCat(path, ": no numbers"));
  return numbers;
}

std::string VectorComparison::ToString() const {
  char text[256];
  std::snprintf(text, sizeof(text), "n=%lld max|ref|=%.17g max|diff|=%.17g at ", static_cast<long long>(count),
                max_reference, max_difference);
  std::string line = absl::StrCat(text, worst_index);
  std::snprintf(text, sizeof(text), " (%.17g vs %.17g) bitwise equal %lld/%lld bound=%.17g %s", reference, got,
                static_cast<long long>(equal_bits), static_cast<long long>(count), bound, within ? "OK" : "MISMATCH");
  return line + text;
}

absl::StatusOr<VectorComparison> CompareVectors(const Tensor& reference, const Tensor& got, double tolerance) {
  if (!(reference.shape() == got.shape())) {
    return absl::InvalidArgumentError(
        absl::StrCat("shapes differ: ", reference.shape().ToString(), " and ", got.shape().ToString()));
  }
  TENFERRO_ASSIGN_OR_RETURN(const absl::Span<const double> a, reference.Data<double>());
  TENFERRO_ASSIGN_OR_RETURN(const absl::Span<const double> b, got.Data<double>());
  if (a.empty()) return absl::InvalidArgumentError("nothing to compare");
  VectorComparison result;
  result.count = a.size();
  size_t worst = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) != std::isnan(b[i])) {
      return absl::InvalidArgumentError(absl::StrCat("a NaN stands against a number at ",
                                                     IndexText(i, reference.shape()), ": ", a[i], " and ", b[i]));
    }
    if (std::isfinite(a[i])) result.max_reference = std::max(result.max_reference, std::abs(a[i]));
    if (const double distance = Distance(a[i], b[i]); distance > result.max_difference) {
      result.max_difference = distance;
      worst = i;
    }
    result.equal_bits += std::memcmp(&a[i], &b[i], sizeof(double)) == 0;
  }
  result.worst_index = IndexText(worst, reference.shape());
  result.reference = a[worst];
  result.got = b[worst];
  result.bound = tolerance * std::max(1.0, result.max_reference);
  result.within = result.max_difference <= result.bound;
  return result;
}

}  // namespace tenferro
