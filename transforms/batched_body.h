#ifndef TENFERRO_TRANSFORMS_BATCHED_BODY_H_
#define TENFERRO_TRANSFORMS_BATCHED_BODY_H_

#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "tenferro/runtime/graph.h"

namespace tenferro {

// A value of one slice, or those of all slices along a further last axis.
struct BatchedVar {
  Var var;
  bool batched = false;
};

// Records a body again with operands of which some are batched, around `like`, one of them or a value beside them.
// Errors: an operation without a batching rule, or whose rule gives another type than the operation would.
absl::StatusOr<std::vector<BatchedVar>> BatchBody(const Body& body, absl::Span<const BatchedVar> operands, Dim size,
                                                  Context& context);

}  // namespace tenferro

#endif  // TENFERRO_TRANSFORMS_BATCHED_BODY_H_
