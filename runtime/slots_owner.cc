#include "tenferro/runtime/slots_example.h"

namespace tenferro {

constinit FamilySlots example_slots{
    .family = "example", .cpu_target = "//example:cpu", .derivative_target = "//example:autodiff"};

}  // namespace tenferro
