// Reductions of f32, f64, c64 and c128.

#include "tenferro/cpu/kernels/complex_vector.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/reduce_families.h"
#include "tenferro/cpu/kernels/vector.h"

namespace tenferro::TENFERRO_ISA {
namespace {

struct Sum {
  static constexpr double kIdentity = 0;
  template <class V>
  static HWY_INLINE V Of(V a, V b) { return hn::Add(a, b); }
};
struct Prod {
  static constexpr double kIdentity = 1;
  template <class V>
  static HWY_INLINE V Of(V a, V b) { return hn::Mul(a, b); }
};
struct ComplexProd {
  static constexpr double kIdentity = 1;
  template <class V>
  static HWY_INLINE V Of(V a, V b) { return Product(a, b); }
};
struct Max {
  static constexpr double kIdentity = -__builtin_inf();
  template <class V>
  static HWY_INLINE V Of(V a, V b) { return Maximum(a, b); }
};
struct Min {
  static constexpr double kIdentity = __builtin_inf();
  template <class V>
  static HWY_INLINE V Of(V a, V b) { return Minimum(a, b); }
};

// A chunk is read as rows of 64 bytes, the longest vector. Neighbouring rows are combined in pairs, the results again, up to
// one row, whose halves are combined down to one element: an error of log n roundings, in the same order with every
// instruction set. Nothing is combined with an identity: one element is its own result in every bit.
template <class T>
constexpr int64_t kRow = 64 / sizeof(T);
constexpr int64_t kGroup = 8;

// to[i] = Op(to[i], x[i]) for i < count <= kRow; `to` is readable up to a whole vector.
template <class T, class Op>
HWY_NOINLINE void Accumulate(T* to, const T* x, int64_t count) {
  const Tag<T> d;
  int64_t i = 0;
  for (; i <= count - kLanes<T>; i += kLanes<T>) {
    hn::StoreU(Op::Of(hn::LoadU(d, to + i), hn::LoadU(d, x + i)), d, to + i);
  }
  if (i < count) StoreFirst<T>(Op::Of(hn::LoadU(d, to + i), LoadFirst<T>(x + i, count - i)), to + i, count - i);
}

// Some elements that fill rows, the last perhaps in part.
struct Rows {
  int64_t rows;
  int64_t last;  // elements of the last row
};

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
  const int64_t rest = from.rows - groups * kGroup;
  if (rest == 0) return {groups, kR};
  T rows[kGroup * kR];
  __builtin_memcpy(rows, x, static_cast<size_t>((rest - 1) * kR + from.last) * sizeof(T));
  for (int64_t step = 1; step < rest; step *= 2) {
    for (int64_t row = 0; row + step < rest; row += 2 * step) {
      const int64_t count = row + step == rest - 1 ? from.last : kR;
      Accumulate<T, Op>(rows + row * kR, rows + (row + step) * kR, count);
    }
  }
  const int64_t last = rest == 1 ? from.last : kR;
  __builtin_memcpy(to, rows, static_cast<size_t>(last) * sizeof(T));
  return {groups + 1, last};
}

// kParts is the number of T to an element.
template <class T, int kParts, class Op>
void Chunk(void* out, const void* in, int64_t n) {
  const T* const x = static_cast<const T*>(in);
  T* const result = static_cast<T*>(out);
  if (n == 0) {
    result[0] = static_cast<T>(Op::kIdentity);
    if (kParts == 2) result[1] = 0;
    return;
  }
  const int64_t count = n * kParts;
  T buffer[kReduceChunk * kParts / kGroup + kRow<T>];
  Rows left = {(count + kRow<T> - 1) / kRow<T>, (count - 1) % kRow<T> + 1};
  if (left.rows == 1) {
    __builtin_memcpy(buffer, x, static_cast<size_t>(count) * sizeof(T));
  } else {
    left = CombineGroups<T, Op>(buffer, x, left);
    while (left.rows > 1) left = CombineGroups<T, Op>(buffer, buffer, left);
  }
  int64_t width = kRow<T>;
  for (int64_t present = left.last; present > kParts; present = width < present ? width : present) {
    width /= 2;
    if (width < present) Accumulate<T, Op>(buffer, buffer + width, present - width);
  }
  for (int part = 0; part < kParts; ++part) result[part] = buffer[part];
}

template <class T, int kParts, class Op>
void Combine(void* out, const void* const* in, int64_t n) {
  Binary<T, kUnrolled, kParts, decltype([](auto a, auto b) { return Op::Of(a, b); })>(out, in, n);
}

template <class T, int kParts, class Op>
constexpr T kIdentity[2] = {static_cast<T>(Op::kIdentity), 0};

template <class T, int kParts, class Op>
void Tree(void* out, void* partials, int64_t count) {
  if (count == 0) {
    Chunk<T, kParts, Op>(out, partials, 0);
  } else {
    ReduceByHalves<Combine<T, kParts, Op>, sizeof(T) * kParts>(out, partials, count);
  }
}

template <class T, int kParts, class Op>
constexpr ReduceRow kReduction = {Chunk<T, kParts, Op>, Tree<T, kParts, Op>, Combine<T, kParts, Op>, kIdentity<T, kParts, Op>};

// In the order of ReduceKind.
template <class T>
constexpr const ReduceRow* kReal[] = {&kReduction<T, 1, Sum>, &kReduction<T, 1, Prod>, &kReduction<T, 1, Max>, &kReduction<T, 1, Min>};
template <class T>
constexpr const ReduceRow* kComplex[] = {&kReduction<T, 2, Sum>, &kReduction<T, 2, ComplexProd>, nullptr, nullptr};

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
