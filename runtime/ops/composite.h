#ifndef TENFERRO_RUNTIME_OPS_COMPOSITE_H_
#define TENFERRO_RUNTIME_OPS_COMPOSITE_H_

#include "absl/strings/string_view.h"
#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

// What functions that are written with other operations share. Each opens a LocationScope and checks its operands under
// its own name before an operation sees them.
namespace tenferro::composite_internal {

// x as a tensor. An error Var under the name `op`: x is a number, empty, of a dtype outside `dtypes`, or an axis of
// `axes` does not exist in it or stands twice.
Var Operand(const char* op, const Arg& x, DTypeSet dtypes, const Ints& axes = {});

// All axes of the tensor that x may be.
Ints AllAxes(const Arg& x);

// A value that was reduced over `axes` of `like`: repeated along them again; with them again, each of extent 1.
Var Spread(const Var& reduced, const Var& like, const Ints& axes);
Var KeepAxes(const Var& reduced, const Var& like, const Ints& axes);

// How many elements of x one result of a reduction over `axes` is made of.
double Count(const Var& x, const Ints& axes);

// x², of a complex number |x|² in a real dtype.
Var SquaredModulus(const Var& x);

// The largest modulus over `axes`, a constant to derivatives; 0 over no elements.
Var LargestModulus(const Var& x, const Ints& axes);

// Powers of two for numbers up to `size` ≥ 0, whose squares overflow or vanish otherwise; constants to derivatives.
// Products with them are exact but at the ends of the range. The first brings the size near 1; the second is 1 for
// sizes whose squares are harmless, and 1 for 0.
Var ScaleToOne(const Var& size);
Var ScaleBelowOverflow(const Var& size);

// x·factor with a real factor, part by part where x is complex, so that an infinite part does not meet a zero.
Var ScaledBy(const Var& x, const Var& factor);

}  // namespace tenferro::composite_internal

#endif  // TENFERRO_RUNTIME_OPS_COMPOSITE_H_
