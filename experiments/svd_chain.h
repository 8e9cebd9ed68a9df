#ifndef TENFERRO_EXPERIMENTS_SVD_CHAIN_H_
#define TENFERRO_EXPERIMENTS_SVD_CHAIN_H_

#include <cstdint>

#include "tenferro/runtime/var.h"

namespace tenferro {

// Σ y_n with (u, s, vᴴ) = svd(y), y ← u·diag(s) + vᴴ, n times: each layer uses its input three times over, so a
// derivative transform that follows paths instead of values grows like 3ⁿ.
Var SvdChain(const Var& y, int64_t layers);

}  // namespace tenferro

#endif  // TENFERRO_EXPERIMENTS_SVD_CHAIN_H_
