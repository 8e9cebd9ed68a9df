// Arithmetic of the integer dtypes: it wraps, and never traps.

#include <type_traits>

#include "tenferro/cpu/kernels/families.h"
#include "tenferro/cpu/kernels/integer_row.h"
#include "tenferro/runtime/ops/elementwise_records.h"

namespace tenferro {
namespace {

using namespace integer_internal;

// Truncates towards zero; x/0 = -1 (all ones); MIN/-1 = MIN.
template <class T>
T Quotient(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return Negate(a);
  }
  return static_cast<T>(a / b);
}

// Without a branch, which random signs would mislead.
template <class T>
T Magnitude(T x) {
  using U = std::make_unsigned_t<T>;
  if constexpr (std::is_unsigned_v<T>) return x;
  const U sign = static_cast<U>(x >> (8 * sizeof(T) - 1));
  return static_cast<T>((static_cast<U>(x) ^ sign) - sign);
}

// By repeated squaring. A negative exponent gives 1/base^|exponent| truncated towards zero, with 1/0 = -1.
template <class T>
T Power(T base, T exponent) {
  using U = std::make_unsigned_t<T>;
  if constexpr (std::is_signed_v<T>) {
    if (exponent < 0) {
      if (base == 0 || base == 1) return base == 0 ? -1 : 1;
      return base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
    }
  }
  U result = 1;
  U square = static_cast<U>(base);
  for (U left = static_cast<U>(exponent); left != 0; left >>= 1) {
    if (left & 1) result = static_cast<U>(result * square);
    square = static_cast<U>(square * square);
  }
  return static_cast<T>(result);
}

constexpr Row kRows[] = {
    Binary(&kAdd, [](auto a, auto b) { return a + b; }),
    Binary(&kSub, [](auto a, auto b) { return a - b; }),
    Binary(&kMul, [](auto a, auto b) { return a * b; }),
    SignedBinary(&kDiv, [](auto a, auto b) { return Quotient(a, b); }),
    SignedBinary(&kPow, [](auto a, auto b) { return Power(a, b); }),
    SignedBinary(&kMax, [](auto a, auto b) { return a < b ? b : a; }),
    SignedBinary(&kMin, [](auto a, auto b) { return b < a ? b : a; }),
    Unary(&kNeg, [](auto x) { return Negate(x); }),
    Unary(&kSquare, [](auto x) { return x * x; }),
    SignedUnary(&kAbs, [](auto x) { return Magnitude(x); }),
    SignedUnary(&kSign, [](auto x) { return (x > 0) - (x < 0); }),
};

}  // namespace

TileFn FindInteger(const OpDef* op, uint8_t from, uint8_t to) {
  return to == from ? FindRow(kRows, op, from) : nullptr;
}

}  // namespace tenferro
