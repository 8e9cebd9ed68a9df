#ifndef TENFERRO_RUNTIME_OPS_INDEXING_H_
#define TENFERRO_RUNTIME_OPS_INDEXING_H_

#include "absl/types/span.h"
#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro {

// Reading and writing elements whose places are numbers of the program. Any dtype unless it says otherwise; indices are
// tensors of any integer dtype and have no derivative. Attributes are StableHLO's by name and meaning
// (https://openxla.org/stablehlo/spec#gather), but for mode, from_the_end and the fill value.

extern constinit FamilySlots indexing_slots;
extern const OpDef kGather, kScatterSet, kScatterAdd, kScatterMul, kScatterMin, kScatterMax, kDynamicSlice,
    kDynamicUpdateSlice;

// What becomes of a window that does not lie inside the operand. Its start counts as it is, so negative numbers are
// outside, unless from_the_end says otherwise.
enum class IndexMode : uint8_t {
  kClamp,  // moved to the nearest place that is inside
  kFill,   // as a whole: read as the fill value, not written
};
const char* Name(IndexMode mode);

// Window n of the operand starts, on axis start_index_map[c], at component c (along index_vector_dim) of index vector
// n, on the other axes at 0, and has the extents slice_sizes. An index_vector_dim of the indices' rank stands for
// vectors of one component without an axis.
struct GatherAttributes {
  Ints offset_dims = {};  // axes of the result along which a window lies, ascending; the others number the windows
  Ints collapsed_slice_dims = {};         // axes of extent 1 of a window that the result does not have
  Ints operand_batching_dims = {};        // axes of the operand and
  Ints start_indices_batching_dims = {};  // of the indices that are walked together; windows have extent 1 there
  Ints start_index_map = {};
  int64_t index_vector_dim = 0;
  Ints slice_sizes = {};
  IndexMode mode = IndexMode::kClamp;
  bool from_the_end = false;  // a negative start i on an axis of extent n stands for i + n; below −n it is outside
  int64_t fill_low = 0, fill_high = 0;  // one element's bytes, as in FullAttributes; Gather sets them
  void Fields(auto&& field) {
    field("offset_dims", offset_dims);
    field("collapsed_slice_dims", collapsed_slice_dims);
    field("operand_batching_dims", operand_batching_dims);
    field("start_indices_batching_dims", start_indices_batching_dims);
    field("start_index_map", start_index_map);
    field("index_vector_dim", index_vector_dim);
    field("slice_sizes", slice_sizes);
    field("mode", mode);
    field("from_the_end", from_the_end);
    field("fill_low", fill_low);
    field("fill_high", fill_high);
  }
};

// The same the other way: `updates` are the windows, of the shape of a gather's result.
struct ScatterAttributes {
  Ints update_window_dims = {};
  Ints inserted_window_dims = {};
  Ints input_batching_dims = {};
  Ints scatter_indices_batching_dims = {};
  Ints scatter_dims_to_operand_dims = {};
  int64_t index_vector_dim = 0;
  IndexMode mode = IndexMode::kFill;
  bool from_the_end = false;
  void Fields(auto&& field) {
    field("update_window_dims", update_window_dims);
    field("inserted_window_dims", inserted_window_dims);
    field("input_batching_dims", input_batching_dims);
    field("scatter_indices_batching_dims", scatter_indices_batching_dims);
    field("scatter_dims_to_operand_dims", scatter_dims_to_operand_dims);
    field("index_vector_dim", index_vector_dim);
    field("mode", mode);
    field("from_the_end", from_the_end);
  }
};

struct DynamicSliceAttributes {
  Ints slice_sizes;
  void Fields(auto&& field) { field("slice_sizes", slice_sizes); }
};

// Windows of x at places that `indices` name.
// Shapes: the windows' axes at offset_dims, between them the axes of the indices but index_vector_dim.
// Out of range: by attributes.mode; `fill` (by default NaN, a signed integer's least, an unsigned one's greatest value,
// true: JAX's) stands for elements of windows outside. StableHLO has kClamp.
// Errors: indices that are not integers; lists of wrong lengths, axes that do not exist or stand twice; windows larger
// than x; a fill value that does not fit.
// Derivative: linear in x: gather(dx) with 0 for the fill value; back by ScatterAdd in the same mode.
Var Gather(const Arg& x, const Arg& indices, const GatherAttributes& attributes);
Var Gather(const Arg& x, const Arg& indices, const GatherAttributes& attributes, const WeakScalar& fill);

enum class ScatterKind : uint8_t { kSet, kAdd, kMul, kMin, kMax };

// x with windows of it replaced by, added to, … the updates. The updates of one element apply one after another in
// column-major order of their index vectors, on any number of threads: with kSet the last one stays.
// Shapes: x's. Dtypes: any for kSet; all but bool for kAdd and kMul, integers wrap; real and bool for kMin and kMax.
// Out of range: by attributes.mode. kFill skips a window that is not inside as a whole, as XLA and JAX do (StableHLO's
// text decides element by element).
// Errors: those of Gather; updates of another dtype than x's or not of the windows' shape.
// Derivative: kSet and kAdd are linear in x and the updates: back by Gather, for kSet to the one that stayed. kMul: the
// product of the others, exact where factors are 0; the second derivative is right where no factor is 0. kMin, kMax: an
// equal share to each of the extreme ones, x's element and updates.
Var Scatter(const Arg& x, const Arg& indices, const Arg& updates, ScatterKind kind,
            const ScatterAttributes& attributes);

// The window of x with extents slice_sizes whose first element has the index `starts`, a vector of rank(x) integers
// (for a vector x also a single number).
// Out of range: starts are clamped so that the window is inside (StableHLO); a negative one counts as 0.
// Errors: starts of another shape or not integers; sizes that do not fit.
// Derivative: linear in x; back by DynamicUpdateSlice on zeros.
Var DynamicSlice(const Arg& x, const Arg& starts, const Ints& slice_sizes);
// The same with one start an axis, each a tensor of rank 0 or a number.
Var DynamicSlice(const Arg& x, absl::Span<const Arg> starts, const Ints& slice_sizes);
// x with that window replaced by `update`, which has x's dtype and rank. Out of range, errors: as DynamicSlice.
// Derivative: linear in x and the update: dx outside the window, the update's inside.
Var DynamicUpdateSlice(const Arg& x, const Arg& update, const Arg& starts);
Var DynamicUpdateSlice(const Arg& x, const Arg& update, absl::Span<const Arg> starts);

// NumPy's and JAX's take: the parts of x at `indices` along `axis`. Negative indices count from the end.
// Shapes: the indices' axes stand in place of `axis`. Out of range (below −n or from n on): by mode; kFill is JAX's
// default and gives Gather's fill value. Errors: no such axis; indices that are not integers; an empty axis.
// Derivative: as Gather.
Var IndexSelect(const Arg& x, const Arg& indices, int axis, IndexMode mode = IndexMode::kFill);
// Element i of each line along `axis` is the line's element indices[…, i, …]. Negative indices count from the end.
// Shapes: the indices have x's extents on the other axes; the result has the indices' shape. Out of range, derivative:
// as IndexSelect. Errors: other extents that differ; those of IndexSelect.
Var TakeAlongAxis(const Arg& x, const Arg& indices, int axis, IndexMode mode = IndexMode::kFill);
// x with element indices[…, i, …] of each line along `axis` replaced by updates[…, i, …]; of equal indices the last
// one stays. Negative indices count from the end; others out of range are skipped (kFill) or clamped. Shapes: updates
// have the indices' shape. Errors: those of TakeAlongAxis and Scatter. Derivative: as Scatter.
Var PutAlongAxis(const Arg& x, const Arg& indices, const Arg& updates, int axis, IndexMode mode = IndexMode::kFill);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_INDEXING_H_
