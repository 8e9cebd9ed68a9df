// Reciprocals and integer powers of float and complex numbers, by multiplication.

#include "tenferro/cpu/kernels/complex_vector.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/math_families.h"
#include "tenferro/cpu/kernels/vector.h"
#include "tenferro/runtime/ops/elementwise_records.h"
#include "tenferro/runtime/ops/math_records.h"

namespace tenferro::TENFERRO_ISA {
namespace {

template <int kParts, class V>
HWY_INLINE V Times(V a, V b) {
  if constexpr (kParts == 1) {
    return hn::Mul(a, b);
  } else {
    return Product(a, b);
  }
}

// x[j]^exponent, exponent > 0, for vectors side by side: the chain of one waits while the others go on.
template <int kParts, int kVectors, class V>
HWY_INLINE void PositivePower(V (&x)[kVectors], uint64_t exponent) {
  for (; (exponent & 1) == 0; exponent >>= 1) {
    HWY_UNROLL(4) for (int j = 0; j < kVectors; ++j) x[j] = Times<kParts>(x[j], x[j]);
  }
  V square[kVectors];
  HWY_UNROLL(4) for (int j = 0; j < kVectors; ++j) square[j] = x[j];
  while (exponent >>= 1) {
    HWY_UNROLL(4) for (int j = 0; j < kVectors; ++j) square[j] = Times<kParts>(square[j], square[j]);
    if (exponent & 1) {
      HWY_UNROLL(4) for (int j = 0; j < kVectors; ++j) x[j] = Times<kParts>(x[j], square[j]);
    }
  }
}

// x^-exponent = 1/x^exponent; where that power leaves the range of normal numbers, (1/x)^exponent, which need not.
template <int kVectors, class V>
HWY_INLINE void NegativePower(V (&x)[kVectors], uint64_t exponent) {
  using T = hn::TFromV<V>;
  const hn::DFromV<V> d;
  const V one = hn::Set(d, T{1});
  const V smallest = hn::Set(d, sizeof(T) == 4 ? static_cast<T>(0x1p-126) : static_cast<T>(0x1p-1022));
  V power[kVectors];
  HWY_UNROLL(4) for (int j = 0; j < kVectors; ++j) power[j] = x[j];
  PositivePower<1>(power, exponent);
  for (int j = 0; j < kVectors; ++j) {
    const V size = hn::Abs(power[j]);
    const auto lost = hn::Or(hn::Lt(size, smallest), hn::Eq(size, hn::Inf(d)));
    V y = hn::Div(one, power[j]);
    if (!hn::AllFalse(d, lost)) {
      V inverse[1] = {hn::Div(one, x[j])};
      PositivePower<1>(inverse, exponent);
      y = hn::IfThenElse(lost, inverse[0], y);
    }
    x[j] = y;
  }
}

template <int kParts, int kVectors, class V>
HWY_INLINE void RaiseVectors(V (&x)[kVectors], uint64_t exponent, bool negative) {
  if constexpr (kParts == 1) {
    if (negative) return NegativePower(x, exponent);
  }
  PositivePower<kParts>(x, exponent);
}

template <class T, int kParts>
void Raise(T* to, const T* x, int64_t n, uint64_t exponent, bool negative) {
  const Tag<T> d;
  constexpr int64_t kN = kLanes<T>;
  int64_t i = 0;
  for (; i <= n - kUnrolled * kN; i += kUnrolled * kN) {
    Vector<T> y[kUnrolled];
    HWY_UNROLL(4) for (int j = 0; j < kUnrolled; ++j) y[j] = hn::LoadU(d, x + i + j * kN);
    RaiseVectors<kParts>(y, exponent, negative);
    HWY_UNROLL(4) for (int j = 0; j < kUnrolled; ++j) hn::StoreU(y[j], d, to + i + j * kN);
  }
  for (; i < n; i += kN) {
    const int64_t count = n - i;
    Vector<T> y[1] = {count >= kN ? hn::LoadU(d, x + i) : LoadFirst<T>(x + i, count)};
    RaiseVectors<kParts>(y, exponent, negative);
    if (count >= kN) {
      hn::StoreU(y[0], d, to + i);
    } else {
      StoreFirst<T>(y[0], to + i, count);
    }
  }
}

// 1/z as the quotient that the library has.
template <class T>
void ComplexReciprocal(void* out, const void* const* in, int64_t n) {
  constexpr int64_t kBlock = 128;
  constexpr uint8_t kCode = sizeof(T) == 4 ? kCodeC64 : kCodeC128;
  const TileFn divide = FindComplex(&kDiv, kCode, kCode);
  T ones[2 * kBlock];
  for (int64_t i = 0; i < 2 * kBlock; ++i) ones[i] = static_cast<T>(1 - i % 2);
  T* to = static_cast<T*>(out);
  const T* z = static_cast<const T*>(in[0]);
  for (int64_t i = 0; i < n; i += kBlock) {
    const void* const operands[] = {ones, z + 2 * i};
    divide(to + 2 * i, operands, n - i < kBlock ? n - i : kBlock);
  }
}

template <class T, int kParts>
void IntegerPower(void* out, const void* const* in, int64_t n) {
  T* to = static_cast<T*>(out);
  const T* x = static_cast<const T*>(in[0]);
  const int64_t exponent = *static_cast<const int64_t*>(in[3]);
  const bool negative = exponent < 0;
  const uint64_t size = negative ? uint64_t{0} - static_cast<uint64_t>(exponent) : static_cast<uint64_t>(exponent);
  if (size == 0) {
    for (int64_t i = 0; i < n * kParts; ++i) to[i] = static_cast<T>(i % kParts == 0);
    return;
  }
  if constexpr (kParts == 2) {
    if (negative) {
      ComplexReciprocal<T>(out, in, n);
      x = to;
    }
  }
  Raise<T, kParts>(to, x, n * kParts, size, negative);
}

constexpr auto kInverse = [](auto x) { return hn::Div(Constant(x, 1), x); };

}  // namespace

TileFn FindFloatPower(const OpDef* op, uint8_t from, uint8_t to) {
  if (to != from) return nullptr;
  if (op == &kIntegerPow) {
    switch (from) {
      case kCodeF32: return IntegerPower<float, 1>;
      case kCodeF64: return IntegerPower<double, 1>;
      case kCodeC64: return IntegerPower<float, 2>;
      case kCodeC128: return IntegerPower<double, 2>;
      default: return nullptr;
    }
  }
  if (op != &kReciprocal) return nullptr;
  switch (from) {
    case kCodeF32: return Unary<float, kUnrolled, 1, decltype(kInverse)>;
    case kCodeF64: return Unary<double, kUnrolled, 1, decltype(kInverse)>;
    case kCodeC64: return ComplexReciprocal<float>;
    case kCodeC128: return ComplexReciprocal<double>;
    default: return nullptr;
  }
}

}  // namespace tenferro::TENFERRO_ISA
