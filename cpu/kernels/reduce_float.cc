// Reductions of f32, f64, c64 and c128.

#include "tenferro/cpu/kernels/complex_vector.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/reduce_families.h"
#include "tenferro/cpu/kernels/vector.h"

namespace tenferro::TENFERRO_ISA {
namespace {

// kParts: lanes that one combination takes together.
struct Sum {
  static constexpr ReduceKind kKind = ReduceKind::kSum;
  static constexpr int kParts = 1;
  static constexpr double kIdentity = 0;
  template <class V>
  static HWY_INLINE V Of(V a, V b) {
    return hn::Add(a, b);
  }
};
struct Prod {
  static constexpr ReduceKind kKind = ReduceKind::kProd;
  static constexpr int kParts = 1;
  static constexpr double kIdentity = 1;
  template <class V>
  static HWY_INLINE V Of(V a, V b) {
    return hn::Mul(a, b);
  }
};
struct ComplexProd {
  static constexpr ReduceKind kKind = ReduceKind::kProd;
  static constexpr int kParts = 2;
  static constexpr double kIdentity = 1;
  template <class V>
  static HWY_INLINE V Of(V a, V b) {
    return Product(a, b);
  }
};
struct Max {
  static constexpr ReduceKind kKind = ReduceKind::kMax;
  static constexpr int kParts = 1;
  static constexpr double kIdentity = -__builtin_inf();
  template <class V>
  static HWY_INLINE V Of(V a, V b) {
    return Maximum(a, b);
  }
};
struct Min {
  static constexpr ReduceKind kKind = ReduceKind::kMin;
  static constexpr int kParts = 1;
  static constexpr double kIdentity = __builtin_inf();
  template <class V>
  static HWY_INLINE V Of(V a, V b) {
    return Minimum(a, b);
  }
};

// A chunk is read as rows of 64 bytes, the longest vector. Neighbouring rows are combined in pairs, the results again,
// up to one row, whose halves are combined down to one element: an error of log n roundings, in the same order with
// every instruction set. Nothing is combined with an identity: one element is its own result in every bit.
template <class T>
constexpr int64_t kRow = 64 / sizeof(T);
constexpr int64_t kGroup = 8;

// Some elements that fill rows, the last perhaps in part.
struct Rows {
  int64_t rows;
  int64_t last;  // lanes of the last row
};

// to[i] = a[i] ∘ b[i] for i < count, a few lanes at a time; to may be a.
template <class T, class Op>
HWY_NOINLINE void CombineLanes(T* to, const T* a, const T* b, int64_t count) {
  const hn::CappedTag<T, Op::kParts> d;
  for (int64_t i = 0; i < count; i += Op::kParts)
    hn::StoreU(Op::Of(hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, to + i);
}

template <class T>
HWY_INLINE void CopyLanes(T* to, const T* from, int64_t count) {
  for (int64_t i = 0; i < count; ++i) to[i] = from[i];
}

// to[r] = x[2r] ∘ x[2r + 1] for each pair of rows; to may be x. Returns what is left.
template <class T, class Op>
HWY_NOINLINE Rows CombinePairs(T* to, const T* x, Rows from) {
  const Tag<T> d;
  constexpr int64_t kR = kRow<T>;
  const int64_t whole = from.last == kR ? from.rows : from.rows - 1;
  int64_t row = 0;
  for (; row + 1 < whole; row += 2, to += kR, x += 2 * kR) {
    for (int64_t i = 0; i < kR; i += kLanes<T>) {
      hn::StoreU(Op::Of(hn::LoadU(d, x + i), hn::LoadU(d, x + kR + i)), d, to + i);
    }
  }
  const int64_t rows = (from.rows + 1) / 2;
  if (row == from.rows) return {rows, kR};
  if (row + 1 == from.rows) {
    CopyLanes(to, x, from.last);
    return {rows, from.last};
  }
  CopyLanes(to, x, kR);
  CombineLanes<T, Op>(to, to, x + kR, from.last);
  return {rows, kR};
}

// Combines each eight rows of x to one of `to`, which may be x. Returns what is left.
template <class T, class Op>
HWY_NOINLINE Rows CombineGroups(T* to, const T* x, Rows from) {
  const Tag<T> d;
  constexpr int64_t kR = kRow<T>;
  const int64_t whole = from.last == kR ? from.rows : from.rows - 1;
  const int64_t groups = whole / kGroup;
  for (int64_t g = 0; g < groups; ++g, x += kGroup * kR, to += kR) {
    for (int64_t i = 0; i < kR; i += kLanes<T>) {
      const auto pair = [&](int64_t row) {
        return Op::Of(hn::LoadU(d, x + row * kR + i), hn::LoadU(d, x + (row + 1) * kR + i));
      };
      hn::StoreU(Op::Of(Op::Of(pair(0), pair(2)), Op::Of(pair(4), pair(6))), d, to + i);
    }
  }
  Rows rest = {from.rows - groups * kGroup, from.last};
  if (rest.rows == 0) return {groups, kR};
  if (rest.rows == 1) {
    CopyLanes(to, x, rest.last);
  } else {
    rest = CombinePairs<T, Op>(to, x, rest);
    while (rest.rows > 1) rest = CombinePairs<T, Op>(to, to, rest);
  }
  return {groups + 1, rest.last};
}

// The operation's part in a reduction.
template <class T>
struct Steps {
  Rows (*groups)(T* to, const T* x, Rows from);
  void (*lanes)(T* to, const T* a, const T* b, int64_t count);
};

// `element` is the number of T to an element, `count` a positive number of T.
template <class T>
HWY_NOINLINE void ReduceLanes(T* result, const T* x, int64_t count, int element, const Steps<T>& steps) {
  // A row to each group, and those of the last group's pairs.
  T buffer[kReduceChunk * 2 / kGroup + kGroup * kRow<T>];
  Rows left = {(count + kRow<T> - 1) / kRow<T>, (count - 1) % kRow<T> + 1};
  while (left.rows > 1) {
    left = steps.groups(buffer, x, left);
    x = buffer;
  }
  int64_t present = left.last;
  for (int64_t width = kRow<T> / 2; width >= element; width /= 2) {
    if (width >= present) continue;
    steps.lanes(buffer, x, x + width, present - width);
    if (x != buffer) CopyLanes(buffer + present - width, x + present - width, 2 * width - present);
    present = width;
    x = buffer;
  }
  for (int part = 0; part < element; ++part) result[part] = x[part];
}

// Sums carry the rounding error of every addition along, so that the sum of a chunk is as if made in far more bits and
// rounded once. A running sum that starts far above its terms finds each error in three operations: T. J. Dekker,
// Numer. Math. 18, 224 (1971), exact where the sum is the larger one. Where terms outgrow it, an addition may lose half
// a unit in the last place of its term, so the error is at most that of two roundings of the sum of magnitudes, however
// many terms there are.
//
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

// Adds lanes kWidth … 2 kWidth to the lanes before them, and so on down to kElement lanes.
template <class T, int kWidth, int kElement>
HWY_INLINE void AddHalves(T* sum, T* error) {
  if constexpr (kWidth >= kElement) {
    const hn::CappedTag<T, kWidth> d;
    for (size_t i = 0; i < kWidth; i += hn::Lanes(d)) {
      auto total = hn::LoadU(d, sum + i), lost = hn::LoadU(d, error + i);
      AddAny(total, lost, hn::LoadU(d, sum + kWidth + i));
      hn::StoreU(total, d, sum + i);
      hn::StoreU(hn::Add(lost, hn::LoadU(d, error + kWidth + i)), d, error + i);
    }
    AddHalves<T, kWidth / 2, kElement>(sum, error);
  }
}

// Rows of 64 bytes go to four running sums in turn, which are then added, and their halves again, in the same order with
// every instruction set.
template <class T, int kElement>
HWY_NOINLINE void SumChunk(T* result, const T* x, int64_t count) {
  constexpr int64_t kR = kRow<T>;
  const Tag<T> d;
  alignas(64) T sum[kR], error[kR];
  const int64_t rows = count / kR;
  for (int64_t i = 0; i < kR; i += kLanes<T>) {
    const T* from = x + i;
    const auto zero = hn::Zero(d);
    const auto start = rows > 1 ? StartAbove(hn::LoadU(d, from), hn::LoadU(d, from + kR)) : zero;
    auto sum0 = start, sum1 = start, sum2 = start, sum3 = start, error0 = zero, error1 = zero, error2 = zero,
         error3 = zero;
    int64_t row = 0;
    for (; row + 3 < rows; row += 4, from += 4 * kR) {
      AddToLarger(sum0, error0, hn::LoadU(d, from));
      AddToLarger(sum1, error1, hn::LoadU(d, from + kR));
      AddToLarger(sum2, error2, hn::LoadU(d, from + 2 * kR));
      AddToLarger(sum3, error3, hn::LoadU(d, from + 3 * kR));
    }
    for (; row < rows; ++row, from += kR) AddToLarger(sum0, error0, hn::LoadU(d, from));
    // No rounding here unless a sum has doubled or halved.
    sum0 = hn::Sub(sum0, start);
    sum1 = hn::Sub(sum1, start);
    sum2 = hn::Sub(sum2, start);
    sum3 = hn::Sub(sum3, start);
    AddAny(sum0, error0, sum1);
    AddAny(sum2, error2, sum3);
    AddAny(sum0, error0, sum2);
    hn::StoreU(sum0, d, sum + i);
    hn::StoreU(hn::Add(hn::Add(error0, error1), hn::Add(error2, error3)), d, error + i);
  }
  const hn::CappedTag<T, 1> one;
  for (int64_t i = rows * kR; i < count; ++i) {
    T* const total = sum + i - rows * kR;
    T* const lost = error + i - rows * kR;
    auto s = hn::LoadU(one, total), e = hn::LoadU(one, lost);
    AddAny(s, e, hn::LoadU(one, x + i));
    hn::StoreU(s, one, total);
    hn::StoreU(e, one, lost);
  }
  AddHalves<T, kR / 2, kElement>(sum, error);
  for (int part = 0; part < kElement; ++part) {
    // The error of an infinite sum is not a number and means nothing.
    const T total = sum[part] + error[part];
    result[part] = total != total && sum[part] == sum[part] ? sum[part] : total;
  }
}

template <class T>
HWY_NOINLINE void AddRows(T* sum, const void* const* in, int64_t count) {
  const Tag<T> d;
  const T* row[kRowsTogether];
  for (int r = 0; r < kRowsTogether; ++r) row[r] = static_cast<const T*>(in[r]);
  int64_t i = 0;
  for (; i + kLanes<T> <= count; i += kLanes<T>) {
    auto total = hn::LoadU(d, sum + i);
#pragma GCC unroll 4
    for (int r = 0; r < kRowsTogether; ++r) total = hn::Add(total, hn::LoadU(d, row[r] + i));
    hn::StoreU(total, d, sum + i);
  }
  for (; i < count; ++i) {
    T total = sum[i];
    for (int r = 0; r < kRowsTogether; ++r) total += row[r][i];
    sum[i] = total;
  }
}

template <class T, int kElement, class Op>
struct Reduction {
  static constexpr T kIdentity[2] = {static_cast<T>(Op::kIdentity), 0};
  static constexpr Steps<T> kSteps = {CombineGroups<T, Op>, CombineLanes<T, Op>};

  static void Chunk(void* out, const void* in, int64_t n) {
    if (n == 0) {
      __builtin_memcpy(out, kIdentity, kElement * sizeof(T));
    } else if constexpr (Op::kKind == ReduceKind::kSum) {
      if (n == 1) {
        __builtin_memcpy(out, in, kElement * sizeof(T));  // every bit, the sign of a zero too
      } else {
        SumChunk<T, kElement>(static_cast<T*>(out), static_cast<const T*>(in), n * kElement);
      }
    } else {
      ReduceLanes(static_cast<T*>(out), static_cast<const T*>(in), n * kElement, kElement, kSteps);
    }
  }
  static void Combine(void* out, const void* const* in, int64_t n) {
    (kElement == 1 ? kRealCombine : kComplexCombine)[static_cast<int>(Op::kKind)][sizeof(T) == 8](out, in, n);
  }
  static void Tree(void* out, void* partials, int64_t count) {
    ReduceByHalves(out, partials, count, kElement * sizeof(T), Combine, kIdentity);
  }
  static void CombineRows(void* out, const void* const* in, int64_t n) {
    AddRows<T>(static_cast<T*>(out), in, n * kElement);
  }
  static constexpr ReduceRow kRow = {Chunk, Tree, Combine, kIdentity,
                                     Op::kKind == ReduceKind::kSum ? CombineRows : nullptr};
};

// In the order of ReduceKind.
template <class T>
constexpr const ReduceRow* kReal[] = {&Reduction<T, 1, Sum>::kRow, &Reduction<T, 1, Prod>::kRow,
                                      &Reduction<T, 1, Max>::kRow, &Reduction<T, 1, Min>::kRow};
template <class T>
constexpr const ReduceRow* kComplex[] = {&Reduction<T, 2, Sum>::kRow, &Reduction<T, 2, ComplexProd>::kRow, nullptr,
                                         nullptr};

}  // namespace

const ReduceRow* FindReduceFloat(ReduceKind kind, uint8_t dtype) {
  const int index = static_cast<int>(kind);
  switch (dtype) {
    case kCodeF32: return kReal<float>[index];
    case kCodeF64: return kReal<double>[index];
    case kCodeC64: return kComplex<float>[index];
    case kCodeC128: return kComplex<double>[index];
    default: return nullptr;
  }
}

}  // namespace tenferro::TENFERRO_ISA
