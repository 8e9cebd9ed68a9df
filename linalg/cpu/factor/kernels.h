#ifndef TENFERRO_LINALG_CPU_FACTOR_KERNELS_H_
#define TENFERRO_LINALG_CPU_FACTOR_KERNELS_H_

#include <cstdint>

#include "tenferro/cpu/kernels/isa.h"
#include "tenferro/linalg/cpu/factor/modes.h"
#include "tenferro/linalg/cpu/outcome.h"
#include "tenferro/linalg/cpu/scalar.h"
#include "tenferro/linalg/cpu/scratch.h"

// Triangular factorisations and what is solved with them, as plain functions on dense column-major arrays. T is float,
// double, std::complex<float> or std::complex<double>. Function F works in `memory` of FBytes bytes, 0 for most orders
// up to 16, and takes that much from the heap where it is lent less. They keep no state and return the same bits for
// the same input on one instruction set. Outputs do not overlap inputs; they hold nothing of use where a function
// fails.
namespace tenferro::linalg::factor {

// a = l·lᴴ for a Hermitian positive definite a, of which the lower triangle is read. Shapes: [n, n].
// Ends: kNotFinite, kNotPositive.
template <class T>
Ending Cholesky(Isa isa, int64_t n, const T* a, T* l, Memory memory = {});
template <class T>
int64_t CholeskyBytes(Isa isa, int64_t n);

// x of op(t)·x = b [n, right_sides], or of x·op(t) = b [right_sides, n]. Ends: kNotFinite (index 1: b), kSingular.
template <class T>
Ending TriangularSolve(Isa isa, int64_t n, int64_t right_sides, TriangleMode mode, const T* t, const T* b, T* x,
                       Memory memory = {});
template <class T>
int64_t TriangularSolveBytes(Isa isa, int64_t n, int64_t right_sides);

// a[permutation[i], j] = (L·U)[i, j] by partial pivoting; lu [m, n] holds U and below it L without its unit diagonal;
// parity is the permutation's sign; row i was swapped with row pivots[i], i < min(m, n). Ends: kNotFinite.
template <class T>
Ending Lu(Isa isa, int64_t m, int64_t n, const T* a, T* lu, int64_t* permutation, RealOf<T>* parity, int64_t* pivots,
          Memory memory = {});
template <class T>
int64_t LuBytes(Isa isa, int64_t m, int64_t n);

// x of op(a)·x = b from a's factors. Ends: kNotFinite (index 1: b), kSingular.
template <class T>
Ending LuSolve(Isa isa, int64_t n, int64_t right_sides, bool transpose, bool conjugate, const T* lu,
               const int64_t* permutation, const T* b, T* x, Memory memory = {});
template <class T>
int64_t LuSolveBytes(Isa isa, int64_t n, int64_t right_sides);

// a[rows[i], columns[j]] = (L·U)[i, j], each pivot the largest of what is left. Ends: kNotFinite.
template <class T>
Ending FullPivotLu(Isa isa, int64_t m, int64_t n, const T* a, T* lu, int64_t* rows, int64_t* columns, RealOf<T>* parity,
                   Memory memory = {});
template <class T>
int64_t FullPivotLuBytes(int64_t m, int64_t n);

// a = q·r with q [m, q_columns], r [q_columns, n] and q_columns between min(m, n) and m. r's diagonal is real, and not
// negative where `positive`. Ends: kNotFinite.
template <class T>
Ending Qr(Isa isa, int64_t m, int64_t n, int64_t q_columns, bool positive, const T* a, T* q, T* r, Memory memory = {});
template <class T>
int64_t QrBytes(Isa isa, int64_t m, int64_t n, int64_t q_columns);

// Qr's r in the upper triangle of packed [m, n], below it the vectors of q's min(m, n) reflections without their
// leading ones, their factors in tau. Ends: kNotFinite.
template <class T>
Ending Reflectors(Isa isa, int64_t m, int64_t n, const T* a, T* packed, T* tau, Memory memory = {});
template <class T>
int64_t ReflectorsBytes(Isa isa, int64_t m, int64_t n);

// result = Q·c or Qᴴ·c for c [m, columns] and the complete Q [m, m] of the first k reflections. Ends: kNotFinite (index
// 1: c).
template <class T>
Ending ApplyReflectors(Isa isa, int64_t m, int64_t k, int64_t columns, bool adjoint, const T* packed, const T* tau,
                       const T* c, T* result, Memory memory = {});
template <class T>
int64_t ApplyReflectorsBytes(Isa isa, int64_t m, int64_t k, int64_t columns);

// a[i, permutation[j]] = (q·r)[i, j], q [m, k], r [k, n], k = min(m, n), |r_jj| descending. Ends: kNotFinite.
template <class T>
Ending PivotedQr(Isa isa, int64_t m, int64_t n, const T* a, T* q, T* r, int64_t* permutation, Memory memory = {});
template <class T>
int64_t PivotedQrBytes(int64_t m, int64_t n);

}  // namespace tenferro::linalg::factor

#endif  // TENFERRO_LINALG_CPU_FACTOR_KERNELS_H_
