#ifndef TENFERRO_RUNTIME_SLOTS_EXAMPLE_H_
#define TENFERRO_RUNTIME_SLOTS_EXAMPLE_H_

#include "tenferro/runtime/derivative.h"

namespace tenferro {

// A family for the tests: its slots are in one object, what fills them in another.
extern constinit FamilySlots example_slots;
extern const DerivativeFamily example_derivatives;

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_SLOTS_EXAMPLE_H_
