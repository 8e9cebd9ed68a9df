#ifndef TENFERRO_RUNTIME_OPS_CHECK_BATCHING_H_
#define TENFERRO_RUNTIME_OPS_CHECK_BATCHING_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "tenferro/runtime/engine.h"
#include "tenferro/runtime/op.h"

namespace tenferro {

// One operand of an operation under test: what it is in each slice of a batch. All have one type.
using BatchSlices = std::vector<Tensor>;

// Numbers to test with, apart from each other: different in each of `count` slices and for each `which`.
// Complex ones have a phase, integers lie in 0 … 10.
BatchSlices SlicesOf(const ValueType& type, int count, int which);

// Tests the batching rule of `op` against the operation on each slice, bit by bit: with every choice of operands that
// carry the batch axis (the others are their first slice) and for batches of no slice, of one and of all. Returns OK,
// or an error that says where they differ; or the operation's own.
absl::Status CheckBatching(const Engine& engine, const OpDef& op, WordSpan attributes,
                           absl::Span<const BatchSlices> operands);
// The same on SlicesOf operands of these types.
absl::Status CheckBatching(const Engine& engine, const OpDef& op, WordSpan attributes,
                           absl::Span<const ValueType> operands);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_CHECK_BATCHING_H_
