#ifndef TENFERRO_LINALG_CPU_FACTOR_REFLECTION_H_
#define TENFERRO_LINALG_CPU_FACTOR_REFLECTION_H_

#include "tenferro/linalg/cpu/factor/matrix.h"

// Householder's reflections in LAPACK's form: H = I − tau·v·vᴴ with v = 1 in its leading row and 0 above, and Hᴴ
// turns the column that it was made of into (β, 0, …), β real and of the sign opposite to the column's leading real
// part. A column that is like this already is left alone: tau = 0, and v is 0 in every row.
namespace tenferro::linalg::TENFERRO_ISA::factor {

// The reflection for rows `lead`, … of column j of `a`. Its vector goes to column j of `v`, rows and padding alike, β
// to a's element (lead, j); what lies below there in a is no longer valid. Returns tau.
template <class R, bool kComplex>
Scalar<R> MakeReflector(const Panel<R, kComplex>& a, int64_t j, int64_t lead, const Panel<R, kComplex>& v);

// The first `columns` columns of c become c − v·tau·(vᴴc), v being column j of `vectors`, 0 above row `lead`.
template <class R, bool kComplex>
void Reflect(const Panel<R, kComplex>& vectors, int64_t j, int64_t lead, Scalar<R> tau, const Panel<R, kComplex>& c,
             int64_t columns);

// The norm of rows `begin`, … of a column, whatever the size of its elements.
template <class R, bool kComplex>
R Norm(const Panel<R, kComplex>& a, int64_t j, int64_t begin);

// The first `columns` columns of H_0 H_1 … H_(k−1), each of which leads in the row of its number.
template <class R, bool kComplex>
void FormProduct(const Panel<R, kComplex>& vectors, const Scalar<R>* tau, int64_t k, int64_t columns,
                 const Panel<R, kComplex>& q);

}  // namespace tenferro::linalg::TENFERRO_ISA::factor

#endif  // TENFERRO_LINALG_CPU_FACTOR_REFLECTION_H_
