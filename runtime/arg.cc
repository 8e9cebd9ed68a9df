#include "tenferro/runtime/arg.h"

#include <cmath>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tenferro {
namespace {

using Kind = WeakScalar::Kind;

Kind KindOf(DType dtype) {
  return IsComplex(dtype)   ? Kind::kComplex
         : IsFloat(dtype)   ? Kind::kFloat
         : IsInteger(dtype) ? Kind::kInt
                            : Kind::kBool;
}

constexpr const char* kKindNames[] = {"a bool", "an integer", "an integer", "a float", "a complex number"};

absl::Status OutOfRange(const absl::AlphaNum& number, DType dtype) {
  return absl::InvalidArgumentError(absl::StrCat(number, " is out of range for ", Name(dtype)));
}

bool Overflows(double number, double stored) { return std::isinf(stored) && !std::isinf(number); }

}  // namespace

absl::Status WeakScalar::Store(DType dtype, int64_t words[2]) const {
  words[0] = words[1] = 0;
  const Kind own = kind_ == Kind::kUnsigned ? Kind::kInt : kind_;
  if (own > KindOf(dtype)) {
    return absl::InvalidArgumentError(
        absl::StrCat(kKindNames[static_cast<int>(kind_)], " is no ", Name(dtype), ": convert the tensor"));
  }
  return Dispatch(dtype, [&]<class T>() -> absl::Status {
    T value{};
    if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
      using Real = typename T::value_type;
      value = T(static_cast<Real>(real_), static_cast<Real>(imag_));
      for (const auto& [part, stored] : {std::pair(real_, value.real()), std::pair(imag_, value.imag())}) {
        if (Overflows(part, stored)) return OutOfRange(part, dtype);
      }
    } else if constexpr (std::is_floating_point_v<T>) {
      value = static_cast<T>(real_);
      if (Overflows(real_, value)) return OutOfRange(real_, dtype);
    } else {
      value = static_cast<T>(integer_);
      const bool negative = kind_ == Kind::kInt && static_cast<int64_t>(integer_) < 0;
      const bool fits = static_cast<uint64_t>(value) == integer_ && negative == (value < T(0));
      if (!fits) {
        const std::string text = negative ? absl::StrCat(static_cast<int64_t>(integer_)) : absl::StrCat(integer_);
        return OutOfRange(text, dtype);
      }
    }
    std::memcpy(words, &value, sizeof value);
    return absl::OkStatus();
  });
}

Var Arg::Tensor(const char* op) const {
  if (is_scalar_)
    return ErrorVar(location_, op, "a number alone has no dtype and no graph: make it a constant of a graph");
  return var_.empty() ? ErrorVar(location_, op, "an operand is an empty Var") : var_;
}

}  // namespace tenferro
