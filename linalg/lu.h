#ifndef TENFERRO_LINALG_LU_H_
#define TENFERRO_LINALG_LU_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro::linalg {

extern const OpDef kLu, kLuSolve, kFullPivotLu;

// Factorisations of a [m, n, batch…] by elimination; k = min(m, n). Dtypes: float, complex. Common errors: rank below
// 2, another dtype (carried); an element that is not finite (when run). A singular matrix has zeros on U's diagonal.

struct LuResult {
  Var permutation;  // i64 [m, batch…]: row i of l·u is row permutation[i] of a
  Var l;            // [m, k, batch…], unit lower triangular, |l_ij| ≤ 1 (complex: √2)
  Var u;            // [k, n, batch…], upper triangular
  Var parity;       // real [batch…]: the permutation's sign, 1 or −1
  Var pivots;       // i64 [k, batch…]: LAPACK's, from 0: row i was swapped with row pivots[i] ≥ i, in order
};

// Partial pivoting: the element of a column that is largest in |re| + |im|, the first of equal ones.
// Derivative: with x = l⁻¹·da[permutation]·u⁻¹, dl = l·tril(x, −1) and du = triu(x)·u; a singular a gives the error of
// TriangularSolve. Accuracy: |l·u − a[permutation]| ≤ n·eps·|l|·|u|. Cost: mnk − (m + n)k²/2 + k³/3 multiplications, in
// products. Source: S. Toledo, SIAM J. Matrix Anal. Appl. 18 (1997).
LuResult Lu(const Arg& a);

// The matrix p of zeros and ones with a = p·l·u, of a's dtype. Shapes: permutation [m, batch…] → [m, m, batch…].
Var PermutationMatrix(const Arg& permutation, DType dtype);

struct FullPivotLuResult {
  Var rows;     // i64 [m, batch…]
  Var l, u;     // l·u = a[rows, columns]
  Var columns;  // i64 [n, batch…]
  Var parity;   // the product of both permutations' signs
};

// Each pivot is the largest of all that is left. Derivative: as Lu's. Cost: Lu's flops, row by row: several times
// slower.
FullPivotLuResult FullPivotLu(const Arg& a);

// A square matrix with its factors, for any number of systems and for the derivatives of their solutions.
struct LuFactors {
  Var a;            // [n, n, batch…]
  Var lu;           // u, and l below its diagonal; a constant to derivatives, as is the permutation
  Var permutation;  // i64 [n, batch…]
  Var parity;
};
// Errors: also a matrix that is not square.
LuFactors LuFactor(const Arg& a);

struct LuSolveOptions {
  bool transpose = false;  // aᵀ·x = b; with `conjugate` aᴴ·x = b
  bool conjugate = false;
  void Fields(auto&& field) {
    field("transpose", transpose);
    field("conjugate", conjugate);
  }
};
// The x with op(a)·x = b. Shapes: b [n, k, batch…] or [n, batch…]. Errors: shapes or dtypes that do not fit (carried);
// an element of b that is not finite, a singular a: the first zero pivot (when run). Derivative: op(a)⁻¹·(db −
// op(da)·x) with the same factors, at any order. Accuracy: backward stable but for the growth of pivots. Cost: 2kn².
Var LuSolve(const LuFactors& factors, const Arg& b, const LuSolveOptions& options = {});

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_LU_H_
