// Arithmetic of c64 and c128. Vectors hold real and imaginary parts in turn.

#include "tenferro/cpu/kernels/complex_vector.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/families.h"
#include "tenferro/cpu/kernels/quotient.h"
#include "tenferro/cpu/kernels/reduce_families.h"
#include "tenferro/cpu/kernels/sleef_functions.h"
#include "tenferro/cpu/kernels/vector.h"
#include "tenferro/runtime/ops/elementwise_records.h"

namespace tenferro::TENFERRO_ISA {
namespace {

// Powers of two that bring the larger part of a number to [2^kTarget, 2^(kTarget + 1)), where neither its square nor
// its product with another such number overflows or loses the smaller part. A number below 2^kLeast gets the scale of
// 2^kLeast.
template <class T>
struct Scaling;
template <>
struct Scaling<float> {
  using Int = int32_t;
  static constexpr int kMantissa = 23, kBias = 127, kTarget = 50;
  static constexpr float kLeast = 0x1p-76f;
};
template <>
struct Scaling<double> {
  using Int = int64_t;
  static constexpr int kMantissa = 52, kBias = 1023, kTarget = 400;
  static constexpr double kLeast = 0x1p-600;
};

// `exponent` as the exponent field of a T, in every lane.
template <class T>
HWY_INLINE auto ExponentField(typename Scaling<T>::Int exponent) {
  return hn::Set(Tag<typename Scaling<T>::Int>(), exponent << Scaling<T>::kMantissa);
}

// The exponent field of max(|re|, |im|, kLeast), the same for both parts.
template <class T>
HWY_INLINE auto Exponent(Vector<T> z) {
  const Tag<typename Scaling<T>::Int> di;
  const Vector<T> size = hn::Max(hn::Max(hn::Abs(z), hn::Abs(SwapParts(z))), Constant(z, Scaling<T>::kLeast));
  return hn::And(hn::BitCast(di, size), hn::BitCast(di, hn::Inf(Tag<T>())));
}

// z·2^(kTarget - exponent)
template <class T, class VI>
HWY_INLINE Vector<T> Scale(Vector<T> z, VI exponent) {
  using S = Scaling<T>;
  return hn::Mul(z, hn::BitCast(Tag<T>(), hn::Sub(ExponentField<T>(2 * S::kBias + S::kTarget), exponent)));
}

// z·2^(exponent_a - exponent_b) by two factors of half the exponent each, which are normal numbers.
template <class T, class VI>
HWY_INLINE Vector<T> ScaleByRatio(Vector<T> z, VI exponent_a, VI exponent_b) {
  using S = Scaling<T>;
  using Unsigned = hwy::MakeUnsigned<typename S::Int>;
  const Tag<T> d;
  const Tag<Unsigned> du;
  const auto difference = hn::BitCast(du, hn::Sub(exponent_a, exponent_b));
  const auto field = [](Unsigned exponent) { return hn::Set(Tag<Unsigned>(), exponent << S::kMantissa); };
  // 2·kBias + 2 makes the difference positive; half of it is then one more than the bias.
  const auto half = hn::ShiftRight<1>(hn::Add(difference, field(2 * S::kBias + 2)));
  const auto first = hn::Sub(hn::And(half, hn::BitCast(du, hn::Inf(d))), field(1));
  const auto second = hn::Sub(hn::Add(difference, field(2 * S::kBias)), first);
  return hn::Mul(hn::Mul(z, hn::BitCast(d, first)), hn::BitCast(d, second));
}

template <class T>
HWY_INLINE Vector<T> Mended(Vector<T> q, Vector<T> a, Vector<T> b) {
  const Tag<T> d;
  T lanes[3][kLanes<T>];
  hn::StoreU(q, d, lanes[0]);
  hn::StoreU(a, d, lanes[1]);
  hn::StoreU(b, d, lanes[2]);
  MendQuotients(lanes[0], lanes[1], lanes[2], kLanes<T> / 2);
  return hn::LoadU(d, lanes[0]);
}

// a·conj(b)/|b|² of scaled numbers; part by part where b is real: half an ULP, and IEEE's rules for b = 0.
template <class V, class T = hn::TFromV<V>>
HWY_INLINE V Quotient(V a, V b) {
  const Tag<T> d;
  const auto exponent_a = Exponent<T>(a);
  const auto exponent_b = Exponent<T>(b);
  const V x = Scale<T>(a, exponent_a);
  const V y = Scale<T>(b, exponent_b);
  const V by_real = hn::Mul(x, hn::DupEven(y));
  const V by_imag = hn::Mul(SwapParts(x), hn::DupOdd(y));
  const V numerator = hn::OddEven(hn::Sub(by_real, by_imag), hn::Add(by_real, by_imag));
  const V squares = hn::Mul(y, y);
  const V ratio = hn::Div(numerator, hn::Add(squares, SwapParts(squares)));
  V q = ScaleByRatio<T>(ratio, exponent_a, exponent_b);
  const auto is_real = hn::Eq(hn::DupOdd(b), hn::Zero(d));
  if (!hn::AllFalse(d, is_real)) q = hn::IfThenElse(is_real, hn::Div(a, hn::DupEven(b)), q);
  const auto lost = hn::AndNot(is_real, hn::And(hn::IsNaN(q), hn::IsNaN(SwapParts(q))));
  return hn::AllFalse(d, lost) ? q : Mended<T>(q, a, b);
}

// z/|z|; 0 for 0.
template <class V, class T = hn::TFromV<V>>
HWY_INLINE V Sign(V z) {
  const V scaled = Scale<T>(z, Exponent<T>(z));
  const V size = sleef::Hypot(scaled, SwapParts(scaled));
  return hn::IfThenElse(hn::Eq(size, hn::Zero(Tag<T>())), z, hn::Div(scaled, size));
}

template <class T>
void Abs(void* out, const void* const* in, int64_t n) {
  const Tag<T> d;
  constexpr int64_t kN = kLanes<T>;
  T* to = static_cast<T*>(out);
  const T* z = static_cast<const T*>(in[0]);
  for (int64_t i = 0; i < n; i += kN) {
    const int64_t count = n - i < kN ? n - i : kN;
    Vector<T> re, im;
    if (count == kN) {
      hn::LoadInterleaved2(d, z + 2 * i, re, im);
      hn::StoreU(sleef::Hypot(re, im), d, to + i);
    } else {
      T lanes[2 * kN] = {};
      memcpy(lanes, z + 2 * i, static_cast<size_t>(2 * count) * sizeof(T));
      hn::LoadInterleaved2(d, lanes, re, im);
      StoreFirst<T>(sleef::Hypot(re, im), to + i, count);
    }
  }
}

struct Row {
  const OpDef* op;
  TileFn c64;
  TileFn c128;
};

template <int kVectors, class F>
constexpr Row UnaryRow(const OpDef* op, F) {
  return {op, Unary<float, kVectors, 2, F>, Unary<double, kVectors, 2, F>};
}
template <int kVectors, class F>
constexpr Row BinaryRow(const OpDef* op, F) {
  return {op, Binary<float, kVectors, 2, F>, Binary<double, kVectors, 2, F>};
}

constexpr Row kSum = BinaryRow<kUnrolled>(&kAdd, [](auto a, auto b) { return hn::Add(a, b); });
constexpr Row kProduct = BinaryRow<kUnrolled>(&kMul, [](auto a, auto b) { return Product(a, b); });

constexpr Row kRows[] = {
    kSum,
    kProduct,
    BinaryRow<kUnrolled>(&kSub, [](auto a, auto b) { return hn::Sub(a, b); }),
    BinaryRow<kSingle>(&kDiv, [](auto a, auto b) { return Quotient(a, b); }),
    UnaryRow<kUnrolled>(&kNeg, [](auto z) { return hn::Neg(z); }),
    UnaryRow<kUnrolled>(&kConj, [](auto z) { return Conjugate(z); }),
    UnaryRow<kUnrolled>(&kSquare, [](auto z) { return Product(z, z); }),
    UnaryRow<kSingle>(&kSign, [](auto z) { return Sign(z); }),
};

}  // namespace

const TileFn kComplexCombine[2][2] = {{kSum.c64, kSum.c128}, {kProduct.c64, kProduct.c128}};

TileFn FindComplex(const OpDef* op, uint8_t from, uint8_t to) {
  if (op == &kAbs && from == kCodeC64 && to == kCodeF32) return Abs<float>;
  if (op == &kAbs && from == kCodeC128 && to == kCodeF64) return Abs<double>;
  if (to != from || (from != kCodeC64 && from != kCodeC128)) return nullptr;
  for (const Row& row : kRows) {
    if (row.op == op) return from == kCodeC64 ? row.c64 : row.c128;
  }
  return nullptr;
}

}  // namespace tenferro::TENFERRO_ISA
