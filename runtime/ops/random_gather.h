#ifndef TENFERRO_RUNTIME_OPS_RANDOM_GATHER_H_
#define TENFERRO_RUNTIME_OPS_RANDOM_GATHER_H_

#include <random>

#include "tenferro/runtime/ops/indexing.h"

namespace tenferro {

// A gather to test with, of StableHLO's whole range: batching axes, windows on any axes, index vectors anywhere or
// without an axis, either mode. Indices may be any integers.
struct RandomGather {
  GatherAttributes attributes;
  Shape indices, windows;
};
RandomGather MakeRandomGather(const Shape& operand, std::mt19937& random);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_RANDOM_GATHER_H_
