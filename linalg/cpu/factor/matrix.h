#ifndef TENFERRO_LINALG_CPU_FACTOR_MATRIX_H_
#define TENFERRO_LINALG_CPU_FACTOR_MATRIX_H_

#include "tenferro/cpu/gemm/gemm.h"
#include "tenferro/linalg/cpu/factor/orders.h"
#include "tenferro/linalg/cpu/lanes.h"
#include "tenferro/linalg/cpu/panel.h"

namespace tenferro::linalg::TENFERRO_ISA::factor {

inline constexpr int64_t kLeaf = linalg::factor::kLeafOrder;
inline constexpr int64_t kMaxLanes = 16;

template <bool kComplex>
inline constexpr int64_t kParts = kComplex ? 2 : 1;

// A matrix with any steps between rows and columns, counted in elements; complex ones are pairs of reals.
template <class R, bool kComplex>
struct Matrix {
  R* data = nullptr;
  int64_t row_step = 1;
  int64_t column_step = 0;
  bool conjugate = false;  // as a factor of a product or a triangle, its elements stand for their conjugates

  R* At(int64_t i, int64_t j) const { return data + (i * row_step + j * column_step) * kParts<kComplex>; }
  Matrix From(int64_t i, int64_t j) const { return {At(i, j), row_step, column_step, conjugate}; }
  Matrix Transposed() const { return {data, column_step, row_step, conjugate}; }
  Matrix Adjoint() const { return {data, column_step, row_step, !conjugate}; }
  // Rows and columns of an n × n matrix in reverse order.
  Matrix Reversed(int64_t n) const { return {At(n - 1, n - 1), -row_step, -column_step, conjugate}; }
  Scalar<R> Get(int64_t i, int64_t j) const {
    const R* p = At(i, j);
    if constexpr (kComplex) return {p[0], conjugate ? -p[1] : p[1]};
    return {p[0], 0};
  }
  void Set(int64_t i, int64_t j, Scalar<R> value) const {
    R* p = At(i, j);
    p[0] = value.re;
    if constexpr (kComplex) p[1] = value.im;
  }
};

// True for a step between columns that maps the same rows of all columns to few cache sets.
template <class R, bool kComplex>
bool IsCrowded(int64_t column_step) {
  return column_step * kParts<kComplex> * int64_t{sizeof(R)} % 512 == 0;
}

// Elements between columns of scratch matrices: a multiple of 64 bytes that is not crowded.
template <class R, bool kComplex>
int64_t ColumnStep(int64_t rows) {
  const int64_t unit = kPad<R> / kParts<kComplex>;
  const int64_t padded = (rows + unit - 1) / unit * unit;
  return IsCrowded<R, kComplex>(padded) ? padded + unit : padded;
}

template <class R, bool kComplex>
Matrix<R, kComplex> NewMatrix(Arena& arena, int64_t rows, int64_t columns) {
  const int64_t step = ColumnStep<R, kComplex>(rows);
  return {arena.Allocate<R>(step * columns * kParts<kComplex>), 1, step};
}

enum class Term : uint8_t { kAssign, kAdd, kSubtract };

// What the products of a factorisation need: the level, the dtype's number and scratch memory for products of three
// extents of at most `order`.
struct Products {
  Isa isa;
  uint8_t dtype;
  void* workspace;
};
Products MakeProducts(Arena& arena, Isa isa, uint8_t dtype, int64_t order);

// c = a·b, c += a·b or c -= a·b, with a [m, k] and b [k, n]; c overlaps neither.
template <class R, bool kComplex>
void Multiply(const Products& products, int64_t m, int64_t n, int64_t k, const Matrix<R, kComplex>& a,
              const Matrix<R, kComplex>& b, Term term, const Matrix<R, kComplex>& c);

// True when every element of the m × n matrix is finite. The rows are contiguous.
template <class R, bool kComplex>
bool IsFinite(int64_t m, int64_t n, const Matrix<R, kComplex>& a);

// to = from for m rows, contiguous in both, and n columns; true when every element is finite.
template <class R, bool kComplex>
bool CopyFinite(int64_t m, int64_t n, const Matrix<R, kComplex>& from, const Matrix<R, kComplex>& to);

template <class R, bool kComplex>
void Clear(int64_t m, int64_t n, const Matrix<R, kComplex>& a);

// Scalars.
template <class R>
HWY_INLINE R Absolute(R x) {
  return sizeof(R) == 8 ? R(__builtin_fabs(x)) : R(__builtin_fabsf(static_cast<float>(x)));
}
template <class R>
HWY_INLINE R SquareRoot(R x) {
  return sizeof(R) == 8 ? R(__builtin_sqrt(x)) : R(__builtin_sqrtf(static_cast<float>(x)));
}
template <class R>
HWY_INLINE Scalar<R> Times(Scalar<R> a, Scalar<R> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class R>
HWY_INLINE Scalar<R> Conjugate(Scalar<R> a) {
  return {a.re, -a.im};
}
template <class R>
HWY_INLINE Scalar<R> Minus(Scalar<R> a, Scalar<R> b) {
  return {a.re - b.re, a.im - b.im};
}
// a/b. Source: R. L. Smith, Algorithm 116: Complex division, Comm. ACM 5 (1962).
template <class R, bool kComplex>
HWY_INLINE Scalar<R> Quotient(Scalar<R> a, Scalar<R> b) {
  if (!kComplex || b.im == 0) return {a.re / b.re, a.im / b.re};
  if (Absolute(b.re) >= Absolute(b.im)) {
    const R ratio = b.im / b.re, denominator = b.re + b.im * ratio;
    return {(a.re + a.im * ratio) / denominator, (a.im - a.re * ratio) / denominator};
  }
  const R ratio = b.re / b.im, denominator = b.re * ratio + b.im;
  return {(a.re * ratio + a.im) / denominator, (a.im * ratio - a.re) / denominator};
}
// |a| without overflow of the squares.
template <class R, bool kComplex>
HWY_INLINE R Modulus(Scalar<R> a) {
  const R x = Absolute(a.re);
  if (!kComplex) return x;
  const R y = Absolute(a.im), large = x > y ? x : y, small = x > y ? y : x;
  if (!(large > 0)) return large;
  const R ratio = small / large;
  return large * SquareRoot(1 + ratio * ratio);
}
// The size that pivots are chosen by: |re| + |im|, as LAPACK's.
template <class R>
HWY_INLINE R Size(Scalar<R> a) {
  return Absolute(a.re) + Absolute(a.im);
}
// Between them 1/|x| neither overflows nor loses bits.
template <class R>
inline constexpr R kSmallSize = sizeof(R) == 8 ? R(1e-290) : R(1e-36f);
template <class R>
inline constexpr R kLargeSize = sizeof(R) == 8 ? R(1e290) : R(1e36f);
template <class R>
HWY_INLINE bool HasReciprocal(Scalar<R> x) {
  const R size = Size(x);
  return size > kSmallSize<R> && size < kLargeSize<R>;
}

// One vector of elements that lie together, in parts.
template <class R, bool kComplex>
HWY_INLINE Lanes<R, kComplex> LoadElements(const R* p) {
  Lanes<R, kComplex> v;
  if constexpr (kComplex) {
    hn::LoadInterleaved2(Tag<R>(), p, v.re, v.im);
  } else {
    v.re = hn::LoadU(Tag<R>(), p);
    v.im = hn::Zero(Tag<R>());
  }
  return v;
}
template <class R, bool kComplex>
HWY_INLINE void StoreElements(const Lanes<R, kComplex>& v, R* p) {
  if constexpr (kComplex) {
    hn::StoreInterleaved2(v.re, v.im, Tag<R>(), p);
  } else {
    hn::StoreU(v.re, Tag<R>(), p);
  }
}

// Column j of a matrix with contiguous rows to a column of a panel (parts apart), and back.
template <class R, bool kComplex>
HWY_INLINE void Unpack(int64_t count, const R* from, R* to, int64_t to_imag) {
  const int64_t lanes = LaneCount<R>();
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    StoreLanes(LoadElements<R, kComplex>(from + i * kParts<kComplex>), to + i, to_imag);
  }
  for (; i < count; ++i) {
    to[i] = from[i * kParts<kComplex>];
    if constexpr (kComplex) to[i + to_imag] = from[2 * i + 1];
  }
}
template <class R, bool kComplex>
HWY_INLINE void Repack(int64_t count, const R* from, int64_t from_imag, R* to) {
  const int64_t lanes = LaneCount<R>();
  int64_t i = 0;
  for (; i + lanes <= count; i += lanes) {
    StoreElements(LoadLanes<R, kComplex>(from + i, from_imag), to + i * kParts<kComplex>);
  }
  for (; i < count; ++i) {
    to[i * kParts<kComplex>] = from[i];
    if constexpr (kComplex) to[2 * i + 1] = from[i + from_imag];
  }
}

}  // namespace tenferro::linalg::TENFERRO_ISA::factor

#endif  // TENFERRO_LINALG_CPU_FACTOR_MATRIX_H_
