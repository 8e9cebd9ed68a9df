#ifndef TENFERRO_RUNTIME_DERIVATIVE_H_
#define TENFERRO_RUNTIME_DERIVATIVE_H_

#include "tenferro/runtime/op.h"

namespace tenferro {

// Derivative rules of one operation that live outside its record.
struct DerivativeRules {
  const OpDef* op;
  JvpRule jvp;
  VjpRule vjp;
  VjpRule transpose = nullptr;  // for the operands that the record calls linear
};

// All of a family's: the content of FamilySlots::derivative.
struct DerivativeFamily {
  absl::Span<const DerivativeRules> rules;
};

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_DERIVATIVE_H_
