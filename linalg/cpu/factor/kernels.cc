#include "tenferro/linalg/cpu/factor/kernels.h"

#include <algorithm>

#include "tenferro/cpu/gemm/gemm.h"
#include "tenferro/linalg/cpu/factor/isa_kernels.h"
#include "tenferro/linalg/cpu/factor/orders.h"
#include "tenferro/linalg/cpu/isa_call.h"
#include "tenferro/tensor/dtype.h"

namespace tenferro::linalg::factor {
namespace {

template <class T>
inline constexpr uint8_t kDType = static_cast<uint8_t>(kDTypeOf<T>);

// At least what a scratch matrix of either form takes: columns padded to 64 bytes of each part, and once more.
template <class T>
int64_t MatrixBytes(int64_t rows, int64_t columns) {
  const int64_t part = (rows * int64_t{sizeof(RealOf<T>)} + 63) / 64 * 64 + 64;
  return (kIsComplex<T> ? 2 : 1) * part * columns;
}
// As much for `count` pairs of reals.
template <class T>
int64_t PairBytes(int64_t count) {
  return (count * 2 * int64_t{sizeof(RealOf<T>)} + 63) / 64 * 64;
}

// Of products with three extents of at most `order`.
template <class T>
int64_t ProductBytes(Isa isa, int64_t order) {
  GemmArgs args = {};
  args.dtype = kDType<T>;
  args.c_rows.extent = args.c_cols.extent = args.a_cols.extent = order;
  return (GemmWorkspaceBytes(isa, args) + 63) / 64 * 64;
}

template <class T>
int64_t ReflectionBytes(Isa isa, int64_t m, int64_t k, int64_t columns) {
  return ProductBytes<T>(isa, std::max(m, columns)) + MatrixBytes<T>(m, k) +
         MatrixBytes<T>(kReflectionBlock, k + kReflectionBlock + 2 * columns);
}

}  // namespace

template <class T>
Ending Cholesky(Isa isa, int64_t n, const T* a, T* l, Memory memory) {
  const Loan loan(memory, CholeskyBytes<T>(isa, n));
  return TENFERRO_CALL(isa, factor::Cholesky, isa, kDType<T>, n, Reals(a), Reals(l), loan.memory());
}
template <class T>
int64_t CholeskyBytes(Isa isa, int64_t n) {
  return n <= kLeafOrder ? 0 : ProductBytes<T>(isa, n) + MatrixBytes<T>(n, n);
}

template <class T>
Ending TriangularSolve(Isa isa, int64_t n, int64_t right_sides, TriangleMode mode, const T* t, const T* b, T* x,
                       Memory memory) {
  const Loan loan(memory, TriangularSolveBytes<T>(isa, n, right_sides));
  return TENFERRO_CALL(isa, factor::TriangularSolve, isa, kDType<T>, n, right_sides, mode, Reals(t), Reals(b), Reals(x),
                       loan.memory());
}
template <class T>
int64_t TriangularSolveBytes(Isa isa, int64_t n, int64_t right_sides) {
  return n <= kLeafOrder ? 0 : ProductBytes<T>(isa, std::max(n, right_sides));
}

template <class T>
Ending Lu(Isa isa, int64_t m, int64_t n, const T* a, T* lu, int64_t* permutation, RealOf<T>* parity, int64_t* pivots,
          Memory memory) {
  const Loan loan(memory, LuBytes<T>(isa, m, n));
  return TENFERRO_CALL(isa, factor::Lu, isa, kDType<T>, m, n, Reals(a), Reals(lu), permutation, parity, pivots,
                       loan.memory());
}
template <class T>
int64_t LuBytes(Isa isa, int64_t m, int64_t n) {
  if (m <= kSmallLuOrder && n <= kSmallLuOrder) return 0;
  return ProductBytes<T>(isa, std::max(m, n)) + MatrixBytes<T>(m, n + kEliminationStrip);
}

template <class T>
Ending LuSolve(Isa isa, int64_t n, int64_t right_sides, bool transpose, bool conjugate, const T* lu,
               const int64_t* permutation, const T* b, T* x, Memory memory) {
  const Loan loan(memory, LuSolveBytes<T>(isa, n, right_sides));
  return TENFERRO_CALL(isa, factor::LuSolve, isa, kDType<T>, n, right_sides, transpose, conjugate, Reals(lu),
                       permutation, Reals(b), Reals(x), loan.memory());
}
template <class T>
int64_t LuSolveBytes(Isa isa, int64_t n, int64_t right_sides) {
  return n <= kLeafOrder ? 0 : ProductBytes<T>(isa, std::max(n, right_sides)) + PairBytes<T>(n);
}

template <class T>
Ending FullPivotLu(Isa isa, int64_t m, int64_t n, const T* a, T* lu, int64_t* rows, int64_t* columns, RealOf<T>* parity,
                   Memory memory) {
  const Loan loan(memory, FullPivotLuBytes<T>(m, n));
  return TENFERRO_CALL(isa, factor::FullPivotLu, m, n, Reals(a), Reals(lu), rows, columns, parity, loan.memory());
}
template <class T>
int64_t FullPivotLuBytes(int64_t m, int64_t n) {
  return MatrixBytes<T>(m, n + 1);
}

template <class T>
Ending Qr(Isa isa, int64_t m, int64_t n, int64_t q_columns, bool positive, const T* a, T* q, T* r, Memory memory) {
  const Loan loan(memory, QrBytes<T>(isa, m, n, q_columns));
  return TENFERRO_CALL(isa, factor::Qr, isa, kDType<T>, m, n, q_columns, positive, Reals(a), Reals(q), Reals(r),
                       loan.memory());
}
template <class T>
int64_t QrBytes(Isa isa, int64_t m, int64_t n, int64_t q_columns) {
  if (m <= kLeafOrder && n <= kLeafOrder) return 0;
  return ReflectionBytes<T>(isa, m, std::min(m, n), std::max(n, q_columns)) +
         MatrixBytes<T>(m, n + 2 * kReflectionBlock);
}

template <class T>
Ending Reflectors(Isa isa, int64_t m, int64_t n, const T* a, T* packed, T* tau, Memory memory) {
  const Loan loan(memory, ReflectorsBytes<T>(isa, m, n));
  return TENFERRO_CALL(isa, factor::Reflectors, isa, kDType<T>, m, n, Reals(a), Reals(packed), Reals(tau),
                       loan.memory());
}
template <class T>
int64_t ReflectorsBytes(Isa isa, int64_t m, int64_t n) {
  const int64_t k = std::min(m, n);
  return k == 0 ? 0 : ReflectionBytes<T>(isa, m, k, n) + MatrixBytes<T>(m, 2 * kReflectionBlock) + PairBytes<T>(k);
}

template <class T>
Ending ApplyReflectors(Isa isa, int64_t m, int64_t k, int64_t columns, bool adjoint, const T* packed, const T* tau,
                       const T* c, T* result, Memory memory) {
  const Loan loan(memory, ApplyReflectorsBytes<T>(isa, m, k, columns));
  return TENFERRO_CALL(isa, factor::ApplyReflectors, isa, kDType<T>, m, k, columns, adjoint, Reals(packed), Reals(tau),
                       Reals(c), Reals(result), loan.memory());
}
template <class T>
int64_t ApplyReflectorsBytes(Isa isa, int64_t m, int64_t k, int64_t columns) {
  return k == 0 || columns == 0 ? 0 : ReflectionBytes<T>(isa, m, k, columns);
}

template <class T>
Ending PivotedQr(Isa isa, int64_t m, int64_t n, const T* a, T* q, T* r, int64_t* permutation, Memory memory) {
  const Loan loan(memory, PivotedQrBytes<T>(m, n));
  return TENFERRO_CALL(isa, factor::PivotedQr, m, n, Reals(a), Reals(q), Reals(r), permutation, loan.memory());
}
template <class T>
int64_t PivotedQrBytes(int64_t m, int64_t n) {
  const int64_t k = std::min(m, n);
  return MatrixBytes<T>(m, 2 * n + k) + PairBytes<T>(k);
}

#define TENFERRO_INSTANTIATE(T)                                                                                    \
  template Ending Cholesky(Isa, int64_t, const T*, T*, Memory);                                                    \
  template int64_t CholeskyBytes<T>(Isa, int64_t);                                                                 \
  template Ending TriangularSolve(Isa, int64_t, int64_t, TriangleMode, const T*, const T*, T*, Memory);            \
  template int64_t TriangularSolveBytes<T>(Isa, int64_t, int64_t);                                                 \
  template Ending Lu(Isa, int64_t, int64_t, const T*, T*, int64_t*, RealOf<T>*, int64_t*, Memory);                 \
  template int64_t LuBytes<T>(Isa, int64_t, int64_t);                                                              \
  template Ending LuSolve(Isa, int64_t, int64_t, bool, bool, const T*, const int64_t*, const T*, T*, Memory);      \
  template int64_t LuSolveBytes<T>(Isa, int64_t, int64_t);                                                         \
  template Ending FullPivotLu(Isa, int64_t, int64_t, const T*, T*, int64_t*, int64_t*, RealOf<T>*, Memory);        \
  template int64_t FullPivotLuBytes<T>(int64_t, int64_t);                                                          \
  template Ending Qr(Isa, int64_t, int64_t, int64_t, bool, const T*, T*, T*, Memory);                              \
  template int64_t QrBytes<T>(Isa, int64_t, int64_t, int64_t);                                                     \
  template Ending Reflectors(Isa, int64_t, int64_t, const T*, T*, T*, Memory);                                     \
  template int64_t ReflectorsBytes<T>(Isa, int64_t, int64_t);                                                      \
  template Ending ApplyReflectors(Isa, int64_t, int64_t, int64_t, bool, const T*, const T*, const T*, T*, Memory); \
  template int64_t ApplyReflectorsBytes<T>(Isa, int64_t, int64_t, int64_t);                                        \
  template Ending PivotedQr(Isa, int64_t, int64_t, const T*, T*, T*, int64_t*, Memory);                            \
  template int64_t PivotedQrBytes<T>(int64_t, int64_t);
TENFERRO_INSTANTIATE(float)
TENFERRO_INSTANTIATE(double)
TENFERRO_INSTANTIATE(std::complex<float>)
TENFERRO_INSTANTIATE(std::complex<double>)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::factor
