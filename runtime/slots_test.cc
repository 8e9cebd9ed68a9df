// Built twice, with the objects linked in both orders: what a static initialiser fills must not be lost.
#include "gtest/gtest.h"
#include "tenferro/runtime/slots_example.h"

namespace tenferro {
namespace {

TEST(Slots, AreFilledBeforeMain) {
  EXPECT_EQ(example_slots.derivative, &example_derivatives);
  EXPECT_EQ(example_slots.cpu, nullptr);
  EXPECT_FALSE(example_slots.filled_twice);
}

TEST(Slots, ASecondFillingKeepsTheFirstAndIsNoticed) {
  FamilySlots slots{.family = "twice", .cpu_target = "", .derivative_target = nullptr};
  static const DerivativeFamily first, second;
  EXPECT_TRUE(FillSlot(slots, &FamilySlots::derivative, &first));
  EXPECT_FALSE(slots.filled_twice);
  EXPECT_TRUE(FillSlot(slots, &FamilySlots::derivative, &second));
  EXPECT_EQ(slots.derivative, &first);
  EXPECT_TRUE(slots.filled_twice);
}

}  // namespace
}  // namespace tenferro
