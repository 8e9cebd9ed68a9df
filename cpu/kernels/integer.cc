// Arithmetic of the integer dtypes: it wraps, and never traps.

#include <limits>
#include <type_traits>

#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/families.h"
#include "tenferro/cpu/kernels/scalar_loop.h"
#include "tenferro/runtime/ops/elementwise_records.h"

namespace tenferro {
namespace {

template <class T>
T Negate(T x) {
  return static_cast<T>(std::make_unsigned_t<T>{0} - static_cast<std::make_unsigned_t<T>>(x));
}

// Truncates towards zero; x/0 = -1 (all ones); MIN/-1 = MIN.
template <class T>
T Quotient(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if constexpr (std::is_signed_v<T>) {
    if (b == -1) return Negate(a);
  }
  return static_cast<T>(a / b);
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

// One kernel to each of i32, i64, u8, u32, u64, in the order of their codes.
struct Row {
  const OpDef* op;
  TileFn fn[5];
};

// Kernels that look at the sign of an element.
template <class F>
constexpr Row SignedBinary(const OpDef* op, F) {
  return {op,
          {ScalarBinary<int32_t, int32_t, F>, ScalarBinary<int64_t, int64_t, F>, ScalarBinary<uint8_t, uint8_t, F>,
           ScalarBinary<uint32_t, uint32_t, F>, ScalarBinary<uint64_t, uint64_t, F>}};
}
template <class F>
constexpr Row SignedUnary(const OpDef* op, F) {
  return {op,
          {ScalarUnary<int32_t, int32_t, F>, ScalarUnary<int64_t, int64_t, F>, ScalarUnary<uint8_t, uint8_t, F>,
           ScalarUnary<uint32_t, uint32_t, F>, ScalarUnary<uint64_t, uint64_t, F>}};
}
// Kernels that are the same for signed and unsigned elements of one size.
template <class F>
constexpr Row Binary(const OpDef* op, F) {
  constexpr TileFn k4 = ScalarBinary<uint32_t, uint32_t, F>, k8 = ScalarBinary<uint64_t, uint64_t, F>;
  return {op, {k4, k8, ScalarBinary<uint8_t, uint8_t, F>, k4, k8}};
}
template <class F>
constexpr Row Unary(const OpDef* op, F) {
  constexpr TileFn k4 = ScalarUnary<uint32_t, uint32_t, F>, k8 = ScalarUnary<uint64_t, uint64_t, F>;
  return {op, {k4, k8, ScalarUnary<uint8_t, uint8_t, F>, k4, k8}};
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
    SignedUnary(&kAbs, [](auto x) { return x < 0 ? Negate(x) : x; }),
    SignedUnary(&kSign, [](auto x) { return (x > 0) - (x < 0); }),
};

}  // namespace

TileFn FindInteger(const OpDef* op, uint8_t from, uint8_t to) {
  if (to != from || from < kCodeI32 || from > kCodeU64) return nullptr;
  for (const Row& row : kRows) {
    if (row.op == op) return row.fn[from - kCodeI32];
  }
  return nullptr;
}

}  // namespace tenferro
