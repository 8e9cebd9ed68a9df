#include "tenferro/cpu/kernel.h"
#include "tenferro/cpu/kernels/arithmetic.h"
#include "tenferro/runtime/ops/arithmetic.h"

namespace tenferro {
namespace {

constexpr CpuFamily kFamily{.tile = FindArithmetic};

[[maybe_unused]] const bool kFilled = FillSlot(arithmetic_slots, &FamilySlots::cpu, &kFamily);

}  // namespace
}  // namespace tenferro
