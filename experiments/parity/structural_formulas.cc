#include "tenferro/experiments/parity/evaluate.h"
#include "tenferro/runtime/ops/matrix_parts.h"
#include "tenferro/runtime/ops/products.h"
#include "tenferro/runtime/ops/rearrange.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::parity {
namespace {

using Vars = std::vector<Var>;

// A reshape that keeps the order in which the last axis is the fastest.
Var ReshapeRowMajor(const Var& x, const Shape& shape) {
  Shape reversed;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) reversed.push_back(shape[axis]);
  return Transpose(Reshape(Transpose(x), reversed));
}

constexpr Formula kFormulas[] = {
    {"shape/transpose", [](const Call& x) -> Vars { return {Transpose(x[0], x.IntsOf("perm"))}; }},
    {"shape/reshape",
     [](const Call& x) -> Vars {
       return {ReshapeRowMajor(x[0], {24, 5})};
     }},
    {"shape/reverse",
     [](const Call& x) -> Vars {
       return {Reverse(x[0], {0, 2})};
     }},
    {"shape/broadcast_in_dim",
     [](const Call& x) -> Vars {
       return {BroadcastInDim(x[0], {2, 4, 3, 5}, {1, 3})};
     }},
    {"shape/concatenate", [](const Call& x) -> Vars { return {Concatenate(x.inputs, 1)}; }},
    {"shape/pad",
     [](const Call& x) -> Vars {
       Ints low, high, interior;
       for (const nlohmann::json& axis : x.c.attributes["padding"]) {
         low.push_back(axis[0].get<int64_t>());
         high.push_back(axis[1].get<int64_t>());
         interior.push_back(axis[2].get<int64_t>());
       }
       return {Pad(x[0], x[1], low, high, interior)};
     }},
    {"shape/slice",
     [](const Call& x) -> Vars {
       return {Slice(x[0], {1, 0, 2}, {4, 5, 6}, {2, 1, 3})};
     }},

    {"index/iota",
     [](const Call& x) -> Vars {
       return {Iota(x.graph.Constant(Tensor()), DType::kI32, {3, 4}, 1)};
     }},
    {"index/triu", [](const Call& x) -> Vars { return {Triu(x[0], 1)}; }},
    {"index/tril", [](const Call& x) -> Vars { return {Tril(x[0], -1)}; }},
    {"index/diag", [](const Call& x) -> Vars { return {Diag(x[0])}; }},
    {"index/trace", [](const Call& x) -> Vars { return {Trace(x[0])}; }},
    {"index/roll", [](const Call& x) -> Vars { return {Roll(x[0], 2, 1)}; }},
    {"index/kron", [](const Call& x) -> Vars { return {Kron(x[0], x[1])}; }},
};

}  // namespace

absl::Span<const Formula> StructuralFormulas() { return kFormulas; }

}  // namespace tenferro::parity
