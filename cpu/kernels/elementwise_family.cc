#include "tenferro/cpu/kernel.h"
#include "tenferro/cpu/kernels/elementwise.h"
#include "tenferro/runtime/ops/slots.h"

namespace tenferro {
namespace {

constexpr CpuFamily kFamily{.tile = FindElementwise, .pair = FindElementwisePair};

[[maybe_unused]] const bool kFilled = FillSlot(elementwise_slots, &FamilySlots::cpu, &kFamily);

}  // namespace
}  // namespace tenferro
