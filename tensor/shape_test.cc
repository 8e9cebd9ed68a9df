#include "tenferro/tensor/shape.h"

#include <limits>
#include <vector>

#include "gtest/gtest.h"

namespace tenferro {
namespace {

constexpr int64_t kHuge = std::numeric_limits<int64_t>::max();

TEST(ShapeTest, ExtentsSizeAndText) {
  const Shape shape = {2, 3, 4};
  EXPECT_EQ(shape.rank(), 3);
  EXPECT_EQ(shape.extent(1), 3);
  EXPECT_EQ(shape.size(), 24);
  EXPECT_EQ(shape.extents(), Ints({2, 3, 4}));
  EXPECT_EQ(shape.ToString(), "[2,3,4]");
  EXPECT_EQ(Shape().size(), 1);
  EXPECT_EQ(Shape().ToString(), "[]");
  EXPECT_EQ(Shape({5, 0}).size(), 0);
  EXPECT_EQ(Describe(DType::kC64, shape), "c64[2,3,4]");
}

TEST(ShapeTest, BuiltFromNumbersOrDimsAndComparedByValue) {
  const std::vector<int64_t> extents = {2, 3};
  const std::vector<Dim> dims = {2, 3};
  EXPECT_EQ(Shape(absl::MakeConstSpan(extents)), Shape({2, 3}));
  EXPECT_EQ(Shape(absl::MakeConstSpan(dims)), Shape({2, 3}));
  EXPECT_FALSE(Shape({2, 3}) == Shape({3, 2}));
  EXPECT_FALSE(Shape({2}) == Shape({2, 1}));
  Shape grown = {2};
  grown.push_back(7);
  grown[1] = 3;
  EXPECT_EQ(grown, Shape({2, 3}));
}

TEST(ShapeTest, StridesOfDenseTensors) {
  EXPECT_EQ(Shape({2, 3, 4}).ColMajorStrides(), Ints({1, 2, 6}));
  EXPECT_EQ(Shape({2, 3, 4}).RowMajorStrides(), Ints({12, 4, 1}));
  EXPECT_EQ(Shape({2, 0, 4}).ColMajorStrides(), Ints({1, 2, 2}));
  EXPECT_EQ(Shape().ColMajorStrides(), Ints());
}

TEST(ShapeTest, MoreAxesThanFitInline) {
  Shape shape;
  for (int axis = 0; axis < 20; ++axis) shape.push_back(2);
  EXPECT_TRUE(shape.Validate().ok());
  EXPECT_EQ(shape.size(), int64_t{1} << 20);
  EXPECT_EQ(shape.ColMajorStrides()[19], int64_t{1} << 19);
}

TEST(ShapeTest, ValidateAcceptsTheLargestSizeOnly) {
  const int64_t largest = int64_t{1} << 58;
  EXPECT_TRUE(Shape({largest}).Validate().ok());
  EXPECT_TRUE(Shape({1, largest, 1}).Validate().ok());
  EXPECT_TRUE(Shape({0, largest, 0}).Validate().ok());
  EXPECT_EQ(Shape({largest + 1}).Validate().message(), "shape [288230376151711745]: more than 2^58 elements");
  EXPECT_EQ(Shape({largest / 2, 3}).Validate().message(), "shape [144115188075855872,3]: more than 2^58 elements");
}

TEST(ShapeTest, ValidateDoesNotOverflow) {
  EXPECT_FALSE(Shape({kHuge, kHuge, kHuge}).Validate().ok());
  EXPECT_FALSE(Shape({int64_t{1} << 32, int64_t{1} << 32}).Validate().ok());
  EXPECT_FALSE(Shape({kHuge, 0, kHuge}).Validate().ok());
  EXPECT_EQ(Shape({kHuge, 2}).Validate().code(), absl::StatusCode::kInvalidArgument);
}

TEST(ShapeTest, ValidateRejectsNegativeExtents) {
  EXPECT_EQ(Shape({2, -3}).Validate().message(), "shape [2,-3]: the extent -3 of axis 1 is negative");
  EXPECT_FALSE(Shape({0, std::numeric_limits<int64_t>::min()}).Validate().ok());
}

TEST(BroadcastShapesTest, AlignsAtTheLastAxis) {
  EXPECT_EQ(*BroadcastShapes({2, 3}, {3}), Shape({2, 3}));
  EXPECT_EQ(*BroadcastShapes({3}, {2, 3}), Shape({2, 3}));
  EXPECT_EQ(*BroadcastShapes({2, 1}, {1, 3}), Shape({2, 3}));
  EXPECT_EQ(*BroadcastShapes({}, {2, 3}), Shape({2, 3}));
  EXPECT_EQ(*BroadcastShapes({1}, {0}), Shape({0}));
  EXPECT_EQ(*BroadcastShapes({4, 1, 5}, {3, 1}), Shape({4, 3, 5}));
}

TEST(BroadcastShapesTest, ErrorNamesShapesAndExtents) {
  const absl::Status status = BroadcastShapes({2, 3}, {5, 4, 3}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "shapes [2,3] and [5,4,3] do not broadcast: extents 2 and 4 differ and neither is 1");
  EXPECT_EQ(BroadcastShapes({2}, {0}).status().message(),
            "shapes [2] and [0] do not broadcast: extents 2 and 0 differ and neither is 1");
}

}  // namespace
}  // namespace tenferro
