#include "tenferro/runtime/ops/arithmetic.h"

#include <cmath>
#include <complex>
#include <limits>

#include "gtest/gtest.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/numbers_for_tests.h"

namespace tenferro {
namespace {

using Bools = std::vector<bool>;
using Complex = std::complex<double>;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::string Here(const char* rest, Location location = Location::current()) {
  return "arithmetic_test.cc:" + std::to_string(location.line()) + ": " + rest;
}

TEST(Arithmetic, Divides) {
  const Var a = Now<int32_t>({7, -7, 5, std::numeric_limits<int32_t>::min()}), b = Now<int32_t>({3, 3, 0, -1});
  EXPECT_EQ(Values<int32_t>(Rem(a, b)), (std::vector<int32_t>{1, -1, 5, 0}));
  EXPECT_EQ(Values<int32_t>(Mod(a, b)), (std::vector<int32_t>{1, 2, 5, 0}));
  EXPECT_EQ(Values<int32_t>(FloorDivide(a, b)), (std::vector<int32_t>{2, -3, -1, std::numeric_limits<int32_t>::min()}));
  EXPECT_EQ(Values<double>(Mod(Now<double>({-0.5, 5.5}), 3)), (std::vector<double>{2.5, 2.5}));
  EXPECT_EQ(Values<double>(FloorDivide(-7, Now<double>({2}))), (std::vector<double>{-4}));
}

TEST(Arithmetic, PromotesAndBroadcasts) {
  const Var y = Rem(Now<int32_t>({2, 1}, {7, 8}), Now<float>({2}, {2.5f, 3}));
  EXPECT_EQ(y.type().ToString(), "f32[2,2]");
  EXPECT_EQ(Values<float>(y), (std::vector<float>{2, 0.5f, 1, 2}));
}

TEST(Arithmetic, Rounds) {
  const Var x = Now<double>({-1.5, -0.5, 0.5, 2.5, 2.6});
  using Doubles = std::vector<double>;
  EXPECT_EQ(Values<double>(Floor(x)), (Doubles{-2, -1, 0, 2, 2}));
  EXPECT_EQ(Values<double>(Ceil(x)), (Doubles{-1, 0, 1, 3, 3}));
  EXPECT_EQ(Values<double>(Trunc(x)), (Doubles{-1, 0, 0, 2, 2}));
  EXPECT_EQ(Values<double>(Round(x)), (Doubles{-2, 0, 0, 2, 3}));
  EXPECT_EQ(Values<double>(RoundHalfAway(x)), (Doubles{-2, -1, 1, 3, 3}));
  const Var i = Now<uint8_t>({0, 255});
  for (const Var& y : {Floor(i), Ceil(i), Trunc(i), Round(i), RoundHalfAway(i)}) {
    EXPECT_EQ(Values<uint8_t>(y), (std::vector<uint8_t>{0, 255}));
  }
}

TEST(Arithmetic, KnowsTheKindsOfNumbers) {
  const Var x = Now<double>({1, -kInfinity, kNan, -0.0, std::numeric_limits<double>::max()});
  EXPECT_EQ(Values<bool>(IsFinite(x)), (Bools{true, false, false, true, true}));
  EXPECT_EQ(Values<bool>(IsInf(x)), (Bools{false, true, false, false, false}));
  EXPECT_EQ(Values<bool>(IsNan(x)), (Bools{false, false, true, false, false}));
  EXPECT_EQ(Values<bool>(SignBit(x)), (Bools{false, true, false, true, false}));
  EXPECT_EQ(Values<bool>(IsFinite(Now<float>({1e38f, -INFINITY}))), (Bools{true, false}));
  // The modulus of the first overflows.
  const Var z = Now<Complex>({{1e308, 1.7e308}, {kInfinity, kNan}, {0, kNan}, {1, -kInfinity}});
  EXPECT_EQ(Values<bool>(IsFinite(z)), (Bools{true, false, false, false}));
  EXPECT_EQ(Values<bool>(IsInf(z)), (Bools{false, true, false, true}));
  EXPECT_EQ(Values<bool>(IsNan(z)), (Bools{false, true, true, false}));
  const Var i = Now<int32_t>({0, -1});
  EXPECT_EQ(Values<bool>(IsFinite(i)), (Bools{true, true}));
  EXPECT_EQ(Values<bool>(IsInf(i)), (Bools{false, false}));
  EXPECT_EQ(Values<bool>(IsNan(i)), (Bools{false, false}));
  EXPECT_EQ(Values<bool>(SignBit(i)), (Bools{false, true}));
  EXPECT_EQ(Values<bool>(SignBit(Now<uint32_t>({0, 0xffffffffu}))), (Bools{false, false}));
}

TEST(Arithmetic, Clamps) {
  const Var x = Now<double>({-3, 0.5, 3, kNan});
  EXPECT_EQ(Values<double>(Clamp(Now<double>({-3, 0.5, 3}), -1, 2)), (std::vector<double>{-1, 0.5, 2}));
  EXPECT_TRUE(std::isnan(Values<double>(Clamp(x, -1, 2))[3]));
  EXPECT_TRUE(std::isnan(Values<double>(Clamp(Now<double>({1}), 0, Now<double>({kNan})))[0]));
  // low above high: high.
  EXPECT_EQ(Values<double>(Clamp(Now<double>({0, 9}), 2, 1)), (std::vector<double>{1, 1}));
  EXPECT_EQ(Values<int32_t>(Clamp(Now<int32_t>({-3, 3}), Now<int32_t>({-1}), 2)), (std::vector<int32_t>{-1, 2}));
  EXPECT_EQ(Clamp(Now<double>({2, 1}, {1, 2}), Now<double>({0, 1, 2}), 9).type().ToString(), "f64[2,3]");
}

TEST(Arithmetic, WorksOnBits) {
  using Bytes = std::vector<uint8_t>;
  const Var x = Now<uint8_t>({0x81, 0x0f});
  EXPECT_EQ(Values<uint8_t>(Xor(x, 0xff)), (Bytes{0x7e, 0xf0}));
  EXPECT_EQ(Values<uint8_t>(ShiftLeft(x, 1)), (Bytes{0x02, 0x1e}));
  EXPECT_EQ(Values<uint8_t>(ShiftRightLogical(x, 1)), (Bytes{0x40, 0x07}));
  EXPECT_EQ(Values<uint8_t>(ShiftRightArithmetic(x, 1)), (Bytes{0xc0, 0x07}));
  EXPECT_EQ(Values<uint8_t>(ShiftRightArithmetic(x, 8)), (Bytes{0xff, 0}));
  EXPECT_EQ(Values<uint8_t>(PopulationCount(x)), (Bytes{2, 4}));
  EXPECT_EQ(Values<uint8_t>(CountLeadingZeros(x)), (Bytes{0, 4}));
  EXPECT_EQ(Values<int32_t>(ShiftLeft(Now<int32_t>({-1, 1}), Now<int32_t>({-1, 31}))),
            (std::vector<int32_t>{0, std::numeric_limits<int32_t>::min()}));
}

TEST(Arithmetic, TakesAnyNumberAsTruth) {
  const Var x = Now<double>({0, -0.0, 2, kNan}), b = Now<bool>({true, true, true, false});
  EXPECT_EQ(Values<bool>(LogicalAnd(x, b)), (Bools{false, false, true, false}));
  EXPECT_EQ(Values<bool>(LogicalOr(x, b)), (Bools{true, true, true, true}));
  EXPECT_EQ(Values<bool>(LogicalXor(x, b)), (Bools{true, true, false, true}));
  EXPECT_EQ(Values<bool>(LogicalNot(x)), (Bools{true, true, false, false}));
  EXPECT_EQ(Values<bool>(LogicalXor(true, Now<int64_t>({0, 5}))), (Bools{true, false}));
  EXPECT_EQ(Values<bool>(LogicalNot(Now<Complex>({{0, 0}, {0, 1}}))), (Bools{true, false}));
}

TEST(Arithmetic, ErrorsNameOperationAndLine) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3}), b = graph.Input(DType::kBool, {3}), z = graph.Input(DType::kC128, {3});
  const Var i = graph.Input(DType::kI32, {3}), u = graph.Input(DType::kU64, {2});
  EXPECT_EQ(Message(Rem(z, x)), Here("rem: does not take c128"));
  EXPECT_EQ(Message(Floor(b)), Here("floor: does not take bool"));
  EXPECT_EQ(Message(Round(z)), Here("round: does not take c128"));
  EXPECT_EQ(Message(Xor(x, x)), Here("xor: does not take f64"));
  EXPECT_EQ(Message(ShiftLeft(b, b)), Here("shift_left: does not take bool"));
  EXPECT_EQ(Message(PopulationCount(x)), Here("population_count: does not take f64"));
  EXPECT_EQ(Message(SignBit(b)), Here("sign_bit: does not take bool"));
  EXPECT_EQ(Message(IsNan(b)), Here("is_nan: does not take bool"));
  EXPECT_EQ(Message(IsFinite(2.0)),
            Here("is_finite: a number alone has no dtype and no graph: make it a constant of a graph"));
  EXPECT_EQ(Message(Mod(i, u)), Here("mod: Promote: no dtype holds both i32 and u64: Cast one of them"));
  EXPECT_EQ(Message(Clamp(i, 0.5, 2)), Here("clamp: a float is no i32: convert the tensor"));
  EXPECT_EQ(Message(Clamp(x, graph.Input(DType::kF64, {2}), 2)),
            Here("clamp: shapes [3] and [2] do not broadcast: extents 3 and 2 differ and neither is 1"));
  EXPECT_EQ(Message(Clamp(b, b, b)), Here("clamp: does not take bool"));
  EXPECT_EQ(Message(LogicalAnd(b, 1)), Here("and: an integer is no bool: convert the tensor"));
  EXPECT_EQ(Message(LogicalNot(Var())), Here("logical_not: an operand is an empty Var"));
}

TEST(Arithmetic, SameBitsAtEveryWidth) {
  std::vector<double> a(200000), b(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = std::sin(static_cast<double>(i)) * 1e3;
    b[i] = std::cos(static_cast<double>(3 * i)) * 7;
  }
  const Shape shape{static_cast<int64_t>(a.size())};
  ExpectSameAtEveryWidth(
      [](absl::Span<const Var> x) -> std::vector<Var> {
        const Var i = Cast(x[0] * 1e6, DType::kI64), j = Cast(x[1], DType::kI64);
        return {Rem(x[0], x[1]), Mod(x[0], x[1]), FloorDivide(x[0], x[1]), Floor(x[0]),
                Round(x[0]),     IsInf(x[0]),     Clamp(x[0], -3, x[1]),   Mod(i, j),
                ShiftLeft(i, j), Xor(i, j),       SignBit(x[1]),           CountLeadingZeros(i + j)};
      },
      {*Tensor::FromColMajor<double>(shape, a), *Tensor::FromColMajor<double>(shape, b)});
}

}  // namespace
}  // namespace tenferro
