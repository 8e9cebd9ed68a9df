// Arithmetic and comparison of f32 and f64.

#include "tenferro/cpu/kernels/compare_loop.h"
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

template <bool kSwapped, bool kComplement, class F>
constexpr Row CompareRow(const OpDef* op, F) {
  return {op, Compare<float, F, kSwapped, kComplement>, Compare<double, F, kSwapped, kComplement>};
}

constexpr auto kEqual = [](auto a, auto b) { return hn::Eq(a, b); };
constexpr auto kLess = [](auto a, auto b) { return hn::Lt(a, b); };
constexpr auto kLessOrEqual = [](auto a, auto b) { return hn::Le(a, b); };

// With NaN only "not equal" is the opposite of another.
constexpr Row kComparisons[] = {
    CompareRow<false, false>(&kEq, kEqual),       CompareRow<false, true>(&kNe, kEqual),
    CompareRow<false, false>(&kLt, kLess),        CompareRow<true, false>(&kGt, kLess),
    CompareRow<false, false>(&kLe, kLessOrEqual), CompareRow<true, false>(&kGe, kLessOrEqual),
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
