#ifndef TENFERRO_RUNTIME_OPS_DOT_H_
#define TENFERRO_RUNTIME_OPS_DOT_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro {

extern const OpDef kDotGeneral;

// Which axes of the two operands are summed together and which are carried along, pair by pair.
struct DotGeneralAttributes {
  Ints lhs_contract = {}, rhs_contract = {}, lhs_batch = {}, rhs_batch = {};
  void Fields(auto&& field) {
    field("lhs_contract", lhs_contract);
    field("rhs_contract", rhs_contract);
    field("lhs_batch", lhs_batch);
    field("rhs_batch", rhs_batch);
  }
};

// Contraction of two tensors: result[b, i, j] = Σ_k lhs[b, i, k] rhs[b, j, k].
// Shapes: the batch axes in the order given, the lhs's free axes in order, the rhs's (StableHLO's order).
// Dtypes: all, promoted to one; bool: or of ands. Errors: lists of different length, an axis that does not exist or
// stands twice, extents that differ. Derivative: dlhs·rhs + lhs·drhs. Accuracy: the products are summed in column-major
// order of the contracted axes as listed, in blocks of 256: each block one chain of fused multiply-adds (x86-64-v2:
// rounded products and sums), the blocks in order; a result of one element with 512 terms or more in chains that take
// turns; threads never split them.
Var DotGeneral(const Arg& lhs, const Arg& rhs, const DotGeneralAttributes& axes);

// Matrix product over the leading two axes, [m, k, batch…] · [k, n, batch…] → [m, n, batch…]; equal batch extents.
// Errors: rank below 2, contracting dimensions or batch axes differ.
Var Matmul(const Arg& a, const Arg& b);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_DOT_H_
