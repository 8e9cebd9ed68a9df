// Remainders, bits and clamping of the integer dtypes, and the sign bit of floats: nothing traps.

#include <type_traits>

#include "tenferro/cpu/kernels/arithmetic.h"
#include "tenferro/cpu/kernels/integer_row.h"
#include "tenferro/runtime/ops/arithmetic_records.h"

namespace tenferro {
namespace {

using namespace integer_internal;

template <class T>
constexpr bool IsMinusOne(T x) {
  return std::is_signed_v<T> && x == static_cast<T>(-1);
}

template <class T>
T Remainder(T a, T b) {
  if (b == 0) return a;
  return IsMinusOne(b) ? T{0} : static_cast<T>(a % b);
}

// Whether the division that truncates leaves a remainder of the other sign than the divisor's, which rounding down does
// not.
template <class T>
bool RoundsUp(T remainder, T divisor) {
  return remainder != 0 && divisor != 0 && (remainder < 0) != (divisor < 0);
}

template <class T>
T FlooredRemainder(T a, T b) {
  const T remainder = Remainder(a, b);
  return static_cast<T>(RoundsUp(remainder, b) ? remainder + b : remainder);
}

template <class T>
T FlooredQuotient(T a, T b) {
  if (b == 0) return static_cast<T>(-1);
  if (IsMinusOne(b)) return Negate(a);
  const T quotient = static_cast<T>(a / b);
  return static_cast<T>(RoundsUp(static_cast<T>(a % b), b) ? quotient - 1 : quotient);
}

template <class T>
constexpr unsigned kBits = 8 * sizeof(T);

// The bits with the top one repeated; at most the width less one, which repeats it everywhere.
template <class U>
U ShiftRightSigned(U x, U amount) {
  const U most = static_cast<U>(kBits<U> - 1);
  return static_cast<U>(static_cast<std::make_signed_t<U>>(x) >> (amount < most ? amount : most));
}

// Sums of neighbouring bits, pairs, fours, then all bytes by one product (Warren, Hacker's Delight, section 5-1).
template <class U>
U CountOnes(U x) {
  constexpr U kAll = static_cast<U>(~U{0});
  x = static_cast<U>(x - (x >> 1 & kAll / 3));
  x = static_cast<U>((x & kAll / 15 * 3) + (x >> 2 & kAll / 15 * 3));
  x = static_cast<U>((x + (x >> 4)) & kAll / 255 * 15);
  return static_cast<U>(static_cast<U>(x * (kAll / 255)) >> (kBits<U> - 8));
}

// The compiler's function is undefined at 0.
template <class U>
U CountZerosAbove(U x) {
  if (x == 0) return static_cast<U>(kBits<U>);
  if constexpr (sizeof(U) == 8) return static_cast<U>(__builtin_clzll(x));
  return static_cast<U>(__builtin_clz(static_cast<uint32_t>(x)) - (32 - static_cast<int>(kBits<U>)));
}

constexpr Row kRows[] = {
    SignedBinary(&kRem, [](auto a, auto b) { return Remainder(a, b); }),
    SignedBinary(&kMod, [](auto a, auto b) { return FlooredRemainder(a, b); }),
    SignedBinary(&kFloorDivide, [](auto a, auto b) { return FlooredQuotient(a, b); }),
    SignedTernary(&kClamp,
                  [](auto x, auto low, auto high) {
                    const auto raised = x < low ? low : x;
                    return high < raised ? high : raised;
                  }),
    Binary(&kXor, [](auto a, auto b) { return a ^ b; }),
    Binary(&kShiftLeft, [](auto x, auto amount) { return amount < kBits<decltype(x)> ? x << amount : 0; }),
    Binary(&kShiftRightLogical, [](auto x, auto amount) { return amount < kBits<decltype(x)> ? x >> amount : 0; }),
    Binary(&kShiftRightArithmetic, [](auto x, auto amount) { return ShiftRightSigned(x, amount); }),
    Unary(&kPopulationCount, [](auto x) { return CountOnes(x); }),
    Unary(&kCountLeadingZeros, [](auto x) { return CountZerosAbove(x); }),
};

template <class U>
constexpr TileFn kTopBit = ScalarUnary<uint8_t, U, decltype([](U x) { return x >> (kBits<U> - 1); })>;

}  // namespace

TileFn FindIntegerArithmetic(const OpDef* op, uint8_t from, uint8_t to) {
  if (op == &kSignBit && to == kCodeBool) {
    return from == kCodeF32 ? kTopBit<uint32_t> : from == kCodeF64 ? kTopBit<uint64_t> : nullptr;
  }
  if (to != from) return nullptr;
  // A bool is a byte of 0 or 1.
  return FindRow(kRows, op, op == &kXor && from == kCodeBool ? uint8_t{kCodeU8} : from);
}

}  // namespace tenferro
