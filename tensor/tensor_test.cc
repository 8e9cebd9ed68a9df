#include "tenferro/tensor/tensor.h"

#include <complex>
#include <vector>

#include "gtest/gtest.h"

namespace tenferro {
namespace {

TEST(TensorTest, FromColMajorKeepsTheOrderOfTheElements) {
  const std::vector<double> data = {1, 2, 3, 4, 5, 6};
  absl::StatusOr<Tensor> tensor = Tensor::FromColMajor<double>({2, 3}, data);
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  EXPECT_EQ(*tensor->At<double>({1, 0}), 2);
  EXPECT_EQ(*tensor->At<double>({0, 2}), 5);
}

TEST(TensorTest, FromRowMajorReordersTheElements) {
  const std::vector<double> data = {1, 2, 3, 4, 5, 6};
  absl::StatusOr<Tensor> tensor = Tensor::FromRowMajor<double>({2, 3}, data);
  ASSERT_TRUE(tensor.ok()) << tensor.status();
  EXPECT_EQ(*tensor->Data<double>(), absl::Span<const double>({1, 4, 2, 5, 3, 6}));
}

}  // namespace
}  // namespace tenferro
