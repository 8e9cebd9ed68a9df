#include "tenferro/tensor/status.h"

#include <memory>
#include <utility>

#include "gtest/gtest.h"

namespace tenferro {
namespace {

absl::Status Check(bool ok) { return ok ? absl::OkStatus() : absl::NotFoundError("no"); }
absl::StatusOr<int> Number(bool ok) {
  if (ok) return 3;
  return absl::NotFoundError("no number");
}
absl::StatusOr<std::unique_ptr<int>> MoveOnly() { return std::make_unique<int>(5); }

TEST(ReturnIfErrorTest, GoesOnOrReturns) {
  const auto function = [](bool ok) -> absl::StatusOr<int> {
    TENFERRO_RETURN_IF_ERROR(Check(true));
    TENFERRO_RETURN_IF_ERROR(Check(ok));
    return 1;
  };
  EXPECT_EQ(*function(true), 1);
  EXPECT_EQ(function(false).status(), absl::NotFoundError("no"));
}

TEST(AssignOrReturnTest, AssignsOrReturns) {
  const auto function = [](bool ok) -> absl::StatusOr<int> {
    TENFERRO_ASSIGN_OR_RETURN(int first, Number(true));
    TENFERRO_ASSIGN_OR_RETURN(const int second, Number(ok));
    TENFERRO_ASSIGN_OR_RETURN(first, Number(true));
    return first + second;
  };
  EXPECT_EQ(*function(true), 6);
  EXPECT_EQ(function(false).status(), absl::NotFoundError("no number"));
}

TEST(AssignOrReturnTest, MovesTheValue) {
  const auto function = []() -> absl::StatusOr<int> {
    TENFERRO_ASSIGN_OR_RETURN(const std::unique_ptr<int> value, MoveOnly());
    return *value;
  };
  EXPECT_EQ(*function(), 5);
}

}  // namespace
}  // namespace tenferro
