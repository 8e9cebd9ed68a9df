#ifndef TENFERRO_CPU_KERNELS_LINE_SUMS_H_
#define TENFERRO_CPU_KERNELS_LINE_SUMS_H_

// Sums of f32, f64, c64 and c128 that keep their rounding errors, for kernel files that are compiled once per
// instruction set.
//
// The rounding error of every addition is carried along, so that a sum is as if made in far more bits and rounded once.
// A running sum that starts far above its terms finds each error in three operations: T. J. Dekker, Numer. Math. 18,
// 224 (1971), exact where the sum is the larger one. Where terms outgrow it, an addition may lose half a unit in the
// last place of its term, so the error is at most that of two roundings of the sum of magnitudes, however many terms
// there are.

#include "tenferro/cpu/kernels/vector.h"

namespace tenferro::TENFERRO_ISA {
namespace {

// A line is read as rows of 64 bytes, the longest vector.
template <class T>
constexpr int64_t kRow = 64 / sizeof(T);

// On processors that add in other units than they multiply in, half of the additions go to the latter: a · 1 + b is
// a + b in every bit.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
template <class V>
HWY_INLINE V AddByProduct(V a, V b) {
  return hn::MulAdd(b, Constant(b, 1), a);
}
template <class V>
HWY_INLINE V SubByProduct(V a, V b) {
  return hn::NegMulAdd(b, Constant(b, 1), a);
}
#else
template <class V>
HWY_INLINE V AddByProduct(V a, V b) {
  return hn::Add(a, b);
}
template <class V>
HWY_INLINE V SubByProduct(V a, V b) {
  return hn::Sub(a, b);
}
#endif

template <class V>
HWY_INLINE void AddToLarger(V& sum, V& error, V x) {
  const V total = hn::Add(sum, x);
  error = AddByProduct(error, hn::Sub(x, SubByProduct(total, sum)));
  sum = total;
}

// The same for two terms.
#if HWY_TARGET == HWY_AVX3
// Zen 4 takes a fifth more cycles for additions and products in turn than for two of a kind in turn: the compiler must
// have the values in registers in this order.
#define TENFERRO_IN_REGISTERS(x, y) asm volatile("" : "+v"((x).raw), "+v"((y).raw))
template <class V>
HWY_INLINE void AddTwoToLarger(V& sum0, V& error0, V x0, V& sum1, V& error1, V x1) {
  TENFERRO_IN_REGISTERS(x0, x1);
  V total0 = hn::Add(sum0, x0), total1 = hn::Add(sum1, x1);
  TENFERRO_IN_REGISTERS(total0, total1);
  V taken0 = SubByProduct(total0, sum0), taken1 = SubByProduct(total1, sum1);
  TENFERRO_IN_REGISTERS(taken0, taken1);
  V lost0 = hn::Sub(x0, taken0), lost1 = hn::Sub(x1, taken1);
  TENFERRO_IN_REGISTERS(lost0, lost1);
  error0 = AddByProduct(error0, lost0), error1 = AddByProduct(error1, lost1);
  TENFERRO_IN_REGISTERS(error0, error1);
  sum0 = total0, sum1 = total1;
}
#undef TENFERRO_IN_REGISTERS
#else
template <class V>
HWY_INLINE void AddTwoToLarger(V& sum0, V& error0, V x0, V& sum1, V& error1, V x1) {
  AddToLarger(sum0, error0, x0);
  AddToLarger(sum1, error1, x1);
}
#endif

// The same for terms of any size: D. E. Knuth's two-sum.
template <class V>
HWY_INLINE void AddAny(V& sum, V& error, V x) {
  const V total = hn::Add(sum, x);
  const V taken = hn::Sub(total, sum);
  error = hn::Add(error, hn::Add(hn::Sub(sum, hn::Sub(total, taken)), hn::Sub(x, taken)));
  sum = total;
}

// Where running sums start: above any sum of a chunk of terms like these two, and so that what falls below its last bit
// adds up to far less than that of the terms. Nowhere if it would reach the last bit of the largest number.
template <class V>
HWY_INLINE V StartAbove(V x, V y) {
  constexpr bool kIsDouble = sizeof(hn::TFromV<V>) == 8;
  const V start = hn::Mul(hn::Add(hn::Abs(x), hn::Abs(y)), Constant(x, kIsDouble ? 0x1p40 : 0x1p12));
  return hn::IfThenZeroElse(hn::Gt(start, Constant(x, kIsDouble ? 0x1p960 : 0x1p100)), start);
}

// The sum of the vectors at the starts of some rows, and what its additions lost: rows go to four running sums in turn,
// which are then added.
template <class T>
HWY_INLINE void SumRows(const T* from, int64_t rows, Vector<T>& sum, Vector<T>& error) {
  const Tag<T> d;
  constexpr int64_t kR = kRow<T>;
  const auto zero = hn::Zero(d);
  const auto start = rows > 1 ? StartAbove(hn::LoadU(d, from), hn::LoadU(d, from + kR)) : zero;
  sum = start;
  error = zero;
  int64_t row = 0;
  if (rows < 4) {
    for (; row < rows; ++row, from += kR) AddToLarger(sum, error, hn::LoadU(d, from));
    sum = hn::Sub(sum, start);
    return;
  }
  auto sum1 = start, sum2 = start, sum3 = start, error1 = zero, error2 = zero, error3 = zero;
  for (; row + 3 < rows; row += 4, from += 4 * kR) {
    AddTwoToLarger(sum, error, hn::LoadU(d, from), sum1, error1, hn::LoadU(d, from + kR));
    AddTwoToLarger(sum2, error2, hn::LoadU(d, from + 2 * kR), sum3, error3, hn::LoadU(d, from + 3 * kR));
  }
  for (; row < rows; ++row, from += kR) AddToLarger(sum, error, hn::LoadU(d, from));
  // No rounding here unless a sum has doubled or halved.
  sum = hn::Sub(sum, start);
  sum1 = hn::Sub(sum1, start);
  sum2 = hn::Sub(sum2, start);
  sum3 = hn::Sub(sum3, start);
  AddAny(sum, error, sum1);
  AddAny(sum2, error2, sum3);
  AddAny(sum, error, sum2);
  error = hn::Add(hn::Add(error, error1), hn::Add(error2, error3));
}

// The first `count` lanes, the others 0.
template <class T>
HWY_INLINE Vector<T> LoadOrZero(const T* from, int64_t count) {
  const Tag<T> d;
  if (count >= kLanes<T>) return hn::LoadU(d, from);
  if (count <= 0) return hn::Zero(d);
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  return LoadFirst<T>(from, count);
#else
  T lanes[kLanes<T>] = {};
  for (int64_t i = 0; i < count; ++i) lanes[i] = from[i];
  return hn::LoadU(d, lanes);
#endif
}

// Adds the halves of a vector, and theirs, until kTo lanes are left.
template <int kTo, class T, class V>
HWY_INLINE void StoreFolded(V total, V lost, T* sum, T* error) {
  const hn::DFromV<V> d;
  if constexpr (hn::MaxLanes(d) > kTo) {
    const hn::Half<decltype(d)> half;
    auto lower = hn::LowerHalf(half, total), lower_lost = hn::LowerHalf(half, lost);
    AddAny(lower, lower_lost, hn::UpperHalf(half, total));
    StoreFolded<kTo>(lower, hn::Add(lower_lost, hn::UpperHalf(half, lost)), sum, error);
  } else {
    hn::StoreU(total, d, sum);
    hn::StoreU(lost, d, error);
  }
}

// The sum of a line's rows, the last filled up with zeros, and of their halves until kTo lanes are left.
template <int kTo, class T>
HWY_INLINE void SumToLanes(T* sum, T* error, const T* x, int64_t count) {
  const Tag<T> d;
  constexpr int64_t kR = kRow<T>, kN = kLanes<T>;
  const int64_t rows = count / kR, rest = count % kR;
  alignas(64) T row_sum[kR], row_error[kR];
  for (int64_t i = 0; i < kR; i += kN) {
    Vector<T> total, lost;
    SumRows<T>(x + i, rows, total, lost);
    if (i < rest) AddAny(total, lost, LoadOrZero(x + rows * kR + i, rest - i));
    hn::StoreU(total, d, row_sum + i);
    hn::StoreU(lost, d, row_error + i);
  }
  for (int64_t width = kR / 2; width >= kN && width >= kTo; width /= 2) {
    for (int64_t i = 0; i < width; i += kN) {
      auto total = hn::LoadU(d, row_sum + i), lost = hn::LoadU(d, row_error + i);
      AddAny(total, lost, hn::LoadU(d, row_sum + width + i));
      hn::StoreU(total, d, row_sum + i);
      hn::StoreU(hn::Add(lost, hn::LoadU(d, row_error + width + i)), d, row_error + i);
    }
  }
  for (int64_t i = 0; i < kTo || i == 0; i += kN) {
    StoreFolded<kTo>(hn::LoadU(d, row_sum + i), hn::LoadU(d, row_error + i), sum + i, error + i);
  }
}

// The error of an infinite sum is not a number and means nothing. All sums that are not numbers have the same bits.
template <class V>
HWY_INLINE V Rounded(V sum, V error) {
  const V total = hn::Add(sum, error);
  const V special = hn::IfThenElse(hn::IsNaN(sum), Constant(sum, __builtin_nan("")), sum);
  return hn::IfThenElse(hn::IsNaN(total), special, total);
}

// The sum of elements of kElement parts, whose halves are added in the same order with every instruction set.
template <class T, int kElement>
HWY_NOINLINE void SumLine(T* result, const T* x, int64_t count) {
  T sum[kElement], error[kElement];
  SumToLanes<kElement>(sum, error, x, count);
  const hn::CappedTag<T, kElement> d;
  hn::StoreU(Rounded(hn::LoadU(d, sum), hn::LoadU(d, error)), d, result);
}

// SumLine for real lines one after another: the last halves of many lines are added side by side.
template <class T>
HWY_NOINLINE void SumLines(T* result, const T* x, int64_t count, int64_t lines) {
  constexpr int64_t kLast = 4, kTogether = 16, kN = kLanes<T>;
  const Tag<T> d;
  alignas(64) T sums[kTogether * kLast], errors[kTogether * kLast];
  for (; lines >= kTogether; lines -= kTogether) {
    for (int64_t line = 0; line < kTogether; ++line, x += count) {
      SumToLanes<kLast>(sums + line * kLast, errors + line * kLast, x, count);
    }
    for (int64_t line = 0; line < kTogether; line += kN, result += kN) {
      Vector<T> sum0, sum1, sum2, sum3, error0, error1, error2, error3;
      hn::LoadInterleaved4(d, sums + line * kLast, sum0, sum1, sum2, sum3);
      hn::LoadInterleaved4(d, errors + line * kLast, error0, error1, error2, error3);
      AddAny(sum0, error0, sum2);
      AddAny(sum1, error1, sum3);
      AddAny(sum0, error0, sum1);
      hn::StoreU(Rounded(sum0, hn::Add(hn::Add(error0, error2), hn::Add(error1, error3))), d, result);
    }
  }
  for (; lines > 0; --lines, x += count, ++result) SumLine<T, 1>(result, x, count);
}

}  // namespace
}  // namespace tenferro::TENFERRO_ISA

#endif  // TENFERRO_CPU_KERNELS_LINE_SUMS_H_
