#include "tenferro/linalg/autodiff/factor_rules.h"
#include "tenferro/linalg/cholesky.h"
#include "tenferro/linalg/factor_slots.h"
#include "tenferro/linalg/incremental_qr.h"
#include "tenferro/linalg/least_squares.h"
#include "tenferro/linalg/lu.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/qr.h"
#include "tenferro/linalg/solve.h"
#include "tenferro/linalg/triangular_solve.h"
#include "tenferro/runtime/derivative.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/indexing.h"
#include "tenferro/runtime/ops/matrix_parts.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::linalg {

Var HalfLower(const Var& x) {
  const Var lower = Tril(x);
  const Var weight = OnesLike(x) - BroadcastInDim(Eye(x, x.dtype(), x.dim(0), x.dim(1)) * 0.5, x.shape(), {0, 1});
  return lower * weight;
}

Var PermuteRows(const Var& x, const Var& permutation) {
  if (x.shape().size() == 0) return x;  // no row or no matrix that a window could be taken from
  GatherAttributes rows;
  rows.offset_dims = {1};
  rows.collapsed_slice_dims = {0};
  rows.start_index_map = {0};
  rows.index_vector_dim = permutation.rank();
  rows.slice_sizes = {1, x.dim(1)};
  for (int i = 2; i < x.rank(); ++i) {
    rows.operand_batching_dims.push_back(i);
    rows.start_indices_batching_dims.push_back(i - 1);
    rows.slice_sizes.push_back(1);
  }
  return Gather(x, permutation, rows);
}

Var PermuteColumns(const Var& x, const Var& permutation) {
  Ints swap{1, 0};
  for (int i = 2; i < x.rank(); ++i) swap.push_back(i);
  return Transpose(PermuteRows(Transpose(x, swap), permutation), swap);
}

namespace {

constexpr DerivativeRules kRules[] = {
    {&kCholesky, JvpCholesky, nullptr},
    {&kTriangularSolve, JvpTriangularSolve, nullptr, TransposeTriangularSolve},
    {&kLu, JvpLu, nullptr},
    {&kFullPivotLu, JvpFullPivotLu, nullptr},
    {&kLuSolve, JvpLuSolve, nullptr, TransposeLuSolve},
    {&kDet, JvpDet, nullptr},
    {&kSlogdet, JvpSlogdet, nullptr},
    {&kQr, JvpQr, nullptr},
    {&kPivotedQr, JvpPivotedQr, nullptr},
    {&kReflectedQr, JvpReflectedQr, nullptr},
    {&kReflectedSolve, JvpPinvSolve, nullptr, TransposePinvSolve},
    {&kPinvSolve, JvpPinvSolve, nullptr, TransposePinvSolve},
};
constexpr DerivativeFamily kFamily{kRules};
[[maybe_unused]] const bool filled = FillSlot(factor_slots, &FamilySlots::derivative, &kFamily);

}  // namespace
}  // namespace tenferro::linalg
