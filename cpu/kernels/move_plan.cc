#include "tenferro/cpu/kernels/move.h"
#include "tenferro/cpu/kernels/transpose.h"

namespace tenferro {
namespace {

// From this size on a copy of whole lines writes past the caches, which saves reading what it overwrites; the result of
// a smaller one is likely to be read from a cache soon.
constexpr int64_t kStreamBytes = int64_t{16} << 20;

// Bytes of a piece that is copied in long runs.
constexpr int64_t kRunPieceBytes = int64_t{64} << 10;

// A piece of a transposition: a square that fits the first-level cache; when streaming, one line wide and long in the
// source, to be read as a few sequential streams.
constexpr int64_t kSquare = 64;
constexpr int64_t kStreamLength = 512;

int64_t Magnitude(int64_t stride) { return stride < 0 ? -stride : stride; }
int64_t Min(int64_t a, int64_t b) { return a < b ? a : b; }
int64_t Max(int64_t a, int64_t b) { return a < b ? b : a; }

void MoveAxis(StridedCopyPlan& plan, int from, int to) {
  int64_t* const arrays[] = {plan.extents, plan.out_strides, plan.in_strides};
  for (int64_t* values : arrays) {
    const int64_t moved = values[from];
    for (int axis = from; axis > to; --axis) values[axis] = values[axis - 1];
    values[to] = moved;
  }
}

void AppendAxis(StridedCopyPlan& plan, int64_t extent, int64_t out_stride, int64_t in_stride) {
  plan.extents[plan.rank] = extent;
  plan.out_strides[plan.rank] = out_stride;
  plan.in_strides[plan.rank] = in_stride;
  ++plan.rank;
}

// Axes that continue their predecessor in both arrays join it. Axes are in the order of the destination.
void MergeAxes(StridedCopyPlan& plan) {
  const int rank = plan.rank;
  plan.rank = 0;
  for (int axis = 0; axis < rank; ++axis) {
    const int last = plan.rank - 1;
    if (last >= 0 && plan.out_strides[axis] == plan.out_strides[last] * plan.extents[last] &&
        plan.in_strides[axis] == plan.in_strides[last] * plan.extents[last]) {
      plan.extents[last] *= plan.extents[axis];
    } else {
      AppendAxis(plan, plan.extents[axis], plan.out_strides[axis], plan.in_strides[axis]);
    }
  }
}

// Neighbours that stay neighbours become one larger element when all strides are multiples of it.
void WidenElements(StridedCopyPlan& plan) {
  while (plan.rank > 1 && plan.out_strides[0] == 1 && plan.in_strides[0] == 1) {
    const int64_t factor = plan.extents[0];
    const int64_t size = plan.element_size * factor;
    if (size != 4 && size != 8 && size != 16) return;
    for (int axis = 1; axis < plan.rank; ++axis) {
      if (plan.out_strides[axis] % factor != 0 || plan.in_strides[axis] % factor != 0) return;
    }
    plan.element_size = static_cast<int>(size);
    --plan.rank;
    for (int axis = 0; axis < plan.rank; ++axis) {
      plan.extents[axis] = plan.extents[axis + 1];
      plan.out_strides[axis] = plan.out_strides[axis + 1] / factor;
      plan.in_strides[axis] = plan.in_strides[axis + 1] / factor;
    }
  }
}

// The axis along which the source moves least, next to axis 0: its lines are used while they are in the cache.
int SourceAxis(const StridedCopyPlan& plan) {
  int best = 1;
  for (int axis = 2; axis < plan.rank; ++axis) {
    const int64_t stride = Magnitude(plan.in_strides[axis]);
    if (stride != 0 && (plan.in_strides[best] == 0 || stride < Magnitude(plan.in_strides[best]))) best = axis;
  }
  return best;
}

bool WritesWholeLines(const StridedCopyPlan& plan) {
  const int64_t line = kLineBytes / plan.element_size;
  for (int axis = 1; axis < plan.rank; ++axis) {
    if (plan.out_strides[axis] % line != 0) return false;
  }
  return plan.extents[0] % line == 0;
}

// As many elements along axis 1 as make a piece of `elements` with those along axis 0, and the other way round.
void ChooseBlock(StridedCopyPlan& plan, int64_t along_0, int64_t along_1, int64_t elements) {
  plan.block[1] = Min(plan.extents[1], along_1);
  plan.block[0] = Min(plan.extents[0], Max(along_0, elements / plan.block[1]));
  plan.block[1] = Min(plan.extents[1], Max(plan.block[1], elements / plan.block[0]));
}

}  // namespace

StridedCopyPlan PlanStridedCopy(int element_size, int rank, const int64_t* extents, const int64_t* out_strides,
                                const int64_t* in_strides) {
  using Kind = StridedCopyPlan::Kind;
  StridedCopyPlan plan;
  plan.element_size = element_size;
  plan.rank = 0;
  plan.streams = false;
  int64_t bytes = element_size;
  for (int axis = 0; axis < rank; ++axis) {
    bytes *= extents[axis];
    if (extents[axis] <= 1) continue;
    int at = plan.rank;
    while (at > 0 && Magnitude(plan.out_strides[at - 1]) > Magnitude(out_strides[axis])) --at;
    AppendAxis(plan, extents[axis], out_strides[axis], in_strides[axis]);
    MoveAxis(plan, plan.rank - 1, at);
  }
  MergeAxes(plan);
  WidenElements(plan);
  while (plan.rank < 2) AppendAxis(plan, 1, 0, 0);

  MoveAxis(plan, SourceAxis(plan), 1);
  const bool has_runs = plan.out_strides[0] == 1 && plan.extents[0] > 1;
  if (has_runs && plan.in_strides[0] == 1) {
    plan.kind = Kind::kRuns;
  } else if (has_runs && plan.in_strides[0] == 0) {
    plan.kind = Kind::kSplats;
  } else {
    const bool transposes = plan.out_strides[0] == 1 && plan.in_strides[1] == 1;
    plan.kind = transposes ? Kind::kTranspose : Kind::kElements;
  }
  const bool may_stream = plan.kind == Kind::kRuns || (plan.kind == Kind::kTranspose && plan.element_size > 1);
  plan.streams = may_stream && bytes >= kStreamBytes && WritesWholeLines(plan);
  if (plan.kind == Kind::kTranspose && plan.streams) {
    plan.block[0] = kLineBytes / plan.element_size;
    plan.block[1] = Min(plan.extents[1], kStreamLength);
  } else if (plan.kind == Kind::kTranspose || plan.kind == Kind::kElements) {
    ChooseBlock(plan, kSquare, kSquare, kSquare * kSquare);
  } else {
    const int64_t elements = kRunPieceBytes / plan.element_size;
    ChooseBlock(plan, elements, 1, elements);
  }
  plan.pieces = bytes == 0 ? 0 : 1;
  for (int axis = 0; axis < plan.rank; ++axis) {
    plan.pieces *= axis < 2 ? (plan.extents[axis] + plan.block[axis] - 1) / plan.block[axis] : plan.extents[axis];
  }
  return plan;
}

}  // namespace tenferro
