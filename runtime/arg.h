#ifndef TENFERRO_RUNTIME_ARG_H_
#define TENFERRO_RUNTIME_ARG_H_

#include <complex>
#include <concepts>
#include <cstdint>

#include "absl/status/statusor.h"
#include "tenferro/runtime/location.h"
#include "tenferro/runtime/var.h"

namespace tenferro {

// A C++ number on its way into an operation. It is weak: it takes the dtype of the tensor beside it.
class WeakScalar {
 public:
  enum class Kind : uint8_t { kBool, kInt, kUnsigned, kFloat, kComplex };

  template <class T>
  requires std::integral<T> || std::floating_point<T> WeakScalar(T value)  // NOLINT: numbers convert
      : kind_(std::same_as<T, bool>     ? Kind::kBool
              : std::floating_point<T>  ? Kind::kFloat
              : std::signed_integral<T> ? Kind::kInt
                                        : Kind::kUnsigned),
        integer_(std::floating_point<T> ? 0 : static_cast<uint64_t>(value)),
        real_(static_cast<double>(value)) {}
  template <class T>
  WeakScalar(std::complex<T> value)  // NOLINT: numbers convert
      : kind_(Kind::kComplex), real_(value.real()), imag_(value.imag()) {}

  // The number in `dtype`, written to the first SizeOf(dtype) of 16 zeroed bytes; rounding to a float's precision is
  // allowed. Errors: its kind is higher than the dtype's (a float for integers, a complex for reals); it is out of
  // range.
  absl::Status Store(DType dtype, int64_t words[2]) const;
  Kind kind() const { return kind_; }

 private:
  Kind kind_;
  uint64_t integer_ = 0;
  double real_ = 0;
  double imag_ = 0;
};

// An operand of an operation: a Var or a C++ number, with the line where the user wrote it.
class Arg {
 public:
  Arg(const Var& var, Location location = Location::current())  // NOLINT: operands convert
      : var_(var), location_(LocationScope::Resolve(location)) {}
  template <class T>
  requires std::integral<T> || std::floating_point<T> Arg(
      T scalar, Location location = Location::current())  // NOLINT: operands convert
      : scalar_(scalar), is_scalar_(true), location_(LocationScope::Resolve(location)) {}
  template <class T>
  Arg(std::complex<T> scalar, Location location = Location::current())  // NOLINT: operands convert
      : scalar_(scalar), is_scalar_(true), location_(LocationScope::Resolve(location)) {}

  bool is_scalar() const { return is_scalar_; }
  const WeakScalar& scalar() const { return scalar_; }
  // Empty for a scalar.
  const Var& var() const { return var_; }
  const Location& location() const { return location_; }
  // The Var for an operation that takes no bare number: an error Var for a scalar or an empty Var.
  Var Tensor(const char* op) const;

 private:
  Var var_;
  WeakScalar scalar_ = 0;
  bool is_scalar_ = false;
  Location location_;
};

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_ARG_H_
