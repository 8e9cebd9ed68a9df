#ifndef TENFERRO_RUNTIME_OP_H_
#define TENFERRO_RUNTIME_OP_H_

#include <atomic>
#include <cstdint>
#include <string>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "tenferro/runtime/attributes.h"
#include "tenferro/runtime/value_type.h"

namespace tenferro {

class Rewriter;  // tenferro/runtime/rewriter.h
class Var;
struct OpDef;
struct CpuFamily;         // kernels of a family on the CPU engine: tenferro/cpu/kernel.h
struct DerivativeFamily;  // derivative rules that a separate target adds: tenferro/runtime/derivative.h

using ValueTypes = absl::InlinedVector<ValueType, 2>;

// What separate targets add to a family of operations, each by an object linked `alwayslink` that fills its slot before
// main. A slot is zero-initialised, so no order of initialisation can lose it.
struct FamilySlots {
  const char* family;             // "linalg"
  const char* cpu_target;         // named in the error for an empty slot: "//linalg:cpu"
  const char* derivative_target;  // likewise; nullptr when the records hold their rules
  const CpuFamily* cpu = nullptr;
  const DerivativeFamily* derivative = nullptr;
  // Asked for a kernel before `cpu`: those of a system's library. Where its `make` gives null, `cpu` serves.
  const CpuFamily* cpu_first = nullptr;
  bool filled_twice = false;  // Prepare reports it
};

// Fills a slot; a second filling keeps the first and sets the flag. Returns true, to initialise a static with.
template <class Family>
bool FillSlot(FamilySlots& slots, const Family* FamilySlots::*slot, const Family* family) {
  if (slots.*slot != nullptr && slots.*slot != family) {
    slots.filled_twice = true;
  } else {
    slots.*slot = family;
  }
  return true;
}

// Operands of a node, bit i: operand i. No operation has more than 64 (concatenate nests).
using OperandSet = uint64_t;
constexpr bool HasOperand(OperandSet set, size_t i) { return set >> i & 1; }

// One node as rules see it. An input or output that is absent (not known, or not wanted) is an empty Var.
struct NodeView {
  const OpDef& op;
  WordSpan attributes;
  absl::Span<const Var> inputs;
  absl::Span<const Var> outputs;
};

// Appends the output types. The message of an error starts after the operation's name.
using InferRule = absl::Status (*)(const OpDef& op, WordSpan attributes, absl::Span<const ValueType> inputs,
                                   ValueTypes& outputs);
// Tangents of the outputs from those of the inputs; an empty Var is zero, on both sides.
using JvpRule = void (*)(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
// One operand's share of the tangent of an elementwise operation y = f(a, b, c): the directional derivative along
// `tangent`.
using PartialRule = Var (*)(absl::Span<const Var> inputs, const Var& y, const Var& tangent);
// Cotangents of the inputs from those of the outputs. Only the inputs in `wanted` need one; an empty
// cotangent is zero. A transpose is asked only for operands in which the operation is linear: these have a type but no
// value.
using VjpRule = void (*)(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                         absl::Span<Var> input_cotangents);
// The operation on inputs of which those in `batched` carry one more axis, the last, of extent `size`; all outputs
// carry it too.
using BatchRule = void (*)(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs);
using PrintRule = std::string (*)(WordSpan attributes);
// A value that equals the operation's single output in every bit and is cheaper, or kNoValue. Asked by Compile.
using SimplifyRule = uint32_t (*)(Rewriter& rewriter, WordSpan attributes, absl::Span<const uint32_t> inputs,
                                  const ValueType& output);
inline constexpr uint32_t kNoValue = ~uint32_t{0};

// Sets of dtypes, bit i: DType(i).
using DTypeSet = uint16_t;
constexpr DTypeSet SetOf(DType dtype) { return static_cast<DTypeSet>(1 << static_cast<int>(dtype)); }
constexpr bool Contains(DTypeSet set, DType dtype) { return (set & SetOf(dtype)) != 0; }
inline constexpr DTypeSet kBoolSet = SetOf(DType::kBool);
inline constexpr DTypeSet kIntegerSet =
    SetOf(DType::kI32) | SetOf(DType::kI64) | SetOf(DType::kU8) | SetOf(DType::kU32) | SetOf(DType::kU64);
inline constexpr DTypeSet kFloatSet = SetOf(DType::kF32) | SetOf(DType::kF64);
inline constexpr DTypeSet kComplexSet = SetOf(DType::kC64) | SetOf(DType::kC128);
inline constexpr DTypeSet kFloatOrComplexSet = kFloatSet | kComplexSet;
inline constexpr DTypeSet kNumberSet = kIntegerSet | kFloatOrComplexSet;
inline constexpr DTypeSet kRealSet = kBoolSet | kIntegerSet | kFloatSet;
inline constexpr DTypeSet kAnySet = kBoolSet | kNumberSet;

// What the passes may do with an operation.
enum class OpKind : uint8_t {
  kGeneral,
  kElementwise,  // outputs[i] depends on inputs[·][i]: fused into loops
  kSource,       // no inputs: input, constant, full, iota
  kCall,         // holds a body
  kBarrier,      // outputs[i] is inputs[i]; what uses it runs after the further inputs are there
};

// The record of an operation: constant-initialised, one for each operation, compared by address. Everything the library
// knows about an operation is here or in its family's slots.
struct OpDef {
  const char* name;
  InferRule infer = nullptr;
  OpKind kind = OpKind::kGeneral;
  // Dtypes of the last operand; the shape rule may say more.
  DTypeSet dtypes = kAnySet;
  // Operands in which the operation is linear (bit i): jointly, or each by itself when `multilinear`.
  OperandSet linear = 0;
  bool multilinear = false;
  // How derivatives pass; exactly one of: partials, jvp (with or without vjp), linear operands with a transpose, a
  // reason, or rules in the family's derivative slot.
  PartialRule partials[3] = {nullptr, nullptr, nullptr};
  JvpRule jvp = nullptr;
  VjpRule vjp = nullptr;
  VjpRule transpose = nullptr;
  const char* not_differentiable = nullptr;  // why: the derivative is zero or undefined everywhere
  BatchRule batch = nullptr;
  PrintRule print = nullptr;
  SimplifyRule simplify = nullptr;
  FamilySlots* slots = nullptr;
};

// True for an operation with a body and no rule of its own: it is short for the nodes of its body.
constexpr bool StandsForItsBody(const OpDef& op) {
  return op.kind == OpKind::kCall && op.jvp == nullptr && op.vjp == nullptr;
}

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OP_H_
