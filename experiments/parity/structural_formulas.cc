#include "tenferro/experiments/parity/evaluate.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
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

// column − row of each element.
Var DiagonalOf(const Var& x) { return Iota(x, DType::kI64, x.shape(), 1) - Iota(x, DType::kI64, x.shape(), 0); }

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
    {"index/triu", [](const Call& x) -> Vars { return {Select(Ge(DiagonalOf(x[0]), 1), x[0], ZerosLike(x[0]))}; }},
    {"index/tril", [](const Call& x) -> Vars { return {Select(Le(DiagonalOf(x[0]), -1), x[0], ZerosLike(x[0]))}; }},
    {"index/diag", [](const Call& x) -> Vars { return {x[0].rank() == 2 ? ExtractDiag(x[0]) : EmbedDiag(x[0])}; }},
    {"index/trace", [](const Call& x) -> Vars { return {ReduceSum(ExtractDiag(x[0]))}; }},
    {"index/roll",
     [](const Call& x) -> Vars {
       const int64_t rows = x[0].dim(0), columns = x[0].dim(1);
       return {
           Concatenate({Slice(x[0], {0, columns - 2}, {rows, columns}), Slice(x[0], {0, 0}, {rows, columns - 2})}, 1)};
     }},
    {"index/kron",
     [](const Call& x) -> Vars {
       // Element [i, j, k, l] of the outer product is a[i, j] b[k, l]; the row of the result is (i, k), k the faster.
       const Var outer = Transpose(DotGeneral(x[0], x[1], {}), {2, 0, 3, 1});
       return {Reshape(outer, {x[0].dim(0) * x[1].dim(0), x[0].dim(1) * x[1].dim(1)})};
     }},
};

}  // namespace

absl::Span<const Formula> StructuralFormulas() { return kFormulas; }

}  // namespace tenferro::parity
