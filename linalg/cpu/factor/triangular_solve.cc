#include "tenferro/linalg/cpu/factor/isa_kernels.h"
#include "tenferro/linalg/cpu/factor/triangle.h"

namespace tenferro::linalg::TENFERRO_ISA::factor {
namespace {

// Whole vectors are read, and what lies on the other side of the diagonal is masked.
template <class R, bool kComplex>
bool TriangleIsFinite(int64_t n, bool lower, bool unit, const Matrix<R, kComplex>& t) {
  const Tag<R> d;
  const int64_t lanes = LaneCount<R>(), reals = n * kParts<kComplex>, whole = reals / lanes * lanes;
  const int64_t skip = unit ? 1 : 0;
  Vector<R> defect = hn::Zero(d);
  R defect_single = 0;
  for (int64_t j = 0; j < n; ++j) {
    const R* const column = t.At(0, j);
    const int64_t begin = (lower ? j + skip : 0) * kParts<kComplex>;
    const int64_t end = lower ? reals : (j + 1 - skip) * kParts<kComplex>;
    int64_t i = begin / lanes * lanes;
    for (; i < end && i < whole; i += lanes) {
      Vector<R> x = hn::LoadU(d, column + i);
      if (i < begin) x = hn::IfThenZeroElse(hn::FirstN(d, static_cast<size_t>(begin - i)), x);
      if (i + lanes > end) x = hn::IfThenElseZero(hn::FirstN(d, static_cast<size_t>(end - i)), x);
      defect = hn::Add(defect, hn::Sub(x, x));
    }
    for (i = i < begin ? begin : i; i < end; ++i) defect_single += column[i] - column[i];
  }
  return hn::GetLane(hn::SumOfLanes(d, defect)) + defect_single == 0;
}

}  // namespace

template <class R, bool kComplex>
Ending TriangularSolve(Isa isa, uint8_t dtype, int64_t n, int64_t right_sides, TriangleMode mode, const R* t_data,
                       const R* b_data, R* x_data, Memory memory) {
  Matrix<R, kComplex> t = {const_cast<R*>(t_data), 1, n, mode.conjugate};
  const int64_t x_rows = mode.right ? right_sides : n, x_columns = mode.right ? n : right_sides;
  const Matrix<R, kComplex> b = {const_cast<R*>(b_data), 1, x_rows};
  const Matrix<R, kComplex> x = {x_data, 1, x_rows};
  if (!TriangleIsFinite(n, mode.lower, mode.unit_diagonal, t)) return {Outcome::kNotFinite, 0};
  if (!CopyFinite(x_rows, x_columns, b, x)) return {Outcome::kNotFinite, 1};
  for (int64_t j = 0; j < n && !mode.unit_diagonal; ++j) {
    const Scalar<R> d = t.Get(j, j);
    if (d.re == 0 && d.im == 0) return {Outcome::kSingular, j};
  }
  bool lower = mode.lower;
  if (mode.transpose) {
    t = t.Transposed();
    lower = !lower;
  }
  const auto solve = [&](const Products& products) {
    if (mode.right) {
      if (!lower) return SolveUpperFromRight(products, right_sides, n, t, mode.unit_diagonal, x);
      if (n == 0) return;
      const Matrix<R, kComplex> reversed = {x.At(0, n - 1), 1, -x.column_step};
      return SolveUpperFromRight(products, right_sides, n, t.Reversed(n), mode.unit_diagonal, reversed);
    }
    if (lower) return SolveLowerFromLeft(products, n, right_sides, t, mode.unit_diagonal, x);
    SolveUpperFromLeft(products, n, right_sides, t, mode.unit_diagonal, x);
  };
  if (n <= kLeaf) {
    solve(Products());
  } else {
    Arena arena(memory);
    solve(MakeProducts(arena, isa, dtype, n > right_sides ? n : right_sides));
  }
  return {Outcome::kOk, 0};
}

#define TENFERRO_INSTANTIATE(R, kComplex)                                                                            \
  template Ending TriangularSolve<R, kComplex>(Isa, uint8_t, int64_t, int64_t, TriangleMode, const R*, const R*, R*, \
                                               Memory);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA::factor
