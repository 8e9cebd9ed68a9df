#ifndef TENFERRO_TRANSFORMS_VMAP_H_
#define TENFERRO_TRANSFORMS_VMAP_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "tenferro/runtime/graph.h"

namespace tenferro {

// Which axis runs over the batch; negative from the end: −1 is the last. kNotMapped: every slice sees the whole value.
using VmapAxis = std::optional<int>;
inline constexpr std::nullopt_t kNotMapped = std::nullopt;

struct VmapOptions {
  // One for each argument, or one for all.
  std::vector<VmapAxis> in_axes = {-1};
  // One for each output, or one for all. An output that no mapped argument has an influence on may be kNotMapped; else
  // it is repeated along its axis.
  std::vector<VmapAxis> out_axes = {-1};
  // Extent of the batch, for when no argument is mapped; where one is, it must agree.
  std::optional<int64_t> size = std::nullopt;
};

// Maps `function` over a batch: output slice i is function(argument slices i). The function sees the slices' types, is
// called once, and may use any value of the surrounding graph, which is the same for all slices; it may take
// derivatives, and call or map other functions. What it records is recorded again around the arguments, operation by
// operation through each record's batching rule; what depends on no mapped argument is recorded as it is. The results
// are ordinary values: differentiate them, map again over other axes. Arguments may be numbers, which are computed with
// at once.
//   Vmap(f, {x, w}, {.in_axes = {0, kNotMapped}, .out_axes = {1}})
// Derivative: that of the operations, per slice. With respect to a captured value take it outside, or pass the value as
// an argument. A seed or tangent may come from the batch: the map of a vjp over unit vectors is a Jacobian. Accuracy:
// the bits of each slice by itself, but for reductions, whose order depends on the shape. Cost: linear in what the
// function records.
// Errors (carried by each output; before their number is known, by one Var for each of out_axes and one at least): no
// argument; none mapped and no size; extents that differ; an axis that does not exist; a wrong number of axes; an
// output that depends on a mapped argument where its axis is kNotMapped; an operation without a batching rule; those of
// the function.
std::vector<Var> Vmap(const TracedFunction& function, absl::Span<const Var> arguments, const VmapOptions& options = {},
                      Location location = Location::current());

// The mapped function itself, to compile, to differentiate, or to map again.
//   Function f = Compile(engine, Vmap(Vmap(g), {.in_axes = {0}}));
TracedFunction Vmap(TracedFunction function, VmapOptions options = {}, Location location = Location::current());

}  // namespace tenferro

#endif  // TENFERRO_TRANSFORMS_VMAP_H_
