#ifndef TENFERRO_RUNTIME_OPS_STRUCTURAL_H_
#define TENFERRO_RUNTIME_OPS_STRUCTURAL_H_

#include "absl/types/span.h"
#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro {

// Operations that move elements and compute nothing: any dtype. All are linear, so a derivative moves the tangent alike
// and a reverse derivative moves it back; elements that were dropped get 0. Axes are numbered from 0.

extern const OpDef kTranspose, kReshape, kBroadcastInDim, kSlice, kPad, kConcatenate, kReverse, kExtractDiag,
    kEmbedDiag;

struct TransposeAttributes {
  Ints permutation;
  void Fields(auto&& field) { field("permutation", permutation); }
};
struct ReshapeAttributes {
  Shape shape;
  void Fields(auto&& field) { field("shape", shape); }
};
struct BroadcastInDimAttributes {
  Shape shape;
  Ints axes;
  void Fields(auto&& field) {
    field("shape", shape);
    field("axes", axes);
  }
};
struct SliceAttributes {
  Ints starts, limits, strides;
  void Fields(auto&& field) {
    field("starts", starts);
    field("limits", limits);
    field("strides", strides);
  }
};
struct PadAttributes {
  Ints low, high, interior;
  void Fields(auto&& field) {
    field("low", low);
    field("high", high);
    field("interior", interior);
  }
};
struct ConcatenateAttributes {
  int64_t axis = 0;
  void Fields(auto&& field) { field("axis", axis); }
};
struct ReverseAttributes {
  Ints axes;
  void Fields(auto&& field) { field("axes", axes); }
};
// Extract: axes axis1 and axis2 of equal extent become one, at the end. Embed: the last axis becomes the diagonal of
// axis1 and axis2 of the result, whose other elements are 0.
struct DiagonalAttributes {
  int64_t axis1 = 0, axis2 = 1;
  void Fields(auto&& field) {
    field("axis1", axis1);
    field("axis2", axis2);
  }
};

// Axis i of the result is axis permutation[i] of x. Errors: not a permutation of x's axes.
Var Transpose(const Arg& x, const Ints& permutation);
// The axes in reverse order.
Var Transpose(const Arg& x);
// The same elements in column-major order (axis 0 fastest) under another shape. Errors: another number of elements.
Var Reshape(const Arg& x, const Shape& shape);
// Axis i of x becomes axis axes[i] of the result, of the same extent or of 1 and then repeated; the result's other axes
// repeat x. Errors: wrong number of axes, one that does not exist or stands twice, extents that differ.
Var BroadcastInDim(const Arg& x, const Shape& shape, const Ints& axes);
// NumPy's broadcast, aligned at the last axis. Errors: extents that differ and are not 1.
Var BroadcastTo(const Arg& x, const Shape& shape);
// Elements starts, starts + strides, … below limits on each axis. Errors: limits outside the axis, a stride < 1, wrong
// lengths.
Var Slice(const Arg& x, const Ints& starts, const Ints& limits, const Ints& strides);
Var Slice(const Arg& x, const Ints& starts, const Ints& limits);
// low and high elements of `value` (rank 0, x's dtype) around each axis, `interior` ones between neighbours; a negative
// low or high cuts off. Errors: wrong lengths, interior < 0, a negative extent. Derivative: also with respect to
// `value`.
Var Pad(const Arg& x, const Arg& value, const Ints& low, const Ints& high, const Ints& interior);
Var Pad(const Arg& x, const Arg& value, const Ints& low, const Ints& high);
// The operands one after another along an axis, in one promoted dtype. Errors: no operand, other extents differ.
Var Concatenate(absl::Span<const Var> operands, int axis, Location location = Location::current());
// The order of the elements turned round on each of `axes`. Errors: an axis that does not exist or stands twice.
Var Reverse(const Arg& x, const Ints& axes);
// Element (…, i) is x's element with index i on both axes; the new axis is the last.
// Errors: the axes are equal, do not exist or have different extents.
Var ExtractDiag(const Arg& x, int axis1 = 0, int axis2 = 1);
// The other way: x's last axis on the diagonal of axes axis1 and axis2 of the result, 0 elsewhere.
Var EmbedDiag(const Arg& x, int axis1 = 0, int axis2 = 1);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_STRUCTURAL_H_
