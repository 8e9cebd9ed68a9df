#include "tenferro/linalg/cpu/factor/matrix.h"

namespace tenferro::linalg::TENFERRO_ISA::factor {
namespace {

// Axes with negative steps are walked from their other end, in all matrices that have them: what is summed or stored
// stays the same.
template <class R, bool kComplex>
Matrix<R, kComplex> Upright(Matrix<R, kComplex> a, int64_t rows, int64_t columns) {
  if (a.row_step < 0) a = {a.At(rows - 1, 0), -a.row_step, a.column_step, a.conjugate};
  if (a.column_step < 0) a = {a.At(0, columns - 1), a.row_step, -a.column_step, a.conjugate};
  return a;
}

GemmAxis Axis(int64_t extent, int64_t step) { return {extent, step, nullptr}; }

}  // namespace

Products MakeProducts(Arena& arena, Isa isa, uint8_t dtype, int64_t order) {
  GemmArgs args = {};
  args.dtype = dtype;
  args.c_rows.extent = args.c_cols.extent = args.a_cols.extent = order;
  return {isa, dtype, arena.Allocate<char>(GemmWorkspaceBytes(isa, args))};
}

template <class R, bool kComplex>
void Multiply(const Products& products, int64_t m, int64_t n, int64_t k, const Matrix<R, kComplex>& a_any,
              const Matrix<R, kComplex>& b_any, Term term, const Matrix<R, kComplex>& c_any) {
  if (m <= 0 || n <= 0) return;
  const Matrix<R, kComplex> a = Upright(a_any, m, k), b = Upright(b_any, k, n), c = Upright(c_any, m, n);
  GemmArgs args;
  args.dtype = products.dtype;
  args.accumulate = term != Term::kAssign;
  args.negate = term == Term::kSubtract;
  args.conjugate_a = a.conjugate;
  args.conjugate_b = b.conjugate;
  args.a_rows = Axis(m, a.row_step);
  args.a_cols = Axis(k, a.column_step);
  args.b_rows = Axis(k, b.row_step);
  args.b_cols = Axis(n, b.column_step);
  args.c_rows = Axis(m, c.row_step);
  args.c_cols = Axis(n, c.column_step);
  args.a = a.data;
  args.b = b.data;
  args.c = c.data;
  GemmBlock(products.isa, args, 0, m, 0, n, products.workspace);
}

template <class R, bool kComplex>
bool IsFinite(int64_t m, int64_t n, const Matrix<R, kComplex>& a) {
  const Tag<R> d;
  const int64_t lanes = LaneCount<R>(), reals = m * kParts<kComplex>;
  Vector<R> defect = hn::Zero(d);
  R defect_single = 0;
  for (int64_t j = 0; j < n; ++j) {
    const R* from = a.At(0, j);
    int64_t i = 0;
    for (; i + lanes <= reals; i += lanes) {
      const Vector<R> x = hn::LoadU(d, from + i);
      defect = hn::Add(defect, hn::Sub(x, x));
    }
    for (; i < reals; ++i) defect_single += from[i] - from[i];
  }
  return hn::GetLane(hn::SumOfLanes(d, defect)) + defect_single == 0;
}

template <class R, bool kComplex>
bool CopyFinite(int64_t m, int64_t n, const Matrix<R, kComplex>& a, const Matrix<R, kComplex>& to_matrix) {
  const Tag<R> d;
  const int64_t lanes = LaneCount<R>(), reals = m * kParts<kComplex>;
  Vector<R> defect = hn::Zero(d);
  R defect_single = 0;
  for (int64_t j = 0; j < n; ++j) {
    const R* from = a.At(0, j);
    R* to = to_matrix.At(0, j);
    int64_t i = 0;
    for (; i + lanes <= reals; i += lanes) {
      const Vector<R> x = hn::LoadU(d, from + i);
      defect = hn::Add(defect, hn::Sub(x, x));
      hn::StoreU(x, d, to + i);
    }
    for (; i < reals; ++i) {
      defect_single += from[i] - from[i];
      to[i] = from[i];
    }
  }
  return hn::GetLane(hn::SumOfLanes(d, defect)) + defect_single == 0;
}

template <class R, bool kComplex>
void Clear(int64_t m, int64_t n, const Matrix<R, kComplex>& a) {
  for (int64_t j = 0; j < n && m > 0; ++j) memset(a.At(0, j), 0, static_cast<size_t>(m * kParts<kComplex>) * sizeof(R));
}

#define TENFERRO_INSTANTIATE(R, kComplex)                                                             \
  template void Multiply(const Products&, int64_t, int64_t, int64_t, const Matrix<R, kComplex>&,      \
                         const Matrix<R, kComplex>&, Term, const Matrix<R, kComplex>&);               \
  template bool IsFinite(int64_t, int64_t, const Matrix<R, kComplex>&);                               \
  template bool CopyFinite(int64_t, int64_t, const Matrix<R, kComplex>&, const Matrix<R, kComplex>&); \
  template void Clear(int64_t, int64_t, const Matrix<R, kComplex>&);
TENFERRO_INSTANTIATE(float, false)
TENFERRO_INSTANTIATE(float, true)
TENFERRO_INSTANTIATE(double, false)
TENFERRO_INSTANTIATE(double, true)
#undef TENFERRO_INSTANTIATE

}  // namespace tenferro::linalg::TENFERRO_ISA::factor
