#ifndef TENFERRO_RUNTIME_OPS_REARRANGE_H_
#define TENFERRO_RUNTIME_OPS_REARRANGE_H_

#include <vector>

#include "absl/types/span.h"
#include "tenferro/runtime/arg.h"

namespace tenferro {

// Functions that move, repeat and join elements, written with the operations of tenferro/runtime/ops/structural.h: any
// dtype, linear, so that a derivative moves the tangent alike. Axes are numbered from 0; an axis that does not exist or
// stands twice is an error.

// The operands side by side along a new axis of the result, in one promoted dtype. Errors: no operand; shapes that
// differ.
Var Stack(absl::Span<const Var> operands, int axis, Location location = Location::current());

// `sections` parts of equal extent along an axis. Errors (in all parts, in one for less than 1 or more than 65536):
// sections below 1 or no divisor of the extent; more than 65536 parts without an element.
std::vector<Var> Split(const Arg& x, int sections, int axis);
// The parts [0, i_0), [i_0, i_1), …, [i_last, extent) along an axis. Errors (in all parts): indices that descend or lie
// outside.
std::vector<Var> SplitAt(const Arg& x, const Ints& indices, int axis);

// Element i moves to (i + shift) mod extent, axis by axis; shifts may be negative and of any size. Errors: lists of
// different length.
Var Roll(const Arg& x, const Ints& shifts, const Ints& axes);
Var Roll(const Arg& x, int64_t shift, int axis);

// Without the axes, which have extent 1 (without the list: all such). Errors: an axis of another extent.
Var Squeeze(const Arg& x, const Ints& axes);
Var Squeeze(const Arg& x);
// With further axes of extent 1, numbered as in the result.
Var ExpandDims(const Arg& x, const Ints& axes);

// x repeated repeats[i] times along each axis i, as a whole: a b a b. Errors: not one number an axis; a negative one.
Var Tile(const Arg& x, const Ints& repeats);
// Each element repeated `count` times along an axis: a a b b. Errors: a negative count.
Var Repeat(const Arg& x, int64_t count, int axis);

// Axes from[i] of x become axes to[i] of the result; the others keep their order. Errors: lists of different length.
Var MoveAxis(const Arg& x, const Ints& from, const Ints& to);
Var MoveAxis(const Arg& x, int from, int to);
// Two axes exchanged.
Var SwapAxes(const Arg& x, int axis1, int axis2);
// All elements in column-major order along one axis.
Var Flatten(const Arg& x);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_REARRANGE_H_
