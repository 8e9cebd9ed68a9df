#include "tenferro/ad/grad.h"
#include "tenferro/einsum/einsum.h"
#include "tenferro/experiments/parity/evaluate.h"
#include "tenferro/fft/fft.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/ops/cumulative.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/indexing.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/sort.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/transforms/vmap.h"

namespace tenferro::parity {
namespace {

using In = absl::Span<const Var>;
using Vars = std::vector<Var>;

// The last axis of a with the first of b.
Vars Dot(In x) { return {DotGeneral(x[0], x[1], {.lhs_contract = {x[0].rank() - 1}, .rhs_contract = {0}})}; }

// Every argument along its first axis, as the reference does where nothing is said.
const VmapOptions& FirstAxis() {
  static const VmapOptions& options = *new VmapOptions{.in_axes = {0}, .out_axes = {0}};
  return options;
}
const VmapOptions& FirstAxisOfSecond() {
  static const VmapOptions& options = *new VmapOptions{.in_axes = {kNotMapped, 0}, .out_axes = {0}};
  return options;
}

constexpr Formula kFormulas[] = {
    {"vmap/dot", [](const Call& x) -> Vars { return Vmap(Dot, x.inputs, FirstAxis()); }},
    {"vmap/matvec_in_axes",
     [](const Call& x) -> Vars {
       return Vmap(Dot, x.inputs, {.in_axes = {kNotMapped, 1}, .out_axes = {1}});
     }},
    {"vmap/matmul_nested",
     [](const Call& x) -> Vars {
       const TracedFunction rows = Vmap(Dot, {.in_axes = {0, kNotMapped}, .out_axes = {0}});
       return Vmap(rows, x.inputs, {.in_axes = {kNotMapped, 1}, .out_axes = {1}});
     }},
    {"vmap/grad",
     [](const Call& x) -> Vars {
       return Vmap([](In in) -> Vars { return {ad::Grad(ReduceSum(Sin(in[0]) * Square(in[0])), in[0])}; }, x.inputs,
                   FirstAxis());
     }},
    {"vmap/grad_wrt_shared",
     [](const Call& x) -> Vars {
       return Vmap([](In in) -> Vars { return {ad::Grad(ReduceSum(Tanh(Dot(in)[0])), in[0])}; }, x.inputs,
                   FirstAxisOfSecond());
     }},
    {"vmap/svd_values",
     [](const Call& x) -> Vars {
       return Vmap([](In in) -> Vars { return {linalg::Svd(in[0]).s}; }, x.inputs, FirstAxis());
     }},
    {"vmap/fft",
     [](const Call& x) -> Vars {
       return Vmap([](In in) -> Vars { return {fft::Fft(in[0], 0)}; }, x.inputs, {.in_axes = {1}, .out_axes = {1}});
     }},
    {"vmap/cond",
     [](const Call& x) -> Vars {
       return Vmap([](In in) -> Vars { return {Select(in[0], Sin(in[1]), Cos(in[1]))}; }, x.inputs, FirstAxis());
     }},
    {"vmap/einsum",
     [](const Call& x) -> Vars {
       return Vmap([](In in) -> Vars { return {Einsum("ij,jk->ki", in)}; }, x.inputs,
                   {.in_axes = {0, kNotMapped}, .out_axes = {0}});
     }},
    {"vmap/dynamic_slice",
     [](const Call& x) -> Vars {
       return Vmap([](In in) -> Vars { return {DynamicSlice(in[0], in[1], {2})}; }, x.inputs, FirstAxis());
     }},
    {"vmap/gather",
     [](const Call& x) -> Vars {
       return Vmap([](In in) -> Vars { return {IndexSelect(in[0], in[1], 0)}; }, x.inputs, FirstAxisOfSecond());
     }},
    {"vmap/scatter_add",
     [](const Call& x) -> Vars {
       return Vmap(
           [](In in) -> Vars {
             return {Scatter(in[0], in[1], in[2], ScatterKind::kAdd,
                             {.update_window_dims = {},
                              .inserted_window_dims = {0},
                              .input_batching_dims = {},
                              .scatter_indices_batching_dims = {},
                              .scatter_dims_to_operand_dims = {0},
                              .index_vector_dim = 1})};
           },
           x.inputs, FirstAxis());
     }},
    {"vmap/reduce_sort",
     [](const Call& x) -> Vars {
       return Vmap([](In in) -> Vars { return {CumSum(Reverse(Sort(in[0], 0), {0}), 0)}; }, x.inputs, FirstAxis());
     }},
};

}  // namespace

absl::Span<const Formula> VmapFormulas() { return kFormulas; }

}  // namespace tenferro::parity
