#include "tenferro/runtime/ops/rearrange.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/composite.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

using namespace composite_internal;

Var SliceAxis(const Var& x, int axis, int64_t start, int64_t limit) {
  Ints starts(x.rank(), 0), limits = x.shape().extents();
  starts[axis] = start;
  limits[axis] = limit;
  return Slice(x, starts, limits);
}

Var RollAxis(const Var& x, int axis, int64_t shift) {
  const int64_t extent = x.dim(axis);
  if (extent == 0) return x;
  const int64_t moved = (shift % extent + extent) % extent;
  if (moved == 0) return x;
  return Concatenate({SliceAxis(x, axis, extent - moved, extent), SliceAxis(x, axis, 0, extent - moved)}, axis);
}

Ints Sole(int axis) { return {axis}; }

// So many errors, or parts without an element, may be asked for.
constexpr int kMostParts = 1 << 16;

}  // namespace

Var Stack(absl::Span<const Var> operands, int axis, Location location) {
  LocationScope scope(location);
  std::vector<Var> expanded;
  for (const Var& x : operands) {
    if (x.empty()) return ErrorVar(location, "stack", "an operand is an empty Var");
    if (!x.ok()) return x;
    if (x.shape() != operands[0].shape()) {
      return ErrorVar(
          location, "stack",
          absl::StrCat("operands have shapes ", operands[0].shape().ToString(), " and ", x.shape().ToString()));
    }
    const absl::Status status = CheckAxes("axis", {axis}, x.rank() + 1);
    if (!status.ok()) return ErrorVar(location, "stack", status.message());
    expanded.push_back(ExpandDims(x, {axis}));
  }
  if (expanded.empty()) return ErrorVar(location, "stack", "needs at least one operand");
  return Concatenate(expanded, axis);
}

std::vector<Var> Split(const Arg& x, int sections, int axis) {
  LocationScope scope(x.location());
  const bool countable = sections >= 1 && sections <= kMostParts;
  const auto fail = [&](const Var& error) { return std::vector<Var>(countable ? sections : 1, error); };
  const Var var = Operand("split", x, kAnySet, Sole(axis));
  if (!var.ok()) return fail(var);
  if (sections < 1 || var.dim(axis) % sections != 0 || (var.dim(axis) == 0 && !countable)) {
    return fail(
        ErrorVar(x.location(), "split",
                 absl::StrCat("axis ", axis, " of ", var.type().ToString(), " has no ", sections, " equal sections")));
  }
  const int64_t extent = var.dim(axis) / sections;
  std::vector<Var> parts;
  for (int64_t i = 0; i < sections; ++i) parts.push_back(SliceAxis(var, axis, i * extent, (i + 1) * extent));
  return parts;
}

std::vector<Var> SplitAt(const Arg& x, const Ints& indices, int axis) {
  LocationScope scope(x.location());
  const auto fail = [&](const Var& error) { return std::vector<Var>(indices.size() + 1, error); };
  const Var var = Operand("split_at", x, kAnySet, Sole(axis));
  if (!var.ok()) return fail(var);
  std::vector<Var> parts;
  int64_t start = 0;
  for (size_t i = 0; i <= indices.size(); ++i) {
    const int64_t limit = i < indices.size() ? indices[i] : var.dim(axis);
    if (limit < start || limit > var.dim(axis)) {
      return fail(ErrorVar(
          x.location(), "split_at",
          absl::StrCat("[", start, ", ", limit, ") is no part of axis ", axis, " of ", var.type().ToString())));
    }
    parts.push_back(SliceAxis(var, axis, start, limit));
    start = limit;
  }
  return parts;
}

Var Roll(const Arg& x, const Ints& shifts, const Ints& axes) {
  LocationScope scope(x.location());
  Var var = Operand("roll", x, kAnySet, axes);
  if (!var.ok()) return var;
  if (shifts.size() != axes.size()) {
    return ErrorVar(x.location(), "roll", absl::StrCat(shifts.size(), " shifts for ", axes.size(), " axes"));
  }
  for (size_t i = 0; i < axes.size(); ++i) var = RollAxis(var, static_cast<int>(axes[i]), shifts[i]);
  return var;
}

Var Roll(const Arg& x, int64_t shift, int axis) { return Roll(x, {shift}, Sole(axis)); }

Var Squeeze(const Arg& x, const Ints& axes) {
  LocationScope scope(x.location());
  const Var var = Operand("squeeze", x, kAnySet, axes);
  if (!var.ok()) return var;
  for (int64_t axis : axes) {
    if (var.shape()[static_cast<int>(axis)] == Dim(1)) continue;
    return ErrorVar(
        x.location(), "squeeze",
        absl::StrCat("axis ", axis, " of ", var.type().ToString(), " has extent ", var.dim(static_cast<int>(axis))));
  }
  Shape shape;
  for (int64_t axis : OtherAxes(axes, var.rank())) shape.push_back(var.shape()[static_cast<int>(axis)]);
  return Reshape(var, shape);
}

Var Squeeze(const Arg& x) {
  const Var& var = x.var();
  Ints axes;
  for (int axis = 0; axis < var.rank(); ++axis) {
    if (var.shape()[axis] == Dim(1)) axes.push_back(axis);
  }
  return Squeeze(x, axes);
}

Var ExpandDims(const Arg& x, const Ints& axes) {
  LocationScope scope(x.location());
  const Var var = Operand("expand_dims", x, kAnySet);
  if (!var.ok()) return var;
  const int rank = var.rank() + static_cast<int>(axes.size());
  if (absl::Status status = CheckAxes("axis", axes, rank); !status.ok()) {
    return ErrorVar(x.location(), "expand_dims", status.message());
  }
  Shape shape;
  int next = 0;
  for (int axis = 0; axis < rank; ++axis) shape.push_back(ContainsAxis(axes, axis) ? Dim(1) : var.shape()[next++]);
  return Reshape(var, shape);
}

Var Tile(const Arg& x, const Ints& repeats) {
  LocationScope scope(x.location());
  const Var var = Operand("tile", x, kAnySet);
  if (!var.ok()) return var;
  if (static_cast<int>(repeats.size()) != var.rank()) {
    return ErrorVar(x.location(), "tile", absl::StrCat(repeats.size(), " repeats for rank ", var.rank()));
  }
  // Axis 2i is x's, axis 2i + 1 counts the repetitions: in column-major order the slower of the two.
  Shape apart, joined;
  Ints axes;
  for (int axis = 0; axis < var.rank(); ++axis) {
    if (repeats[axis] < 0) {
      return ErrorVar(x.location(), "tile", absl::StrCat("repeats ", repeats[axis], " of axis ", axis, " is negative"));
    }
    int64_t extent;
    if (__builtin_mul_overflow(var.dim(axis), repeats[axis], &extent)) {
      return ErrorVar(x.location(), "tile", absl::StrCat("axis ", axis, " becomes too long"));
    }
    axes.push_back(2 * axis);
    apart.push_back(var.shape()[axis]);
    apart.push_back(repeats[axis]);
    joined.push_back(extent);
  }
  return Reshape(BroadcastInDim(var, apart, axes), joined);
}

Var Repeat(const Arg& x, int64_t count, int axis) {
  LocationScope scope(x.location());
  const Var var = Operand("repeat", x, kAnySet, Sole(axis));
  if (!var.ok()) return var;
  if (count < 0) return ErrorVar(x.location(), "repeat", absl::StrCat("count ", count, " is negative"));
  // A new axis before x's own is the faster of the two.
  Shape apart, joined = var.shape();
  Ints axes;
  int64_t extent;
  if (__builtin_mul_overflow(var.dim(axis), count, &extent)) {
    return ErrorVar(x.location(), "repeat", absl::StrCat("axis ", axis, " becomes too long"));
  }
  for (int i = 0; i < var.rank(); ++i) {
    if (i == axis) apart.push_back(count);
    axes.push_back(apart.rank());
    apart.push_back(var.shape()[i]);
  }
  joined[axis] = extent;
  return Reshape(BroadcastInDim(var, apart, axes), joined);
}

Var MoveAxis(const Arg& x, const Ints& from, const Ints& to) {
  LocationScope scope(x.location());
  const Var var = Operand("move_axis", x, kAnySet, from);
  if (!var.ok()) return var;
  if (from.size() != to.size()) {
    return ErrorVar(x.location(), "move_axis", absl::StrCat(from.size(), " axes move to ", to.size()));
  }
  if (absl::Status status = CheckAxes("axis", to, var.rank()); !status.ok()) {
    return ErrorVar(x.location(), "move_axis", status.message());
  }
  Ints permutation(var.rank());
  for (size_t i = 0; i < from.size(); ++i) permutation[to[i]] = from[i];
  const Ints staying = OtherAxes(from, var.rank()), free = OtherAxes(to, var.rank());
  for (size_t i = 0; i < free.size(); ++i) permutation[free[i]] = staying[i];
  return Transpose(var, permutation);
}

Var MoveAxis(const Arg& x, int from, int to) { return MoveAxis(x, Sole(from), Sole(to)); }

Var SwapAxes(const Arg& x, int axis1, int axis2) {
  LocationScope scope(x.location());
  const Var var = Operand("swap_axes", x, kAnySet, axis1 == axis2 ? Sole(axis1) : Ints{axis1, axis2});
  if (!var.ok()) return var;
  Ints permutation = FirstAxes(var.rank());
  std::swap(permutation[axis1], permutation[axis2]);
  return Transpose(var, permutation);
}

Var Flatten(const Arg& x) {
  LocationScope scope(x.location());
  const Var var = Operand("flatten", x, kAnySet);
  return var.ok() ? Reshape(var, {var.shape().size()}) : var;
}

}  // namespace tenferro
