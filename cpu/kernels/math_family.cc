#include "tenferro/cpu/kernel.h"
#include "tenferro/cpu/kernels/math.h"
#include "tenferro/runtime/ops/math.h"

namespace tenferro {
namespace {

constexpr CpuFamily kFamily{.tile = FindMath};

[[maybe_unused]] const bool kFilled = FillSlot(math_slots, &FamilySlots::cpu, &kFamily);

}  // namespace
}  // namespace tenferro
