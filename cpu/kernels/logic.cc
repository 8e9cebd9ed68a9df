// Comparison of integers and booleans, equality of complex numbers, logic, and select where elements have 1 or 16
// bytes.

#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/families.h"
#include "tenferro/cpu/kernels/scalar_loop.h"
#include "tenferro/runtime/ops/elementwise_records.h"

namespace tenferro {
namespace {

template <class T>
struct Complex {
  T re, im;
  friend bool operator==(Complex a, Complex b) { return (a.re == b.re) & (a.im == b.im); }
};

template <TileFn kFn>
void Swapped(void* out, const void* const* in, int64_t n) {
  const void* const operands[] = {in[1], in[0]};
  kFn(out, operands, n);
}

// Comparisons for each code, nullptr where another file has them or none exists.
struct Comparison {
  const OpDef* op;
  TileFn fn[kElementCodes];
};

template <class F>
constexpr Comparison Equality(const OpDef* op, F) {
  constexpr TileFn k1 = ScalarBinary<uint8_t, uint8_t, F>, k4 = ScalarBinary<uint8_t, uint32_t, F>,
                   k8 = ScalarBinary<uint8_t, uint64_t, F>;
  return {op,
          {k1, k4, k8, k1, k4, k8, nullptr, nullptr, ScalarBinary<uint8_t, Complex<float>, F>,
           ScalarBinary<uint8_t, Complex<double>, F>}};
}
template <class F>
constexpr Comparison Order(const OpDef* op, F) {
  constexpr TileFn k1 = ScalarBinary<uint8_t, uint8_t, F>;
  return {op,
          {k1, ScalarBinary<uint8_t, int32_t, F>, ScalarBinary<uint8_t, int64_t, F>, k1,
           ScalarBinary<uint8_t, uint32_t, F>, ScalarBinary<uint8_t, uint64_t, F>}};
}
template <class F>
constexpr Comparison SwappedOrder(const OpDef* op, F) {
  constexpr TileFn k1 = Swapped<ScalarBinary<uint8_t, uint8_t, F>>;
  return {op,
          {k1, Swapped<ScalarBinary<uint8_t, int32_t, F>>, Swapped<ScalarBinary<uint8_t, int64_t, F>>, k1,
           Swapped<ScalarBinary<uint8_t, uint32_t, F>>, Swapped<ScalarBinary<uint8_t, uint64_t, F>>}};
}

constexpr auto kLess = [](auto a, auto b) { return a < b; };
constexpr auto kLessOrEqual = [](auto a, auto b) { return a <= b; };

constexpr Comparison kComparisons[] = {
    Equality(&kEq, [](auto a, auto b) { return a == b; }),
    Equality(&kNe, [](auto a, auto b) { return !(a == b); }),
    Order(&kLt, kLess),
    Order(&kLe, kLessOrEqual),
    SwappedOrder(&kGt, kLess),
    SwappedOrder(&kGe, kLessOrEqual),
};

// Bit by bit, so by bytes: kSize is that of an element.
template <int kSize, class F>
void BytesUnary(void* out, const void* const* in, int64_t n) {
  ScalarUnary<uint8_t, uint8_t, F>(out, in, n * kSize);
}
template <int kSize, class F>
void BytesBinary(void* out, const void* const* in, int64_t n) {
  ScalarBinary<uint8_t, uint8_t, F>(out, in, n * kSize);
}

// By the size of an integer or boolean element: 1, 4, 8 bytes.
struct Bitwise {
  const OpDef* op;
  TileFn fn[3];
};

template <class F>
constexpr Bitwise BitwiseRow(const OpDef* op, F) {
  return {op, {BytesBinary<1, F>, BytesBinary<4, F>, BytesBinary<8, F>}};
}

constexpr auto kBoth = [](uint8_t a, uint8_t b) { return a & b; };
constexpr auto kEither = [](uint8_t a, uint8_t b) { return a | b; };
constexpr auto kComplement = [](uint8_t x) { return ~x; };
constexpr auto kLogicalNot = [](uint8_t x) { return x ^ 1; };

constexpr Bitwise kBitwise[] = {
    BitwiseRow(&kAnd, kBoth),
    BitwiseRow(&kOr, kEither),
    {&kNot,
     {BytesUnary<1, decltype(kComplement)>, BytesUnary<4, decltype(kComplement)>,
      BytesUnary<8, decltype(kComplement)>}},
};

TileFn FindBitwise(const OpDef* op, uint8_t code) {
  const int size = code == kCodeBool || code == kCodeU8 ? 0 : code == kCodeI32 || code == kCodeU32 ? 1 : 2;
  if (code == kCodeBool) {
    if (op == &kNot) return BytesUnary<1, decltype(kLogicalNot)>;
    if (op == &kMax) return BytesBinary<1, decltype(kEither)>;
    if (op == &kMin) return BytesBinary<1, decltype(kBoth)>;
  }
  for (const Bitwise& row : kBitwise) {
    if (row.op == op) return row.fn[size];
  }
  return nullptr;
}

template <class T>
void Select(void* out, const void* const* in, int64_t n) {
  T* to = static_cast<T*>(out);
  const uint8_t* condition = static_cast<const uint8_t*>(in[0]);
  const T* a = static_cast<const T*>(in[1]);
  const T* b = static_cast<const T*>(in[2]);
  TENFERRO_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) to[i] = condition[i] ? a[i] : b[i];
}

}  // namespace

TileFn FindLogic(const OpDef* op, uint8_t from, uint8_t to) {
  if (from >= kElementCodes) return nullptr;
  if (op == &kSelect && from == to) {
    if (from == kCodeBool || from == kCodeU8) return Select<uint8_t>;
    return from == kCodeC128 ? Select<Complex<double>> : nullptr;
  }
  if (to == kCodeBool) {
    for (const Comparison& row : kComparisons) {
      if (row.op == op) return row.fn[from];
    }
  }
  return from == to && from <= kCodeU64 ? FindBitwise(op, from) : nullptr;
}

}  // namespace tenferro
