#include <algorithm>

#include "tenferro/cpu/random_program.h"
#include "tenferro/runtime/ops/convolution.h"
#include "tenferro/runtime/ops/cumulative.h"
#include "tenferro/runtime/ops/indexing.h"
#include "tenferro/runtime/ops/indexing_shapes.h"
#include "tenferro/runtime/ops/random_convolution.h"
#include "tenferro/runtime/ops/random_gather.h"
#include "tenferro/runtime/ops/sort.h"

namespace tenferro {
namespace {

using Out = std::vector<Var>;

constexpr DTypeSet kOrdered = kRealSet;

Out Gathered(RandomProgram& p, const Var& x) {
  const RandomGather gather = MakeRandomGather(x.shape(), p.random());
  if (std::max(gather.windows.size(), gather.indices.size()) > p.largest()) return {};
  const Var indices = p.Indices(gather.indices, 6);
  return {!p.tame() && p.OneIn(2) ? Gather(x, indices, gather.attributes)
                                  : Gather(x, indices, gather.attributes, true)};
}

template <ScatterKind kKind>
Out Scattered(RandomProgram& p, const Var& x) {
  const RandomGather gather = MakeRandomGather(x.shape(), p.random());
  if (std::max(gather.windows.size(), gather.indices.size()) > p.largest()) return {};
  const Var indices = p.Indices(gather.indices, 6), updates = p.Reshaped(p.Same(x), gather.windows);
  return {Scatter(x, indices, updates, kKind, ScatterOf(gather.attributes))};
}

Out DynamicallySliced(RandomProgram& p, const Var& x) {
  const Ints extents = x.shape().extents();
  Ints sizes;
  for (int64_t extent : extents) sizes.push_back(p.Below(extent + 1));
  const int64_t most = extents.empty() ? 0 : *std::max_element(extents.begin(), extents.end());
  std::vector<Arg> starts;
  for (int i = 0; i < x.rank(); ++i) starts.push_back(p.OneIn(2) ? Arg(p.Indices({}, most)) : Arg(p.Below(5) - 1));
  const Var window = p.Reshaped(p.Same(x), Shape(absl::MakeConstSpan(sizes)));
  const bool single = x.rank() > 0 && p.OneIn(2);
  const Var vector = p.Indices({x.rank()}, most);
  if (p.OneIn(2)) return {single ? DynamicSlice(x, starts, sizes) : DynamicSlice(x, vector, sizes)};
  return {single ? DynamicUpdateSlice(x, window, starts) : DynamicUpdateSlice(x, window, vector)};
}

IndexMode Mode(RandomProgram& p) { return p.tame() || p.OneIn(2) ? IndexMode::kClamp : IndexMode::kFill; }

Out Selected(RandomProgram& p, const Var& x) {
  if (x.rank() == 0) return {};
  const int axis = p.Below(x.rank());
  const Shape shape = p.OneIn(2) ? Shape{} : Shape{p.Below(4), p.Below(4)};
  if (x.dim(axis) == 0 || x.shape().size() * shape.size() > p.largest()) return {};
  return {IndexSelect(x, p.Indices(shape, x.dim(axis)), axis, Mode(p))};
}

Out AlongAxis(RandomProgram& p, const Var& x) {
  if (x.rank() == 0 || x.shape().size() == 0) return {};
  const int axis = p.Below(x.rank());
  Shape shape = x.shape();
  shape[axis] = p.Below(std::min<int64_t>(7, x.dim(axis) + 3));
  if (shape.size() > p.largest()) return {};
  const Var indices = p.Indices(shape, x.dim(axis));
  if (p.OneIn(2)) return {TakeAlongAxis(x, indices, axis, Mode(p))};
  return {PutAlongAxis(x, indices, p.Reshaped(p.Same(x), shape), axis, Mode(p))};
}

template <Var (*kFunction)(const Arg&, int, bool)>
Out Along(RandomProgram& p, const Var& x) {
  if (x.rank() == 0) return {};
  return {kFunction(x, p.Below(x.rank()), p.OneIn(2))};
}

template <Var (*kFunction)(const Arg&, int)>
Out Extremum(RandomProgram& p, const Var& x) {
  if (x.rank() == 0) return {};
  const int axis = p.Below(x.rank());
  return x.dim(axis) == 0 ? Out{} : Out{kFunction(x, axis)};
}

Out SortedByKey(RandomProgram& p, const Var& x) {
  if (x.rank() == 0) return {};
  const SortedPairs sorted = SortByKey(x, {p.SameShape(x, kAnySet), x}, p.Below(x.rank()), p.OneIn(2));
  return {sorted.keys, sorted.values[0], sorted.values[1]};
}

Out Top(RandomProgram& p, const Var& x) {
  if (x.rank() == 0) return {};
  const int axis = p.Below(x.rank());
  const TopKResult top = TopK(x, p.Below(x.dim(axis) + 1), axis);
  return {top.values, top.indices};
}

Out Convolved(RandomProgram& p, const Var& x) {
  const RandomConvolution c = MakeRandomConvolution(p.Below(100000), p.OneIn(3) && p.largest() > 1000 ? 12 : 5);
  if (std::max(c.x.size(), c.w.size()) > std::max<int64_t>(400, p.largest())) return {};
  const Var y = p.AnyOf(SetOf(x.dtype()));
  return {ConvGeneral(p.Reshaped(x, c.x), p.Reshaped(y, c.w), c.attributes)};
}

constexpr RandomStep kSteps[] = {
    {kAnySet, Gathered, true},
    {kAnySet, Gathered, true},
    {kAnySet, Scattered<ScatterKind::kSet>, true},
    {kNumberSet, Scattered<ScatterKind::kAdd>, true},
    {kNumberSet, Scattered<ScatterKind::kMul>},
    {kOrdered, Scattered<ScatterKind::kMin>},
    {kOrdered, Scattered<ScatterKind::kMax>},
    {kAnySet, DynamicallySliced, true},
    {kAnySet, DynamicallySliced, true},
    {kAnySet, Selected, true},
    {kAnySet, AlongAxis, true},
    {kOrdered, Along<Sort>},
    {kOrdered, Along<ArgSort>},
    {kOrdered, SortedByKey},
    {kOrdered, Top},
    {kOrdered, Extremum<ArgMax>},
    {kOrdered, Extremum<ArgMin>},
    {kNumberSet, Along<CumSum>, true},
    {kNumberSet, Along<CumProd>, true},
    {kOrdered, Along<CumMax>},
    {kOrdered, Along<CumMin>},
    {kFloatSet, Along<CumLogSumExp>, true},
    {kNumberSet,
     [](RandomProgram& p, const Var& x) -> Out {
       if (x.rank() == 0) return {};
       return {LinearRecurrence(x, p.Same(x), p.Below(x.rank()), p.OneIn(2))};
     },
     true},
    {kNumberSet, Convolved, true},
    {kNumberSet, Convolved, true},
};

}  // namespace

absl::Span<const RandomStep> IndexingSteps() { return kSteps; }

}  // namespace tenferro
