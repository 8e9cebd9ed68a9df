#include "tenferro/runtime/ops/convolution.h"

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/check_batching.h"
#include "tenferro/runtime/ops/random_convolution.h"

namespace tenferro {
namespace {

class ConvolutionErrors : public testing::Test {
 protected:
  Var In(const Shape& shape, DType dtype = DType::kF64) { return graph_.Input(dtype, shape); }
  Graph graph_;
};

std::string Message(const Var& var) { return std::string(var.status().message()); }
std::string At(int line, absl::string_view text) { return absl::StrCat("convolution_test.cc:", line, ": ", text); }

TEST_F(ConvolutionErrors, OfOperands) {
  EXPECT_EQ(Message(ConvGeneral(In({4}), In({3, 2}))),
            At(__LINE__ - 1,
               "conv_general: needs x [spatial…, channels, batch] and w [window…, channels, output channels], got "
               "f64[4] and f64[3,2]"));
  EXPECT_EQ(Message(ConvGeneral(In({5, 2, 1}), In({3, 2}))),
            At(__LINE__ - 1,
               "conv_general: needs x [spatial…, channels, batch] and w [window…, channels, output channels], got "
               "f64[5,2,1] and f64[3,2]"));
  EXPECT_EQ(Message(ConvGeneral(In({2, 1}, DType::kBool), In({2, 1}, DType::kBool))),
            At(__LINE__ - 1, "conv_general: does not take x bool[2,1] and w bool[2,1]"));
  EXPECT_EQ(Message(ConvGeneral(In({2, 1}, DType::kU64), In({2, 1}, DType::kI64))),
            At(__LINE__ - 1, absl::StrCat("conv_general: ", Promote(DType::kU64, DType::kI64).status().message())));
  EXPECT_EQ(Message(ConvGeneral(2.0, In({2, 1}))),
            At(__LINE__ - 1, "conv_general: a number alone has no dtype and no graph: make it a constant of a graph"));
  EXPECT_EQ(Message(Conv2d(In({5, 2, 1}), In({3, 2, 1}))),
            At(__LINE__ - 1, "conv2d: needs two operands of rank 4, got x f64[5,2,1] and w f64[3,2,1]"));
}

TEST_F(ConvolutionErrors, OfAttributes) {
  const Var x = In({5, 4, 6}), w = In({3, 4, 6});
  const auto message = [&](const ConvAttributes& attributes) { return Message(ConvGeneral(x, w, attributes)); };
  const int line = __LINE__ - 1;
  const auto here = [line](absl::string_view text) { return At(line, absl::StrCat("conv_general: ", text)); };
  EXPECT_EQ(message({.strides = {1, 1}}), here("strides has 2 numbers for 1 spatial axes"));
  EXPECT_EQ(message({.low = {1, 1}}), here("low has 2 numbers for 1 spatial axes"));
  EXPECT_EQ(message({.high = {1, 1}}), here("high has 2 numbers for 1 spatial axes"));
  EXPECT_EQ(message({.lhs_dilation = {1, 1}}), here("lhs_dilation has 2 numbers for 1 spatial axes"));
  EXPECT_EQ(message({.rhs_dilation = {1, 1}}), here("rhs_dilation has 2 numbers for 1 spatial axes"));
  EXPECT_EQ(message({.strides = {0}}), here("strides must be positive, got 0"));
  EXPECT_EQ(message({.lhs_dilation = {-1}}), here("lhs_dilation must be positive, got -1"));
  EXPECT_EQ(message({.rhs_dilation = {0}}), here("rhs_dilation must be positive, got 0"));
  EXPECT_EQ(message({.low = {-6}}), here("axis 0 of x f64[5,4,6] gets the negative extent -1"));
  EXPECT_EQ(message({.low = {INT64_MAX}}), here("axis 0 becomes too long"));
  EXPECT_EQ(message({.low = {INT64_MIN}, .high = {INT64_MAX}}), here("axis 0 becomes too long"));
  EXPECT_EQ(message({.lhs_dilation = {INT64_MAX}}), here("axis 0 becomes too long"));
  EXPECT_EQ(message({.rhs_dilation = {INT64_MAX}}), here("axis 0 becomes too long"));
  EXPECT_EQ(message({.feature_groups = 0}),
            here("feature_groups and batch_groups must be positive, one of them 1, got 0 and 1"));
  EXPECT_EQ(message({.feature_groups = 2, .batch_groups = 2}),
            here("feature_groups and batch_groups must be positive, one of them 1, got 2 and 2"));
  EXPECT_EQ(message({.feature_groups = 2}),
            here("x f64[5,4,6] has 4 channels in 2 groups, w f64[3,4,6] takes 4 of each group"));
  EXPECT_EQ(message({.feature_groups = 3}),
            here("x f64[5,4,6] has 4 channels in 3 groups, w f64[3,4,6] takes 4 of each group"));
  EXPECT_EQ(message({.batch_groups = 4}), here("the 6 output channels of w do not make 4 groups"));
  const Var odd = ConvGeneral(In({5, 4, 5}), w, {.batch_groups = 2});
  EXPECT_EQ(Message(odd), At(__LINE__ - 1, "conv_general: the batch of 5 does not make 2 groups"));
}

TEST(Convolution, Shapes) {
  Graph graph;
  const Var x = graph.Input(DType::kF32, {9, 8, 4, 6}), w = graph.Input(DType::kF64, {3, 2, 4, 10});
  EXPECT_EQ(ConvGeneral(x, w).type(), (ValueType{DType::kF64, {7, 7, 10, 6}}));
  EXPECT_EQ(Conv2d(x, w, {.padding = ConvPadding::kSame}).shape(), Shape({9, 8, 10, 6}));
  EXPECT_EQ(Conv2d(x, w, {.strides = {2, 3}, .padding = ConvPadding::kSame}).shape(), Shape({5, 3, 10, 6}));
  EXPECT_EQ(Conv2d(x, w, {.strides = {2, 3}, .dilation = {4, 1}}).shape(), Shape({1, 3, 10, 6}));
  EXPECT_EQ(ConvGeneral(x, w, {.batch_groups = 2}).shape(), Shape({7, 7, 10, 3}));
  EXPECT_EQ(ConvGeneral(x, w, {.lhs_dilation = {2, 1}}).shape(), Shape({15, 7, 10, 6}));
  EXPECT_EQ(ConvGeneral(x, w, {.rhs_dilation = {5, 1}}).shape(), Shape({0, 7, 10, 6}));
  EXPECT_EQ(Conv1d(graph.Input(DType::kF64, {5, 2, 1}), graph.Input(DType::kF64, {3, 1, 4}), {.groups = 2}).shape(),
            Shape({3, 4, 1}));
  EXPECT_EQ(Conv3d(graph.Input(DType::kF64, {5, 4, 3, 2, 1}), graph.Input(DType::kF64, {1, 2, 3, 2, 4})).shape(),
            Shape({5, 3, 1, 4, 1}));
}

TEST_F(ConvolutionErrors, OfNumbersAtTheEndsOfTheRange) {
  const Var x = In({2, 1, 1}), w = In({2, 1, 1});
  const auto here = [](int line) { return At(line, "conv_general: axis 0 becomes too long"); };
  EXPECT_EQ(Message(ConvGeneral(x, w, {.lhs_dilation = {INT64_MAX}})), here(__LINE__));
  EXPECT_EQ(Message(ConvGeneral(x, w, {.rhs_dilation = {INT64_MAX}})), here(__LINE__));
  EXPECT_EQ(Message(Conv1d(x, w, {.padding = ConvPadding::kSame, .dilation = {INT64_MAX}})), here(__LINE__));
}

// Without a batch the number of groups is not bounded by it.
TEST(Convolution, BatchingOfManyGroupsOfNothing) {
  const ConvAttributes many{.strides = {1}, .low = {0}, .high = {0}, .lhs_dilation = {1}, .rhs_dilation = {1},
                            .batch_groups = INT64_MAX};
  const ValueType x{DType::kF64, {3, 2, 0}}, w{DType::kF64, {2, 2, 0}};
  const absl::Status status = CheckBatching(CpuEngine::Serial(), kConvGeneral, Encode(many), {x, w});
  EXPECT_TRUE(status.ok()) << status;
}

TEST(Convolution, SamePaddingPutsTheOddZeroAtTheEnd) {
  const PaddingWidths widths = WidthsOf(ConvPadding::kSame, {9, 8, 8, 8}, {3, 2, 1, 3}, {2, 1, 3, 1}, {1, 1, 1, 2});
  EXPECT_EQ(widths.low, (Ints{1, 0, 0, 2}));
  EXPECT_EQ(widths.high, (Ints{1, 1, 0, 2}));
  EXPECT_EQ(WidthsOf(ConvPadding::kValid, {9}, {3}).low, Ints{0});
}

TEST(Convolution, Batching) {
  for (int number = 0; number < 120; ++number) {
    const RandomConvolution c = MakeRandomConvolution(number, 5);
    const DType dtype = number % 3 == 0 ? DType::kC128 : number % 3 == 1 ? DType::kF64 : DType::kI32;
    const absl::Status status = CheckBatching(CpuEngine::Serial(), kConvGeneral, Encode(c.attributes),
                                              absl::Span<const ValueType>({{dtype, c.x}, {dtype, c.w}}));
    ASSERT_TRUE(status.ok()) << status << "\n" << c.ToString();
  }
}

}  // namespace
}  // namespace tenferro
