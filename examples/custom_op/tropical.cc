#include "tropical.h"

#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

using namespace tenferro;

// `path` [i,k,j] where k is the chosen one, 0 elsewhere.
static Var Chosen(const Var& path, const Var& k) {
  const Var mine = Iota(path, DType::kI64, path.shape(), 1);
  return Select(Eq(mine, BroadcastInDim(k, path.shape(), {0, 2})), path, ZerosLike(path));
}

const CustomOp tropical_product({
    .name = "tropical_product",
    .num_outputs = 2,
    .shape = [](const OpDef&, WordSpan, absl::Span<const ValueType> in, ValueTypes& out) -> absl::Status {
      if (in.size() != 2 || in[0].shape.rank() != 2 || in[1].shape.rank() != 2 || in[0].dtype != DType::kF64 ||
          in[1].dtype != DType::kF64 || in[0].shape[1] != in[1].shape[0] || in[0].shape[1] == 0) {
        return absl::InvalidArgumentError("needs f64 matrices [m,k] and [k,n], k > 0");
      }
      for (DType dtype : {DType::kF64, DType::kI64}) out.push_back({dtype, {in[0].shape[0], in[1].shape[1]}});
      return absl::OkStatus();
    },
    .kernel = [](WordSpan, absl::Span<const ConstArray> in, absl::Span<const MutableArray> out) -> absl::Status {
      const int64_t m = in[0].dim(0), depth = in[0].dim(1);
      const double *a = in[0].data<double>(), *b = in[1].data<double>();
      for (int64_t at = 0; at < out[0].size(); ++at) {
        const double* row = a + at % m;
        const double* column = b + at / m * depth;
        int64_t best = 0;
        for (int64_t k = 1; k < depth; ++k) best = row[k * m] + column[k] > row[best * m] + column[best] ? k : best;
        out[0].data<double>()[at] = row[best * m] + column[best];
        out[1].data<int64_t>()[at] = best;
      }
      return absl::OkStatus();
    },
    .jvp = [](const NodeView& node, absl::Span<const Var> t, absl::Span<Var> out) {
      const Shape paths{node.inputs[0].shape()[0], node.inputs[0].shape()[1], node.inputs[1].shape()[1]};
      for (int i = 0; i < 2; ++i) {
        if (t[i].empty()) continue;
        const Var share = ReduceSum(Chosen(BroadcastInDim(t[i], paths, {i, i + 1}), node.outputs[1]), {1});
        out[0] = out[0].empty() ? share : out[0] + share;
      }
    },
    .vjp = [](const NodeView& node, absl::Span<const Var> ct, OperandSet, absl::Span<Var> out) {
      const Shape paths{node.inputs[0].shape()[0], node.inputs[0].shape()[1], node.inputs[1].shape()[1]};
      const Var chosen = Chosen(BroadcastInDim(ct[0], paths, {0, 2}), node.outputs[1]);
      out[0] = ReduceSum(chosen, {2});
      out[1] = ReduceSum(chosen, {0});
    },
});
