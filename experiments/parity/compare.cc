#include "tenferro/experiments/parity/compare.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tenferro/tensor/status.h"

namespace tenferro::parity {
namespace {

template <class T>
constexpr bool kIsComplex = false;
template <class T>
constexpr bool kIsComplex<std::complex<T>> = true;

template <class T>
std::string Print(T value) {
  if constexpr (kIsComplex<T>) {
    return absl::StrCat("(", Print(value.real()), ",", Print(value.imag()), ")");
  } else if constexpr (std::is_floating_point_v<T>) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.17g", static_cast<double>(value));
    return text;
  } else {
    return absl::StrCat(value);
  }
}

template <class T>
bool SameBits(T a, T b) {
  if constexpr (kIsComplex<T>) {
    return SameBits(a.real(), b.real()) && SameBits(a.imag(), b.imag());
  } else if constexpr (std::is_floating_point_v<T>) {
    return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof(T)) == 0;
  } else {
    return a == b;
  }
}

template <class T>
bool IsFinite(T value) {
  if constexpr (kIsComplex<T>) {
    return std::isfinite(value.real()) && std::isfinite(value.imag());
  } else {
    return std::isfinite(static_cast<double>(value));
  }
}

// Distance in double precision; 0 between equal elements and equal NaNs, infinite where only one is finite.
template <class T>
double Distance(T got, T want) {
  if constexpr (kIsComplex<T>) {
    return std::hypot(Distance(got.real(), want.real()), Distance(got.imag(), want.imag()));
  } else {
    const double a = static_cast<double>(got), b = static_cast<double>(want);
    if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
    const double difference = std::abs(a - b);
    return std::isfinite(difference) ? difference : std::numeric_limits<double>::infinity();
  }
}

template <class T>
double Modulus(T value) {
  if constexpr (kIsComplex<T>) {
    return std::hypot(static_cast<double>(value.real()), static_cast<double>(value.imag()));
  } else {
    return std::abs(static_cast<double>(value));
  }
}

std::string IndexText(int64_t position, const Shape& shape) {
  Ints index;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    index.push_back(position % shape.extent(axis));
    position /= shape.extent(axis);
  }
  return absl::StrCat("[", absl::StrJoin(index, ","), "]");
}

template <class T>
absl::Status CompareElements(const Tensor& got, const Expected& want) {
  TENFERRO_ASSIGN_OR_RETURN(const Tensor dense_got, got.Dense());
  TENFERRO_ASSIGN_OR_RETURN(const Tensor dense_want, want.value.Dense());
  TENFERRO_ASSIGN_OR_RETURN(const absl::Span<const T> a, dense_got.Data<T>());
  TENFERRO_ASSIGN_OR_RETURN(const absl::Span<const T> b, dense_want.Data<T>());
  double scale = 1;
  for (const T& element : b) {
    if (IsFinite(element)) scale = std::max(scale, Modulus(element));
  }
  int64_t mismatches = 0, worst = -1;
  double worst_excess = 0, worst_bound = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    double bound = 0, distance = 0;
    if (want.rule == Rule::kExact) {
      distance = SameBits(a[i], b[i]) ? 0 : std::numeric_limits<double>::infinity();
    } else {
      const double reference = want.rule == Rule::kScale ? scale : IsFinite(b[i]) ? Modulus(b[i]) : 0;
      bound = want.atol + want.rtol * reference;
      distance = Distance(a[i], b[i]);
    }
    if (distance <= bound) continue;
    ++mismatches;
    if (worst < 0 || distance - bound > worst_excess) {
      worst = i;
      worst_excess = distance - bound;
      worst_bound = bound;
    }
  }
  if (mismatches == 0) return absl::OkStatus();
  return absl::OutOfRangeError(absl::StrCat(
      want.name, ": ", mismatches, " of ", a.size(), " elements differ, the worst at ", IndexText(worst, got.shape()),
      ": got ", Print(a[worst]), ", want ", Print(b[worst]),
      want.rule == Rule::kExact
          ? std::string(" in every bit")
          : absl::StrCat(" within ", Print(worst_bound), ", off by ", Print(Distance(a[worst], b[worst])))));
}

}  // namespace

absl::Status Compare(const Tensor& got, const Expected& want) {
  if (got.dtype() != want.value.dtype() || !(got.shape() == want.value.shape())) {
    return absl::InvalidArgumentError(absl::StrCat(want.name, ": got ", Name(got.dtype()), got.shape().ToString(),
                                                   ", want ", Name(want.value.dtype()), want.value.shape().ToString()));
  }
  return Dispatch(got.dtype(), [&]<class T>() { return CompareElements<T>(got, want); });
}

}  // namespace tenferro::parity
