#ifndef TENFERRO_LINALG_CPU_HOUSEHOLDER_H_
#define TENFERRO_LINALG_CPU_HOUSEHOLDER_H_

#include "tenferro/linalg/cpu/panel.h"

namespace tenferro::linalg::TENFERRO_ISA {

// A reflection I − tau·v·vᴴ.
template <class R>
struct Reflection {
  R tau = 0;                  // 0: the identity
  Scalar<R> result = {0, 0};  // what it turns the leading entry into
};

// The reflection that clears column j of v below row `lead`, given that the column is zero above: v becomes its vector.
template <class R, bool kComplex>
Reflection<R> MakeReflection(const Panel<R, kComplex>& v, int64_t j, int64_t lead);

// c −= v·(tau·vᴴc) for `columns` columns of c; v is zero above `top`, a multiple of the vector length.
template <class R, bool kComplex>
void Reflect(const R* v, int64_t v_imag, R tau, const Panel<R, kComplex>& c, int64_t columns, int64_t top);

// The first `columns` columns of the product of reflections 0, 1, …, of which number j acts on rows from j + offset and
// has its vector in column j of `reflectors`. `out` has as many rows.
template <class R, bool kComplex>
void FormOrthonormal(const Panel<R, kComplex>& reflectors, const R* tau, int64_t offset, int64_t columns,
                     const Panel<R, kComplex>& out);

// Overwrites the first `columns` columns of y, a matrix with at least as many rows, by the orthonormal factor of y =
// Q·R and puts the upper triangular factor into r (columns × columns). Q has orthonormal columns whatever the rank of
// y. `reflectors` is scratch of y's shape with one more column. Entries of y should be of order 1: see kNegligible.
template <class R, bool kComplex>
void QrInPlace(const Panel<R, kComplex>& y, int64_t columns, const Panel<R, kComplex>& r,
               const Panel<R, kComplex>& reflectors);

// Adds columns first … last − 1 to q so that all are orthonormal, given that the first `first` are; last <= m, the
// number of rows that are not padding.
template <class R, bool kComplex>
void CompleteOrthonormal(Arena& arena, int64_t m, const Panel<R, kComplex>& q, int64_t first, int64_t last);

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_HOUSEHOLDER_H_
