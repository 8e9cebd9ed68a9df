#ifndef TENFERRO_LINALG_CPU_FACTOR_TRIANGLE_H_
#define TENFERRO_LINALG_CPU_FACTOR_TRIANGLE_H_

#include "tenferro/linalg/cpu/factor/matrix.h"

namespace tenferro::linalg::TENFERRO_ISA::factor {

// Overwrites b [rows, n] by the solution x of x·m = b for an upper triangular m of order n; what lies below m's
// diagonal is not read, nor is the diagonal where `unit` says that it holds ones. No other element of m's diagonal may
// be 0. Any triangular system is one of these after a transposition or a reversal of both matrices. Cost: rows·n²
// flops, all but those of kLeaf × kLeaf triangles in products.
template <class R, bool kComplex>
void SolveUpperFromRight(const Products& products, int64_t rows, int64_t n, const Matrix<R, kComplex>& m, bool unit,
                         const Matrix<R, kComplex>& b);

// x with lower·x = b for a lower triangular matrix, b [n, columns].
template <class R, bool kComplex>
void SolveLowerFromLeft(const Products& products, int64_t n, int64_t columns, const Matrix<R, kComplex>& lower,
                        bool unit, const Matrix<R, kComplex>& b) {
  SolveUpperFromRight(products, columns, n, lower.Transposed(), unit, b.Transposed());
}

// x with upper·x = b.
template <class R, bool kComplex>
void SolveUpperFromLeft(const Products& products, int64_t n, int64_t columns, const Matrix<R, kComplex>& upper,
                        bool unit, const Matrix<R, kComplex>& b) {
  if (n == 0) return;
  const Matrix<R, kComplex> reversed = {b.At(n - 1, 0), -b.row_step, b.column_step};
  SolveUpperFromRight(products, columns, n, upper.Reversed(n).Transposed(), unit, reversed.Transposed());
}

}  // namespace tenferro::linalg::TENFERRO_ISA::factor

#endif  // TENFERRO_LINALG_CPU_FACTOR_TRIANGLE_H_
