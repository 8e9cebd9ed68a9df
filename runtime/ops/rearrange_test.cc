#include "tenferro/runtime/ops/rearrange.h"

#include "gtest/gtest.h"
#include "tenferro/runtime/ops/numbers_for_tests.h"

namespace tenferro {
namespace {

using Numbers = std::vector<int32_t>;

std::string Here(const char* rest, Location location = Location::current()) {
  return "rearrange_test.cc:" + std::to_string(location.line()) + ": " + rest;
}

// Element [i, j] is 10 i + j.
Var Matrix(int rows, int columns) {
  Numbers numbers;
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) numbers.push_back(10 * i + j);
  }
  return Now<int32_t>({rows, columns}, numbers);
}

TEST(Rearrange, Stacks) {
  const Var a = Now<int32_t>({1, 2}), b = Now<int32_t>({3, 4});
  EXPECT_EQ(Values<int32_t>(Stack({a, b}, 0)), (Numbers{1, 3, 2, 4}));
  EXPECT_EQ(Values<int32_t>(Stack({a, b}, 1)), (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(Stack({a, b, a}, 0).type().ToString(), "i32[3,2]");
  EXPECT_EQ(Stack({a, Now<double>({3, 4})}, 1).type().ToString(), "f64[2,2]");
}

TEST(Rearrange, Splits) {
  const std::vector<Var> halves = Split(Matrix(2, 4), 2, 1);
  ASSERT_EQ(halves.size(), 2);
  EXPECT_EQ(Values<int32_t>(halves[0]), (Numbers{0, 10, 1, 11}));
  EXPECT_EQ(Values<int32_t>(halves[1]), (Numbers{2, 12, 3, 13}));
  const std::vector<Var> parts = SplitAt(Matrix(2, 4), {1, 1, 3}, 1);
  ASSERT_EQ(parts.size(), 4);
  EXPECT_EQ(Values<int32_t>(parts[0]), (Numbers{0, 10}));
  EXPECT_EQ(parts[1].type().ToString(), "i32[2,0]");
  EXPECT_EQ(Values<int32_t>(parts[2]), (Numbers{1, 11, 2, 12}));
  EXPECT_EQ(Values<int32_t>(parts[3]), (Numbers{3, 13}));
}

TEST(Rearrange, Rolls) {
  const Var x = Now<int32_t>({0, 1, 2, 3, 4});
  EXPECT_EQ(Values<int32_t>(Roll(x, 2, 0)), (Numbers{3, 4, 0, 1, 2}));
  EXPECT_EQ(Values<int32_t>(Roll(x, -1, 0)), (Numbers{1, 2, 3, 4, 0}));
  EXPECT_EQ(Values<int32_t>(Roll(x, 12, 0)), (Numbers{3, 4, 0, 1, 2}));
  EXPECT_EQ(Values<int32_t>(Roll(x, -10, 0)), (Numbers{0, 1, 2, 3, 4}));
  EXPECT_EQ(Values<int32_t>(Roll(Matrix(2, 3), {1, 1}, {0, 1})), (Numbers{12, 2, 10, 0, 11, 1}));
  EXPECT_EQ(Roll(Now<int32_t>(Numbers{}), 3, 0).type().ToString(), "i32[0]");
}

TEST(Rearrange, AddsAndRemovesAxes) {
  const Var x = Now<int32_t>({1, 2, 1}, {1, 2});
  EXPECT_EQ(Squeeze(x).type().ToString(), "i32[2]");
  EXPECT_EQ(Squeeze(x, {2}).type().ToString(), "i32[1,2]");
  EXPECT_EQ(ExpandDims(x, {0, 3}).type().ToString(), "i32[1,1,2,1,1]");
  EXPECT_EQ(ExpandDims(Now<int32_t>(Shape{}, {1}), {0}).type().ToString(), "i32[1]");
  EXPECT_EQ(Flatten(Matrix(2, 3)).type().ToString(), "i32[6]");
  EXPECT_EQ(Values<int32_t>(Flatten(Matrix(2, 2))), (Numbers{0, 10, 1, 11}));
}

TEST(Rearrange, Repeats) {
  EXPECT_EQ(Values<int32_t>(Tile(Now<int32_t>({1, 2}), {3})), (Numbers{1, 2, 1, 2, 1, 2}));
  EXPECT_EQ(Values<int32_t>(Repeat(Now<int32_t>({1, 2}), 3, 0)), (Numbers{1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(Values<int32_t>(Tile(Matrix(2, 2), {2, 1})), (Numbers{0, 10, 0, 10, 1, 11, 1, 11}));
  EXPECT_EQ(Values<int32_t>(Tile(Matrix(1, 2), {1, 2})), (Numbers{0, 1, 0, 1}));
  EXPECT_EQ(Values<int32_t>(Repeat(Matrix(2, 2), 2, 1)), (Numbers{0, 10, 0, 10, 1, 11, 1, 11}));
  EXPECT_EQ(Values<int32_t>(Repeat(Matrix(2, 2), 2, 0)), (Numbers{0, 0, 10, 10, 1, 1, 11, 11}));
  EXPECT_EQ(Tile(Matrix(2, 2), {0, 1}).type().ToString(), "i32[0,2]");
  EXPECT_EQ(Repeat(Matrix(2, 2), 0, 1).type().ToString(), "i32[2,0]");
}

TEST(Rearrange, MovesAxes) {
  const Var x = Now<int32_t>({2, 3, 1, 5}, Numbers(30, 1));
  EXPECT_EQ(MoveAxis(x, 0, 2).type().ToString(), "i32[3,1,2,5]");
  EXPECT_EQ(MoveAxis(x, 3, 0).type().ToString(), "i32[5,2,3,1]");
  EXPECT_EQ(MoveAxis(x, {0, 3}, {3, 1}).type().ToString(), "i32[3,5,1,2]");
  EXPECT_EQ(SwapAxes(x, 0, 3).type().ToString(), "i32[5,3,1,2]");
  EXPECT_EQ(SwapAxes(x, 1, 1).type().ToString(), "i32[2,3,1,5]");
  EXPECT_EQ(Values<int32_t>(SwapAxes(Matrix(2, 2), 0, 1)), (Numbers{0, 1, 10, 11}));
}

TEST(Rearrange, ErrorsNameTheFunctionAndLine) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2, 3}), y = graph.Input(DType::kF64, {2});
  EXPECT_EQ(Message(Stack({x, y}, 0)), Here("stack: operands have shapes [2,3] and [2]"));
  EXPECT_EQ(Message(Stack({x, x}, 3)), Here("stack: axis 3 does not exist in rank 3"));
  EXPECT_EQ(Message(Stack({}, 0)), Here("stack: needs at least one operand"));
  EXPECT_EQ(Message(Stack({x, Var()}, 0)), Here("stack: an operand is an empty Var"));
  EXPECT_EQ(Message(Split(x, 2, 1)[1]), Here("split: axis 1 of f64[2,3] has no 2 equal sections"));
  EXPECT_EQ(Message(Split(x, 0, 1)[0]), Here("split: axis 1 of f64[2,3] has no 0 equal sections"));
  const std::vector<Var> far = Split(x, INT32_MAX, 1), none = Split(graph.Input(DType::kF64, {0}), INT32_MAX, 0);
  ASSERT_EQ(far.size(), 1);
  ASSERT_EQ(none.size(), 1);
  EXPECT_NE(Message(far[0]).find("split: axis 1 of f64[2,3] has no 2147483647 equal sections"), std::string::npos);
  EXPECT_NE(Message(none[0]).find("split: axis 0 of f64[0] has no 2147483647 equal sections"), std::string::npos);
  EXPECT_EQ(Split(graph.Input(DType::kF64, {0}), 3, 0).size(), 3);
  EXPECT_EQ(Message(Split(x, 2, 2)[0]), Here("split: axis 2 does not exist in rank 2"));
  EXPECT_EQ(Message(SplitAt(x, {2, 1}, 1)[2]), Here("split_at: [2, 1) is no part of axis 1 of f64[2,3]"));
  EXPECT_EQ(Message(SplitAt(x, {4}, 1)[0]), Here("split_at: [0, 4) is no part of axis 1 of f64[2,3]"));
  EXPECT_EQ(Message(Roll(x, {1, 2}, {0})), Here("roll: 2 shifts for 1 axes"));
  EXPECT_EQ(Message(Roll(x, 1, 2)), Here("roll: axis 2 does not exist in rank 2"));
  EXPECT_EQ(Message(Squeeze(x, {1})), Here("squeeze: axis 1 of f64[2,3] has extent 3"));
  EXPECT_EQ(Message(ExpandDims(x, {3})), Here("expand_dims: axis 3 does not exist in rank 3"));
  EXPECT_EQ(Message(Tile(x, {2})), Here("tile: 1 repeats for rank 2"));
  EXPECT_EQ(Message(Tile(x, {2, -1})), Here("tile: repeats -1 of axis 1 is negative"));
  EXPECT_EQ(Message(Tile(x, {int64_t{1} << 62, 1})), Here("tile: axis 0 becomes too long"));
  EXPECT_EQ(Message(Repeat(x, -1, 0)), Here("repeat: count -1 is negative"));
  EXPECT_EQ(Message(Repeat(x, int64_t{1} << 62, 1)), Here("repeat: axis 1 becomes too long"));
  EXPECT_EQ(Message(MoveAxis(x, {0}, {0, 1})), Here("move_axis: 1 axes move to 2"));
  EXPECT_EQ(Message(MoveAxis(x, 0, 2)), Here("move_axis: axis 2 does not exist in rank 2"));
  EXPECT_EQ(Message(SwapAxes(x, 0, 2)), Here("swap_axes: axis 2 does not exist in rank 2"));
  EXPECT_EQ(Message(Flatten(2.0)),
            Here("flatten: a number alone has no dtype and no graph: make it a constant of a graph"));
}

}  // namespace
}  // namespace tenferro
