#ifndef TENFERRO_LINALG_CPU_SPECTRAL_GENERAL_FUNCTION_H_
#define TENFERRO_LINALG_CPU_SPECTRAL_GENERAL_FUNCTION_H_

#include "tenferro/linalg/cpu/spectral/dense.h"

// Functions of general square matrices and their derivatives along e; T is double or std::complex<double>.
namespace tenferro::linalg {

// Source: A. H. Al-Mohy and N. J. Higham, "A new scaling and squaring algorithm for the matrix exponential", SIAM J.
// Matrix Anal. Appl. 31 (2009).
template <class T>
Outcome Expm(Isa isa, const DenseMatrix<T>& a, DenseMatrix<T>& out);

// Square root and logarithm through the Schur form. kNoPrincipalValue where an eigenvalue is 0 (for the square root: in a
// defective way) or, for real matrices, negative.
template <class T>
Outcome Sqrtm(Isa isa, const DenseMatrix<T>& a, DenseMatrix<T>& out);
template <class T>
Outcome Logm(Isa isa, const DenseMatrix<T>& a, DenseMatrix<T>& out);

// Of the exponential and the logarithm as the upper right block of the function of [[a, e], [0, a]]; of the square root
// by Sylvester's equation.
template <class T>
Outcome ExpmDerivative(Isa isa, const DenseMatrix<T>& a, const DenseMatrix<T>& e, DenseMatrix<T>& out);
template <class T>
Outcome SqrtmDerivative(Isa isa, const DenseMatrix<T>& a, const DenseMatrix<T>& e, DenseMatrix<T>& out);
template <class T>
Outcome LogmDerivative(Isa isa, const DenseMatrix<T>& a, const DenseMatrix<T>& e, DenseMatrix<T>& out);

// Eigenvalues of a general matrix, its eigenvectors (unit columns) and their inverse; vectors and inverse may be null.
template <class T>
Outcome Eig(Isa isa, const DenseMatrix<T>& a, std::complex<double>* values, DenseMatrix<std::complex<double>>* vectors,
            DenseMatrix<std::complex<double>>* inverse);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_SPECTRAL_GENERAL_FUNCTION_H_
