#ifndef TENFERRO_LINALG_CPU_SPECTRAL_DENSE_H_
#define TENFERRO_LINALG_CPU_SPECTRAL_DENSE_H_

#include <complex>

#include "tenferro/cpu/gemm/gemm.h"
#include "tenferro/linalg/cpu/kernels.h"
#include "tenferro/linalg/cpu/spectral/pool.h"
#include "tenferro/tensor/dtype.h"

namespace tenferro::linalg {

// A column-major matrix that owns its elements, in memory of a pool where it was given one. A copy has the same.
template <class T>
struct DenseMatrix {
  int64_t rows = 0;
  int64_t columns = 0;
  PoolVector<T> data;

  DenseMatrix() : data(PoolAllocator<T>(nullptr)) {}
  DenseMatrix(int64_t m, int64_t n, Pool* pool = nullptr)
      : rows(m), columns(n), data(static_cast<size_t>(m * n), PoolAllocator<T>(pool)) {}
  Pool* pool() const { return data.get_allocator().pool; }
  T& operator()(int64_t i, int64_t j) { return data[static_cast<size_t>(i + j * rows)]; }
  const T& operator()(int64_t i, int64_t j) const { return data[static_cast<size_t>(i + j * rows)]; }
};

enum class Turn : uint8_t { kNone, kAdjoint };

// c = op(a)·op(b), or c −= op(a)·op(b), on views with leading dimensions.
template <class T>
void MultiplyView(Isa isa, Turn turn_a, const T* a, int64_t lda, Turn turn_b, const T* b, int64_t ldb, int64_t m,
                  int64_t n, int64_t k, bool subtract, T* c, int64_t ldc, Pool* pool) {
  GemmArgs args = {};
  args.dtype = static_cast<uint8_t>(kDTypeOf<T>);
  args.accumulate = args.negate = subtract;
  const bool adjoint_a = turn_a == Turn::kAdjoint, adjoint_b = turn_b == Turn::kAdjoint;
  args.conjugate_a = adjoint_a && IsComplex(kDTypeOf<T>);
  args.conjugate_b = adjoint_b && IsComplex(kDTypeOf<T>);
  args.a_rows = {m, adjoint_a ? lda : 1, nullptr};
  args.a_cols = {k, adjoint_a ? 1 : lda, nullptr};
  args.b_rows = {k, adjoint_b ? ldb : 1, nullptr};
  args.b_cols = {n, adjoint_b ? 1 : ldb, nullptr};
  args.c_rows = {m, 1, nullptr};
  args.c_cols = {n, ldc, nullptr};
  args.a = a;
  args.b = b;
  args.c = c;
  const Piece workspace(pool, GemmWorkspaceBytes(isa, args));
  GemmBlock(isa, args, 0, m, 0, n, workspace.memory().data);
}

template <class T>
DenseMatrix<T> Multiply(Isa isa, Turn turn_a, const DenseMatrix<T>& a, Turn turn_b, const DenseMatrix<T>& b) {
  const int64_t m = turn_a == Turn::kNone ? a.rows : a.columns, k = turn_a == Turn::kNone ? a.columns : a.rows;
  const int64_t n = turn_b == Turn::kNone ? b.columns : b.rows;
  DenseMatrix<T> c(m, n, a.pool());
  if (m > 0 && n > 0) {
    MultiplyView(isa, turn_a, a.data.data(), a.rows, turn_b, b.data.data(), b.rows, m, n, k, false, c.data.data(), m,
                 a.pool());
  }
  return c;
}

template <class T>
DenseMatrix<T> Multiply(Isa isa, const DenseMatrix<T>& a, const DenseMatrix<T>& b) {
  return Multiply(isa, Turn::kNone, a, Turn::kNone, b);
}

// b ← a⁻¹·b by elimination with row exchanges. False where a pivot is 0 or an element is not finite.
template <class T>
bool SolveInPlace(Isa isa, const DenseMatrix<T>& a, DenseMatrix<T>& b);

// The largest sum of moduli in a column; NaN if an entry is.
template <class T>
double OneNorm(const DenseMatrix<T>& a) {
  double largest = 0;
  for (int64_t j = 0; j < a.columns; ++j) {
    double sum = 0;
    for (int64_t i = 0; i < a.rows; ++i) sum += std::abs(a(i, j));
    if (sum != sum) return sum;
    if (sum > largest) largest = sum;
  }
  return largest;
}

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_SPECTRAL_DENSE_H_
