#ifndef TENFERRO_RUNTIME_OPS_SOURCE_H_
#define TENFERRO_RUNTIME_OPS_SOURCE_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro {

extern const OpDef kInput;     // attribute: a number of its own, so that no two are alike
extern const OpDef kConstant;  // attribute: index among the graph's constants
extern const OpDef kFull;
extern const OpDef kIota;

// The attributes of `full`: one number in all elements, as the first SizeOf(dtype) bytes of two words.
struct FullAttributes {
  DType dtype = DType::kF64;
  Shape shape;
  int64_t low = 0;
  int64_t high = 0;
  void Fields(auto&& field) {
    field("dtype", dtype);
    field("shape", shape);
    field("low", low);
    field("high", high);
  }
};

struct IotaAttributes {
  DType dtype = DType::kF64;
  Shape shape;
  int64_t axis = 0;
  void Fields(auto&& field) {
    field("dtype", dtype);
    field("shape", shape);
    field("axis", axis);
  }
};

// A tensor with `value` in every element, in the context of `like`.
// Errors: the number does not fit the dtype.
// Derivative: none (no operand).
Var Full(const Var& like, DType dtype, const Shape& shape, const WeakScalar& value,
         Location location = Location::current());

// The same dtype and shape as `like`.
Var FullLike(const Var& like, const WeakScalar& value, Location location = Location::current());
Var ZerosLike(const Var& like, Location location = Location::current());
Var OnesLike(const Var& like, Location location = Location::current());

// Element (i_0, …) is i_axis, in the context of `like`.
// Dtypes: all but bool. Errors: no such axis. Derivative: none (no operand).
Var Iota(const Var& like, DType dtype, const Shape& shape, int axis, Location location = Location::current());

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_SOURCE_H_
