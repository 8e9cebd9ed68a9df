#ifndef TENFERRO_LINALG_CPU_FACTOR_BLOCK_REFLECTION_H_
#define TENFERRO_LINALG_CPU_FACTOR_BLOCK_REFLECTION_H_

#include "tenferro/linalg/cpu/factor/reflection.h"

// Products of kBlock reflections as I − V·T·Vᴴ, which act on a matrix by three products.
namespace tenferro::linalg::TENFERRO_ISA::factor {

inline constexpr int64_t kBlock = linalg::factor::kReflectionBlock;

// Householder's factorisation of an m × n panel: R on and above the diagonal of `a`, the vectors in v.
template <class R, bool kComplex>
void FactorPanel(const Panel<R, kComplex>& a, int64_t m, int64_t n, const Panel<R, kComplex>& v, Scalar<R>* tau) {
  const int64_t steps = m < n ? m : n;
  for (int64_t j = 0; j < steps; ++j) {
    tau[j] = MakeReflector(a, j, j, v);
    Reflect(v, j, j, Conjugate(tau[j]), a.From(j + 1), n - j - 1);
  }
}

// Columns of a matrix with contiguous rows as a panel whose padding is 0.
template <class R, bool kComplex>
void ToPanel(int64_t m, int64_t n, const Matrix<R, kComplex>& a, const Panel<R, kComplex>& panel) {
  for (int64_t j = 0; j < n; ++j) {
    Unpack<R, kComplex>(m, a.At(0, j), panel.column(j), panel.imag);
    for (int64_t i = m; i < panel.rows; ++i) panel.Set(i, j, {0, 0});
  }
}

template <class R, bool kComplex>
void FromPanel(int64_t m, int64_t n, const Panel<R, kComplex>& panel, const Matrix<R, kComplex>& a) {
  for (int64_t j = 0; j < n; ++j) Repack<R, kComplex>(m, panel.column(j), panel.imag, a.At(0, j));
}

// The upper triangular t of H_0 … H_(b−1) = I − V·t·Vᴴ, from the Gram matrix of V. Source: R. Schreiber, C. Van Loan,
// A storage-efficient WY representation for products of Householder transformations, SIAM J. Sci. Stat. Comput. 10
// (1989).
template <class R, bool kComplex>
void FormTriangle(int64_t b, const Scalar<R>* tau, const Matrix<R, kComplex>& gram, const Matrix<R, kComplex>& t) {
  for (int64_t j = 0; j < b; ++j) {
    for (int64_t i = 0; i < b; ++i) t.Set(i, j, {0, 0});
    // Column j above the diagonal: −tau_j·t·(Vᴴv_j), by columns of t.
    for (int64_t k = 0; k < j; ++k) {
      const Scalar<R> factor = Times(tau[j], gram.Get(k, j));
      for (int64_t i = 0; i <= k; ++i) t.Set(i, j, Minus(t.Get(i, j), Times(t.Get(i, k), factor)));
    }
    t.Set(j, j, tau[j]);
  }
}

// c −= v·t·(vᴴ·c), or with tᴴ in place of t; v [m, b], c [m, n]; `first` and `second` [b, n] are scratch.
template <class R, bool kComplex>
void ApplyBlock(const Products& products, int64_t m, int64_t n, int64_t b, const Matrix<R, kComplex>& v,
                const Matrix<R, kComplex>& t, const Matrix<R, kComplex>& c, const Matrix<R, kComplex>& first,
                const Matrix<R, kComplex>& second) {
  Multiply(products, b, n, m, v.Adjoint(), c, Term::kAssign, first);
  Multiply(products, b, n, b, t, first, Term::kAssign, second);
  Multiply(products, m, n, b, v, second, Term::kSubtract, c);
}

// The reflections of an m × n matrix, block by block.
template <class R, bool kComplex>
struct Reflections {
  // Scratch memory for matrices c of up to `most_columns` columns.
  Reflections(Arena& arena, Isa isa, uint8_t dtype, int64_t m, int64_t k, int64_t most_columns)
      : m(m),
        k(k),
        products(MakeProducts(arena, isa, dtype, m > most_columns ? m : most_columns)),
        v(NewMatrix<R, kComplex>(arena, m, k)),
        t(NewMatrix<R, kComplex>(arena, kBlock, k)),
        gram(NewMatrix<R, kComplex>(arena, kBlock, kBlock)),
        first(NewMatrix<R, kComplex>(arena, kBlock, most_columns)),
        second(NewMatrix<R, kComplex>(arena, kBlock, most_columns)) {}

  int64_t BlockSize(int64_t j) const { return k - j < kBlock ? k - j : kBlock; }

  // Completes block j, whose vectors are in v.
  void FinishBlock(int64_t j, const Scalar<R>* tau) const {
    const int64_t b = BlockSize(j);
    const Matrix<R, kComplex> block = v.From(j, j);
    Multiply(products, b, b, m - j, block.Adjoint(), block, Term::kAssign, gram);
    FormTriangle(b, tau, gram, t.From(0, j));
  }

  // Factors `work` [m, n] in place: R on and above its diagonal. `panel` and `vectors` are scratch of kBlock columns.
  void Factor(int64_t n, const Matrix<R, kComplex>& work, const Panel<R, kComplex>& panel,
              const Panel<R, kComplex>& vectors, Scalar<R>* all_tau) const {
    Scalar<R> tau[kBlock];
    for (int64_t j = 0; j < k; j += kBlock) {
      const int64_t b = BlockSize(j), rows = m - j;
      Panel<R, kComplex> here = panel, reflectors = vectors;
      here.rows = reflectors.rows = PadRows<R>(rows);
      ToPanel(rows, b, work.From(j, j), here);
      FactorPanel(here, rows, b, reflectors, tau);
      FromPanel(b, b, here, work.From(j, j));
      FromPanel(rows, b, reflectors, v.From(j, j));
      FinishBlock(j, tau);
      ApplyBlock(products, rows, n - j - b, b, v.From(j, j), t.From(0, j).Adjoint(), work.From(j, j + b), first,
                 second);
      for (int64_t i = 0; i < b && all_tau != nullptr; ++i) all_tau[j + i] = tau[i];
    }
  }

  // c = Q·c or Qᴴ·c for c [m, n], of whose columns only those from a block's number on are touched where
  // `from_diagonal`: the others are zero in the rows that the block turns.
  void Apply(bool adjoint, int64_t n, bool from_diagonal, const Matrix<R, kComplex>& c) const {
    const int64_t last = (k - 1) / kBlock * kBlock;
    for (int64_t step = 0; step < k; step += kBlock) {
      const int64_t j = adjoint ? step : last - step, skip = from_diagonal ? j : 0;
      const Matrix<R, kComplex> triangle = t.From(0, j);
      ApplyBlock(products, m - j, n - skip, BlockSize(j), v.From(j, j), adjoint ? triangle.Adjoint() : triangle,
                 c.From(j, skip), first, second);
    }
  }

  int64_t m, k;
  Products products;
  Matrix<R, kComplex> v, t, gram, first, second;
};

}  // namespace tenferro::linalg::TENFERRO_ISA::factor

#endif  // TENFERRO_LINALG_CPU_FACTOR_BLOCK_REFLECTION_H_
