// Comparisons and arithmetic of i64, and of u64 where the sign does not matter: the baseline instruction set has no
// vectors for them.

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

template <class F>
constexpr Row BinaryRow(const OpDef* op, F) {
  return {op, Binary<int64_t, kSingle, 1, F>};
}
template <bool kSwapped, bool kComplement, class F>
constexpr Row CompareRow(const OpDef* op, F) {
  return {op, Compare<int64_t, F, kSwapped, kComplement>};
}

constexpr auto kEqual = [](auto a, auto b) { return hn::Eq(a, b); };
constexpr auto kLess = [](auto a, auto b) { return hn::Lt(a, b); };

constexpr Row kComparisons[] = {
    CompareRow<false, false>(&kEq, kEqual), CompareRow<false, true>(&kNe, kEqual),
    CompareRow<false, false>(&kLt, kLess),  CompareRow<true, true>(&kLe, kLess),
    CompareRow<true, false>(&kGt, kLess),   CompareRow<false, true>(&kGe, kLess),
};

constexpr Row kArithmetic[] = {
    BinaryRow(&kMul, [](auto a, auto b) { return hn::Mul(a, b); }),
    BinaryRow(&kMax, [](auto a, auto b) { return hn::Max(a, b); }),
    BinaryRow(&kMin, [](auto a, auto b) { return hn::Min(a, b); }),
};

}  // namespace

TileFn FindIntegerVectors(const OpDef* op, uint8_t from, uint8_t to) {
  if (from != kCodeI64 && !(from == kCodeU64 && (op == &kEq || op == &kNe || op == &kMul))) return nullptr;
  if (to == kCodeBool) {
    for (const Row& row : kComparisons) {
      if (row.op == op) return row.fn;
    }
  } else if (to == from) {
    for (const Row& row : kArithmetic) {
      if (row.op == op) return row.fn;
    }
  }
  return nullptr;
}

#else

TileFn FindIntegerVectors(const OpDef*, uint8_t, uint8_t) { return nullptr; }

#endif

}  // namespace tenferro::TENFERRO_ISA
