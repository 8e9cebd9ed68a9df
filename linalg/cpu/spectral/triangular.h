#ifndef TENFERRO_LINALG_CPU_SPECTRAL_TRIANGULAR_H_
#define TENFERRO_LINALG_CPU_SPECTRAL_TRIANGULAR_H_

#include "tenferro/linalg/cpu/spectral/dense.h"

// What general matrix functions need of upper triangular matrices: the complex Schur form.
namespace tenferro::linalg {

using Complex = std::complex<double>;

struct SchurForm {
  DenseMatrix<Complex> t;  // upper triangular
  DenseMatrix<Complex> z;  // unitary, A = z·t·zᴴ
  Outcome outcome = Outcome::kOk;
};

// T is double or complex. Of a real matrix, eigenvalues i and i + 1 that are a complex pair come out conjugate.
template <class T>
SchurForm ComplexSchur(Isa isa, const DenseMatrix<T>& a);

// Eigenvectors as columns of an upper triangular matrix, upper triangular too. Differences of eigenvalues below eps·|t|
// count as that; the vectors of a defective matrix, nearly parallel, are finite, but the inverse may not be.
DenseMatrix<Complex> TriangularEigenvectors(const DenseMatrix<Complex>& t);
DenseMatrix<Complex> TriangularInverse(const DenseMatrix<Complex>& x);

// The principal square root; false where it is singular in a way that leaves none.
//
// Source: Å. Björck and S. Hammarling, "A Schur method for the square root of a matrix", Linear Algebra Appl. 52 (1983).
bool TriangularSqrt(const DenseMatrix<Complex>& t, DenseMatrix<Complex>& root);

// x with r·x + x·r = c; false where two eigenvalues of r are opposite.
bool TriangularSylvester(const DenseMatrix<Complex>& r, const DenseMatrix<Complex>& c, DenseMatrix<Complex>& x);

// The principal logarithm by inverse scaling and squaring; false where an eigenvalue is 0.
//
// Source: A. H. Al-Mohy and N. J. Higham, "Improved inverse scaling and squaring algorithms for the matrix logarithm",
// SIAM J. Sci. Comput. 34 (2012).
bool TriangularLog(const DenseMatrix<Complex>& t, DenseMatrix<Complex>& log);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_SPECTRAL_TRIANGULAR_H_
