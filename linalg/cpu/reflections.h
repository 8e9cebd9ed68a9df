#ifndef TENFERRO_LINALG_CPU_REFLECTIONS_H_
#define TENFERRO_LINALG_CPU_REFLECTIONS_H_

#include "tenferro/linalg/cpu/panel.h"

namespace tenferro::linalg::TENFERRO_ISA {

// A product H_0·H_1·…·H_{count−1} of reflections I − tau·v·vᴴ. Number j acts on rows from j + offset and has its vector
// in column j, which is zero above.
template <class R, bool kComplex>
struct Reflections {
  Panel<R, kComplex> vectors;
  R* tau = nullptr;
  int64_t offset = 0;
  int64_t count = 0;
};

// c = H_0·H_1·…·c for the first `columns` columns of c, which has the vectors' rows, in groups of reflections as
// products of matrices.
//
// Source: Schreiber and Van Loan, "A storage-efficient WY representation for products of Householder transformations",
// SIAM J. Sci. Stat. Comput. 10 (1989).
template <class R, bool kComplex>
void Apply(Arena& arena, const Reflections<R, kComplex>& reflections, const Panel<R, kComplex>& c, int64_t columns);

// y = Q·r for a matrix with at least as many rows as `columns`: fills the upper triangular factor r (columns × columns)
// and returns Q, whose first columns are orthonormal whatever the rank of y. Overwrites y, whose entries should be of
// order 1.
template <class R, bool kComplex>
Reflections<R, kComplex> FactorQr(Arena& arena, const Panel<R, kComplex>& y, int64_t columns,
                                  const Panel<R, kComplex>& r);

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_REFLECTIONS_H_
