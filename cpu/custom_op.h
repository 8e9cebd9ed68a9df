#ifndef TENFERRO_CPU_CUSTOM_OP_H_
#define TENFERRO_CPU_CUSTOM_OP_H_

#include <vector>

#include "absl/types/span.h"
#include "tenferro/runtime/op.h"
#include "tenferro/runtime/var.h"

namespace tenferro {

// An operand of a custom kernel: all elements in column-major order.
struct ConstArray {
  const ValueType& type;
  const void* bytes;

  int64_t dim(int axis) const { return type.shape.extent(axis); }
  int64_t size() const { return type.shape.size(); }
  // T must be the dtype's C++ type.
  template <class T>
  const T* data() const {
    return static_cast<const T*>(bytes);
  }
};

// A result, to be written completely.
struct MutableArray {
  const ValueType& type;
  void* bytes;

  int64_t dim(int axis) const { return type.shape.extent(axis); }
  int64_t size() const { return type.shape.size(); }
  template <class T>
  T* data() const {
    return static_cast<T*>(bytes);
  }
};

// Computes the results; may run on several threads at once, for different operands. The message of an error starts
// after the operation's name.
using CustomKernel = absl::Status (*)(WordSpan attributes, absl::Span<const ConstArray> inputs,
                                      absl::Span<const MutableArray> outputs);

// What the user says of an operation; lambdas without captures will do.
struct CustomOpRules {
  const char* name;
  int num_outputs = 1;
  InferRule shape;
  CustomKernel kernel;
  JvpRule jvp = nullptr;      // without it the vjp alone; without both: an error names the operation
  VjpRule vjp = nullptr;      // without it the jvp run backwards
  BatchRule batch = nullptr;  // without it Vmap gives an error
  const char* not_differentiable = nullptr;
};

// An operation of the user's own, with everything that the library's have. An object with static storage: graphs refer
// to it by address. Call it like a function; attributes are part of its identity (Encode in
// tenferro/runtime/attributes.h makes them).
class CustomOp {
 public:
  explicit CustomOp(const CustomOpRules& rules);
  CustomOp(const CustomOp&) = delete;
  CustomOp& operator=(const CustomOp&) = delete;

  // Errors (carried by every result): those of the shape rule; no operand; rules without shape, kernel or output.
  std::vector<Var> operator()(absl::Span<const Var> operands, WordSpan attributes = {},
                              Location location = Location::current()) const;
  const OpDef& record() const { return record_; }

 private:
  friend class CustomOpKernel;
  struct Slots : FamilySlots {
    InferRule shape;
    CustomKernel kernel;
    int num_outputs;
  };
  // The user's shape rule, held to the number of outputs.
  static absl::Status Infer(const OpDef& op, WordSpan attributes, absl::Span<const ValueType> inputs,
                            ValueTypes& outputs);

  Slots slots_;
  OpDef record_;
};

}  // namespace tenferro

#endif  // TENFERRO_CPU_CUSTOM_OP_H_
