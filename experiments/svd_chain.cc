#include "tenferro/experiments/svd_chain.h"

#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {

Var SvdChain(const Var& y, int64_t layers) {
  Var value = y;
  for (int64_t i = 0; i < layers; ++i) {
    const linalg::SvdResult svd = linalg::Svd(value);
    value = svd.u * BroadcastInDim(svd.s, svd.u.shape(), {1}) + svd.vh;
  }
  return ReduceSum(value);
}

}  // namespace tenferro
