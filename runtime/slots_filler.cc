#include "tenferro/runtime/slots_example.h"

namespace tenferro {

constexpr DerivativeFamily example_derivatives{};

namespace {

[[maybe_unused]] const bool filled = FillSlot(example_slots, &FamilySlots::derivative, &example_derivatives);

}  // namespace
}  // namespace tenferro
