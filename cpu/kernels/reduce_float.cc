// Reductions of f32, f64, c64 and c128.

#include "tenferro/cpu/kernels/complex_vector.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/line_sums.h"
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

// `count` is a number of T.
template <class T>
HWY_NOINLINE void AddRows(T* sum, const void* const* in, int64_t rows, int64_t count) {
  const Tag<T> d;
  constexpr int64_t kN = kLanes<T>;
  const T* const first = static_cast<const T*>(in[0]);
  int64_t i = 0;
  for (; i + kN <= count; i += kN) {
    const auto load = [&](int64_t r) { return hn::LoadU(d, static_cast<const T*>(in[r]) + i); };
    auto total = hn::LoadU(d, first + i);
    int64_t r = 1;
    for (; r + 3 < rows; r += 4) {
      total = hn::Add(hn::Add(hn::Add(hn::Add(total, load(r)), load(r + 1)), load(r + 2)), load(r + 3));
    }
    for (; r < rows; ++r) total = hn::Add(total, load(r));
    hn::StoreU(total, d, sum + i);
  }
  for (; i < count; ++i) {
    T total = first[i];
    for (int64_t r = 1; r < rows; ++r) total += static_cast<const T*>(in[r])[i];
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
        SumLine<T, kElement>(static_cast<T*>(out), static_cast<const T*>(in), n * kElement);
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
  static constexpr ReduceRow kRow = {Chunk, Tree, Combine, kIdentity};
};

template <class T, int kElement>
struct SumReduction : Reduction<T, kElement, Sum> {
  using Base = Reduction<T, kElement, Sum>;
  static void CombineRows(void* out, const void* const* in, int64_t rows, int64_t n) {
    AddRows<T>(static_cast<T*>(out), in, rows, n * kElement);
  }
  static void Lines(void* out, const void* in, int64_t n, int64_t lines) {
    T* const sums = static_cast<T*>(out);
    const T* const x = static_cast<const T*>(in);
    if (n > 1) return SumLines(sums, x, n, lines);
    for (int64_t line = 0; line < lines; ++line) Base::Chunk(sums + line, x + line * n, n);
  }
  // Elsewhere there are too few registers, or lanes, to gain by it; complex lines would gain less than the code takes.
  static constexpr decltype(ReduceRow::lines) FindLines() {
    if constexpr (HWY_TARGET == HWY_AVX3 && kElement == 1) return Lines;
    return nullptr;
  }
  static constexpr ReduceRow kRow = {Base::Chunk, Base::Tree, Base::Combine, Base::kIdentity, CombineRows, FindLines()};
};

// In the order of ReduceKind.
template <class T>
constexpr const ReduceRow* kReal[] = {&SumReduction<T, 1>::kRow, &Reduction<T, 1, Prod>::kRow,
                                      &Reduction<T, 1, Max>::kRow, &Reduction<T, 1, Min>::kRow};
template <class T>
constexpr const ReduceRow* kComplex[] = {&SumReduction<T, 2>::kRow, &Reduction<T, 2, ComplexProd>::kRow, nullptr,
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
