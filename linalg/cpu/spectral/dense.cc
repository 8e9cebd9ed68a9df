#include "tenferro/linalg/cpu/spectral/dense.h"

#include <algorithm>
#include <utility>

#include "tenferro/linalg/cpu/factor/kernels.h"

namespace tenferro::linalg {

template <class T>
bool SolveInPlace(Isa isa, const DenseMatrix<T>& a, DenseMatrix<T>& b) {
  const int64_t n = a.rows, m = b.columns;
  Pool* const pool = a.pool();
  PoolVector<int64_t> permutation(static_cast<size_t>(n), pool), pivots(static_cast<size_t>(n), pool);
  DenseMatrix<T> lu(n, n, pool), x(n, m, pool);
  const Piece scratch(pool, std::max(factor::LuBytes<T>(isa, n, n), factor::LuSolveBytes<T>(isa, n, m)));
  RealOf<T> parity;
  if (factor::Lu(isa, n, n, a.data.data(), lu.data.data(), permutation.data(), &parity, pivots.data(), scratch.memory())
          .outcome != Outcome::kOk) {
    return false;
  }
  if (factor::LuSolve(isa, n, m, false, false, lu.data.data(), permutation.data(), b.data.data(), x.data.data(),
                      scratch.memory())
          .outcome != Outcome::kOk) {
    return false;
  }
  b = std::move(x);
  return true;
}

template bool SolveInPlace(Isa, const DenseMatrix<double>&, DenseMatrix<double>&);
template bool SolveInPlace(Isa, const DenseMatrix<std::complex<double>>&, DenseMatrix<std::complex<double>>&);

}  // namespace tenferro::linalg
