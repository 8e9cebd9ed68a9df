// Arithmetic and comparison of f32 and f64.

#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/families.h"
#include "tenferro/cpu/kernels/reduce_families.h"
#include "tenferro/cpu/kernels/vector.h"
#include "tenferro/runtime/ops/elementwise_records.h"

namespace tenferro::TENFERRO_ISA {
namespace {

struct Row {
  const OpDef* op;
  TileFn f32;
  TileFn f64;
};

template <class F>
constexpr Row UnaryRow(const OpDef* op, F) {
  return {op, Unary<float, kUnrolled, 1, F>, Unary<double, kUnrolled, 1, F>};
}
template <class F>
constexpr Row BinaryRow(const OpDef* op, F) {
  return {op, Binary<float, kUnrolled, 1, F>, Binary<double, kUnrolled, 1, F>};
}

constexpr Row kSum = BinaryRow(&kAdd, [](auto a, auto b) { return hn::Add(a, b); });
constexpr Row kProduct = BinaryRow(&kMul, [](auto a, auto b) { return hn::Mul(a, b); });
constexpr Row kMaximum = BinaryRow(&kMax, [](auto a, auto b) { return Maximum(a, b); });
constexpr Row kMinimum = BinaryRow(&kMin, [](auto a, auto b) { return Minimum(a, b); });

constexpr Row kArithmetic[] = {
    kSum,
    kProduct,
    kMaximum,
    kMinimum,
    BinaryRow(&kSub, [](auto a, auto b) { return hn::Sub(a, b); }),
    BinaryRow(&kDiv, [](auto a, auto b) { return hn::Div(a, b); }),
    UnaryRow(&kNeg, [](auto x) { return hn::Neg(x); }),
    UnaryRow(&kAbs, [](auto x) { return hn::Abs(x); }),
    UnaryRow(&kSquare, [](auto x) { return hn::Mul(x, x); }),
    UnaryRow(&kSqrt, [](auto x) { return hn::Sqrt(x); }),
    UnaryRow(&kRsqrt, [](auto x) { return hn::Div(Constant(x, 1), hn::Sqrt(x)); }),
    // Zero of either sign and NaN are their own sign.
    UnaryRow(
        &kSign,
        [](auto x) { return hn::IfThenElse(hn::Gt(hn::Abs(x), Constant(x, 0)), hn::CopySign(Constant(x, 1), x), x); }),
};

// Bits to bytes of 0 or 1: bit k goes to byte k. Adding 127 carries whichever bit is set to the top of its byte.
HWY_INLINE uint64_t SpreadBits(uint64_t bits) {
  const uint64_t ones = (bits & 0xff) * 0x0101010101010101u & 0x8040201008040201u;
  return (ones + 0x7f7f7f7f7f7f7f7fu) >> 7 & 0x0101010101010101u;
}

// to[i] = F(a[i], b[i]) as a byte, 8 or more at a time.
template <class T, class F>
void Compare(void* out, const void* const* in, int64_t n) {
  const Tag<T> d;
  constexpr int64_t kN = kLanes<T>;
  constexpr int64_t kBlock = kN < 8 ? 8 : kN;
  uint8_t* to = static_cast<uint8_t*>(out);
  const T* a = static_cast<const T*>(in[0]);
  const T* b = static_cast<const T*>(in[1]);
  for (int64_t i = 0; i < n; i += kBlock, a += kBlock, b += kBlock, to += kBlock) {
    const int64_t count = n - i < kBlock ? n - i : kBlock;
    uint64_t bits = 0;
    HWY_UNROLL(4)
    for (int64_t j = 0; j < kBlock; j += kN) {
      if (j >= count) break;
      const bool whole = j + kN <= count;
      const auto x = whole ? hn::LoadU(d, a + j) : LoadFirst<T>(a + j, count - j);
      const auto y = whole ? hn::LoadU(d, b + j) : LoadFirst<T>(b + j, count - j);
      uint8_t mask[8] = {};
      hn::StoreMaskBits(d, F()(x, y), mask);
      uint64_t word;
      memcpy(&word, mask, 8);
      bits |= word << j;
    }
    if (count == kBlock) {
      for (int64_t j = 0; j < kBlock; j += 8) {
        const uint64_t bytes = SpreadBits(bits >> j);
        memcpy(to + j, &bytes, 8);
      }
    } else {
      for (int64_t j = 0; j < count; ++j) to[j] = bits >> j & 1;
    }
  }
}

template <TileFn kFn>
void Swapped(void* out, const void* const* in, int64_t n) {
  const void* const operands[] = {in[1], in[0]};
  kFn(out, operands, n);
}

template <class F>
constexpr Row CompareRow(const OpDef* op, F) {
  return {op, Compare<float, F>, Compare<double, F>};
}
template <class F>
constexpr Row SwappedRow(const OpDef* op, F) {
  return {op, Swapped<Compare<float, F>>, Swapped<Compare<double, F>>};
}

constexpr auto kLess = [](auto a, auto b) { return hn::Lt(a, b); };
constexpr auto kLessOrEqual = [](auto a, auto b) { return hn::Le(a, b); };

constexpr Row kComparisons[] = {
    CompareRow(&kEq, [](auto a, auto b) { return hn::Eq(a, b); }),
    // Some instruction sets' hn::Ne is false for NaN.
    CompareRow(&kNe, [](auto a, auto b) { return hn::Not(hn::Eq(a, b)); }),
    CompareRow(&kLt, kLess),
    CompareRow(&kLe, kLessOrEqual),
    SwappedRow(&kGt, kLess),
    SwappedRow(&kGe, kLessOrEqual),
};

}  // namespace

const TileFn kRealCombine[4][2] = {
    {kSum.f32, kSum.f64}, {kProduct.f32, kProduct.f64}, {kMaximum.f32, kMaximum.f64}, {kMinimum.f32, kMinimum.f64}};

TileFn FindReal(const OpDef* op, uint8_t from, uint8_t to) {
  if (from != kCodeF32 && from != kCodeF64) return nullptr;
  if (to == from) {
    for (const Row& row : kArithmetic) {
      if (row.op == op) return from == kCodeF32 ? row.f32 : row.f64;
    }
  } else if (to == kCodeBool) {
    for (const Row& row : kComparisons) {
      if (row.op == op) return from == kCodeF32 ? row.f32 : row.f64;
    }
  }
  return nullptr;
}

}  // namespace tenferro::TENFERRO_ISA
