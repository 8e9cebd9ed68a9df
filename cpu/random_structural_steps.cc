#include "tenferro/cpu/random_program.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/barrier.h"
#include "tenferro/runtime/ops/call.h"
#include "tenferro/runtime/ops/matrix_parts.h"
#include "tenferro/runtime/ops/rearrange.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/stop_gradient.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

using Out = std::vector<Var>;

Out Sliced(RandomProgram& p, const Var& x) {
  Ints starts, limits, strides;
  for (int i = 0; i < x.rank(); ++i) {
    const int64_t extent = x.dim(i);
    starts.push_back(extent == 0 ? 0 : p.Below(2) * p.Below(extent));
    limits.push_back(extent - (p.OneIn(3) && extent > starts[i] ? 1 : 0));
    strides.push_back(1 + p.Below(3) / 2);
  }
  return {Slice(x, starts, limits, strides)};
}

Out Broadcast(RandomProgram& p, const Var& x) {
  if (x.shape().size() > p.largest() / 3) return {};
  // Axes of extent 1 may be repeated, the others keep their extents; one axis is new.
  const int rank = x.rank(), place = p.Below(rank + 1);
  Shape shape;
  Ints axes;
  for (int i = 0; i <= rank; ++i) {
    if (i == place) shape.push_back(p.Below(4));
    if (i == rank) break;
    axes.push_back(shape.rank());
    shape.push_back(x.dim(i) == 1 && shape.size() * 2 <= p.largest() ? 1 + p.Below(2) : x.dim(i));
  }
  if (p.OneIn(3)) {  // x's axes in another order
    const Ints permutation = p.RandomPermutation(shape.rank());
    Shape moved = shape;
    for (int i = 0; i < shape.rank(); ++i) moved[static_cast<int>(permutation[i])] = shape[i];
    for (int64_t& axis : axes) axis = permutation[axis];
    shape = moved;
  }
  return {BroadcastInDim(x, shape, axes)};
}

Out Reshaped(RandomProgram& p, const Var& x) {
  Shape shape;
  int64_t rest = x.shape().size();
  for (int64_t factor : {2, 3, 5, 1}) {
    if (rest > 0 && rest % factor == 0 && p.OneIn(2)) {
      shape.push_back(factor);
      rest /= factor;
    }
  }
  if (rest != 1 || p.OneIn(2)) shape.push_back(rest);
  return {Reshape(x, shape)};
}

Out Padded(RandomProgram& p, const Var& x) {
  if (x.shape().size() > p.largest() / 4) return {};
  Ints low, high, interior;
  for (int i = 0; i < x.rank(); ++i) {
    low.push_back(p.Below(3) - (x.dim(i) > 1 ? 1 : 0));
    high.push_back(p.Below(2));
    interior.push_back(p.OneIn(4) ? 1 : 0);
  }
  return {Pad(x, p.Reshaped(p.Same(x), {}), low, high, interior)};
}

Out Joined(RandomProgram& p, const Var& x) {
  if (x.shape().size() > p.largest() / 2) return {};
  const Var y = p.Same(x);
  if (x.rank() == 0 || p.OneIn(2)) return {Stack({x, y, x}, p.Below(x.rank() + 1))};
  const int axis = p.Below(x.rank());
  return {Concatenate({x, Sliced(p, y).size() == 1 && p.OneIn(2) ? Reverse(y, {axis}) : y, x}, axis)};
}

Out Cut(RandomProgram& p, const Var& x) {
  if (x.rank() == 0) return {};
  const int axis = p.Below(x.rank());
  if (x.dim(axis) % 2 == 0 && p.OneIn(2)) return Split(x, 2, axis);
  const int64_t first = p.Below(x.dim(axis) + 1);
  return SplitAt(x, {first, first + p.Below(x.dim(axis) - first + 1)}, axis);
}

Out Rolled(RandomProgram& p, const Var& x) {
  const Ints axes = p.SomeAxes(x.rank());
  Ints shifts;
  for (size_t i = 0; i < axes.size(); ++i) shifts.push_back(p.Below(50) - 25);
  return {Roll(x, shifts, axes)};
}

Out Repeated(RandomProgram& p, const Var& x) {
  if (x.shape().size() > p.largest() / 8 || x.rank() == 0) return {};
  if (p.OneIn(2)) return {Repeat(x, p.Below(4), p.Below(x.rank()))};
  Ints repeats;
  for (int i = 0; i < x.rank(); ++i) repeats.push_back(p.OneIn(8) ? 0 : 1 + p.Below(2));
  return {Tile(x, repeats)};
}

Out Moved(RandomProgram& p, const Var& x) {
  if (x.rank() == 0) return {ExpandDims(x, {0})};
  const int from = p.Below(x.rank()), to = p.Below(x.rank());
  switch (p.Below(4)) {
    case 0: return {MoveAxis(x, from, to)};
    case 1: return {SwapAxes(x, from, to)};
    case 2: return {Squeeze(x)};
    default: return {ExpandDims(x, {to})};
  }
}

Out Diagonals(RandomProgram& p, const Var& x) {
  if (x.rank() == 0) return {};
  const int64_t last = x.dim(x.rank() - 1);
  if (x.rank() == 1 || (p.OneIn(3) && x.shape().size() * last <= p.largest())) {
    if (x.shape().size() * last > p.largest()) return {};
    const int axis1 = p.Below(x.rank() + 1), axis2 = (axis1 + 1 + p.Below(x.rank())) % (x.rank() + 1);
    return {EmbedDiag(x, axis1, axis2)};
  }
  const int axis1 = p.Below(x.rank()), axis2 = (axis1 + 1 + p.Below(x.rank() - 1)) % x.rank();
  return {Diagonal(x, p.Below(5) - 2, axis1, axis2)};
}

Out Triangles(RandomProgram& p, const Var& x) {
  if (x.rank() < 2) return {};
  return {p.OneIn(2) ? Tril(x, p.Below(5) - 2) : Triu(x, p.Below(5) - 2)};
}

// Operations in a body of their own.
Out Called(RandomProgram& p, const Var& x) {
  const Var y = p.Same(x);
  return Call({x, y}, [&](absl::Span<const Var> in) {
    Out results = p.StepsOn(in, 3);
    results.push_back(in[1]);
    return results;
  });
}

constexpr RandomStep kSteps[] = {
    {kAnySet, [](RandomProgram& p, const Var& x) -> Out { return {Transpose(x, p.RandomPermutation(x.rank()))}; },
     true},
    {kAnySet, [](RandomProgram& p, const Var& x) -> Out { return {Reverse(x, p.SomeAxes(x.rank()))}; }, true},
    {kAnySet, Sliced, true},
    {kAnySet, Broadcast, true},
    {kAnySet, Reshaped, true},
    {kAnySet, Padded, true},
    {kAnySet, Joined, true},
    {kAnySet, Cut, true},
    {kAnySet, Rolled, true},
    {kAnySet, Repeated, true},
    {kAnySet, Moved, true},
    {kAnySet, Diagonals, true},
    {kAnySet, Triangles, true},
    {kAnySet, Called, true},
    {kAnySet,
     [](RandomProgram& p, const Var& x) -> Out {
       const Var y = p.AnyOf(kAnySet);
       return Barrier({x, y}, {p.AnyOf(kAnySet)});
     },
     true},
    {kAnySet, [](RandomProgram&, const Var& x) -> Out { return {StopGradient(x)}; }},
    {kNumberSet,
     [](RandomProgram& p, const Var& x) -> Out {
       if (x.rank() == 0) return {FullLike(x, 2)};
       return {Iota(x, p.OneOf(kNumberSet), x.shape(), p.Below(x.rank()))};
     }},
    {kNumberSet,
     [](RandomProgram& p, const Var& x) -> Out { return {Eye(x, x.dtype(), p.Below(6), p.Below(6), p.Below(5) - 2)}; }},
    {kIntegerSet,
     [](RandomProgram& p, const Var& x) -> Out {
       if (x.shape().size() > p.largest() / 4) return {};
       return {OneHot(x, p.Below(5), p.Below(x.rank() + 1), p.OneOf(kNumberSet))};
     }},
};

}  // namespace

absl::Span<const RandomStep> StructuralSteps() { return kSteps; }

}  // namespace tenferro
