#ifndef TENFERRO_LINALG_CPU_HOUSEHOLDER_H_
#define TENFERRO_LINALG_CPU_HOUSEHOLDER_H_

#include "tenferro/linalg/cpu/panel.h"

namespace tenferro::linalg::TENFERRO_ISA {

// Overwrites the first `columns` columns of y, a matrix with at least as many rows, by the orthonormal factor of y = Q·R and
// puts the upper triangular factor into r (columns × columns). Q has orthonormal columns whatever the rank of y.
// `reflectors` is scratch of y's shape. Entries of y should be of order 1: see kNegligible.
template <class R, bool kComplex>
void QrInPlace(const Panel<R, kComplex>& y, int64_t columns, const Panel<R, kComplex>& r,
               const Panel<R, kComplex>& reflectors);

// Adds columns first … last − 1 to q so that all are orthonormal, given that the first `first` are; last <= m, the number of
// rows that are not padding.
template <class R, bool kComplex>
void CompleteOrthonormal(Arena& arena, int64_t m, const Panel<R, kComplex>& q, int64_t first, int64_t last);

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_HOUSEHOLDER_H_
