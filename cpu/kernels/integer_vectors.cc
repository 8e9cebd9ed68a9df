// Comparisons, arithmetic and casts of integers for which the baseline instruction set has no vectors, or slow ones: most
// of i64 and u64, products of i32 and u32, f64 to i64.

#include "tenferro/cpu/kernels/compare_loop.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/families.h"
#include "tenferro/runtime/ops/elementwise_records.h"

namespace tenferro::TENFERRO_ISA {

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
namespace {

struct Row {
  const OpDef* op;
  TileFn fn;
};

template <class T, class F>
constexpr Row BinaryRow(const OpDef* op, F) {
  return {op, Binary<T, kSingle, 1, F>};
}
template <class T, class F>
constexpr Row UnaryRow(const OpDef* op, F) {
  return {op, Unary<T, kSingle, 1, F>};
}
template <class T, bool kSwapped, bool kComplement, class F>
constexpr Row CompareRow(const OpDef* op, F) {
  return {op, Compare<T, F, kSwapped, kComplement>};
}

constexpr auto kEqual = [](auto a, auto b) { return hn::Eq(a, b); };
constexpr auto kLess = [](auto a, auto b) { return hn::Lt(a, b); };

// Equality is that of signed numbers.
template <class T>
constexpr Row kComparisons[] = {
    CompareRow<int64_t, false, false>(&kEq, kEqual), CompareRow<int64_t, false, true>(&kNe, kEqual),
    CompareRow<T, false, false>(&kLt, kLess),        CompareRow<T, true, true>(&kLe, kLess),
    CompareRow<T, true, false>(&kGt, kLess),         CompareRow<T, false, true>(&kGe, kLess),
};

constexpr auto kProduct = [](auto a, auto b) { return hn::Mul(a, b); };
constexpr auto kSquared = [](auto x) { return hn::Mul(x, x); };
constexpr auto kComplement = [](auto x) { return hn::Not(x); };
constexpr auto kLarger = [](auto a, auto b) { return hn::Max(a, b); };
constexpr auto kSmaller = [](auto a, auto b) { return hn::Min(a, b); };

constexpr Row kInteger64[] = {
    BinaryRow<int64_t>(&kMul, kProduct),
    UnaryRow<int64_t>(&kSquare, kSquared),
    UnaryRow<int64_t>(&kNot, kComplement),
    BinaryRow<int64_t>(&kMax, kLarger),
    BinaryRow<int64_t>(&kMin, kSmaller),
    UnaryRow<int64_t>(&kAbs, [](auto x) { return hn::Max(x, hn::Sub(hn::Xor(x, x), x)); }),
    UnaryRow<int64_t>(&kSign,
                      [](auto x) {
                        const auto one = Constant(x, 1);
                        return hn::Min(hn::Max(x, hn::Sub(hn::Xor(x, x), one)), one);
                      }),
};
// Products are those of i64.
constexpr Row kUnsigned64[] = {
    BinaryRow<int64_t>(&kMul, kProduct),
    UnaryRow<int64_t>(&kSquare, kSquared),
    UnaryRow<int64_t>(&kNot, kComplement),
    BinaryRow<uint64_t>(&kMax, kLarger),
    BinaryRow<uint64_t>(&kMin, kSmaller),
    UnaryRow<uint64_t>(&kSign, [](auto x) { return hn::Min(x, Constant(x, 1)); }),
};
constexpr Row kInteger32[] = {
    BinaryRow<int32_t>(&kMul, kProduct),
    UnaryRow<int32_t>(&kSquare, kSquared),
    UnaryRow<int32_t>(&kNot, kComplement),
};

#if HWY_TARGET == HWY_AVX3
// Values beyond the range give its end, NaN gives 0.
constexpr auto kTruncated = [](auto x) {
  const hn::DFromV<decltype(x)> d;
  const hn::RebindToSigned<decltype(d)> integers;
  return hn::BitCast(d, hn::ConvertTo(integers, hn::IfThenZeroElse(hn::IsNaN(x), x)));
};
constexpr Row kToInteger64[] = {UnaryRow<double>(&kCast, kTruncated), UnaryRow<double>(&kConvert, kTruncated)};
#endif

template <int kCount>
TileFn Find(const Row (&rows)[kCount], const OpDef* op) {
  for (const Row& row : rows) {
    if (row.op == op) return row.fn;
  }
  return nullptr;
}

}  // namespace

TileFn FindIntegerVectors(const OpDef* op, uint8_t from, uint8_t to) {
#if HWY_TARGET == HWY_AVX3
  if (from == kCodeF64 && to == kCodeI64) return Find(kToInteger64, op);
#endif
  if (to != kCodeBool && to != from) return nullptr;
  const bool compares = to == kCodeBool;
  switch (from) {
    case kCodeI64: return compares ? Find(kComparisons<int64_t>, op) : Find(kInteger64, op);
    case kCodeU64: return compares ? Find(kComparisons<uint64_t>, op) : Find(kUnsigned64, op);
    case kCodeI32:
    case kCodeU32: return compares ? nullptr : Find(kInteger32, op);
    default: return nullptr;
  }
}

#else

TileFn FindIntegerVectors(const OpDef*, uint8_t, uint8_t) { return nullptr; }

#endif

}  // namespace tenferro::TENFERRO_ISA
