#ifndef TENFERRO_RUNTIME_OPS_SLOTS_H_
#define TENFERRO_RUNTIME_OPS_SLOTS_H_

#include "tenferro/runtime/op.h"

namespace tenferro {

// Where the engines' kernel targets hang themselves in.
extern constinit FamilySlots source_slots;
extern constinit FamilySlots elementwise_slots;
extern constinit FamilySlots reduce_slots;
extern constinit FamilySlots structural_slots;
extern constinit FamilySlots dot_slots;

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_SLOTS_H_
