#include "tenferro/runtime/ops/matrix_parts.h"

#include <limits>

#include "gtest/gtest.h"
#include "tenferro/runtime/ops/numbers_for_tests.h"

namespace tenferro {
namespace {

using Numbers = std::vector<int32_t>;
constexpr int64_t kFar = std::numeric_limits<int64_t>::max();
constexpr int64_t kFarBelow = std::numeric_limits<int64_t>::min();

std::string Here(const char* rest, Location location = Location::current()) {
  return "matrix_parts_test.cc:" + std::to_string(location.line()) + ": " + rest;
}

// Element [i, j] is 10 (i + 1) + j + 1.
Var Matrix(int rows, int columns) {
  Numbers numbers;
  for (int j = 0; j < columns; ++j) {
    for (int i = 0; i < rows; ++i) numbers.push_back(10 * (i + 1) + j + 1);
  }
  return Now<int32_t>({rows, columns}, numbers);
}

TEST(MatrixParts, Triangles) {
  EXPECT_EQ(Values<int32_t>(Tril(Matrix(2, 3))), (Numbers{11, 21, 0, 22, 0, 0}));
  EXPECT_EQ(Values<int32_t>(Tril(Matrix(2, 3), 1)), (Numbers{11, 21, 12, 22, 0, 23}));
  EXPECT_EQ(Values<int32_t>(Tril(Matrix(2, 3), -1)), (Numbers{0, 21, 0, 0, 0, 0}));
  EXPECT_EQ(Values<int32_t>(Triu(Matrix(2, 3))), (Numbers{11, 0, 12, 22, 13, 23}));
  EXPECT_EQ(Values<int32_t>(Triu(Matrix(2, 2), 5)), (Numbers{0, 0, 0, 0}));
  const Numbers all = {11, 21, 12, 22, 13, 23}, none(6, 0);
  for (int64_t far : {int64_t{3}, kFar - 1, kFar}) {
    EXPECT_EQ(Values<int32_t>(Tril(Matrix(2, 3), far)), all) << far;
    EXPECT_EQ(Values<int32_t>(Triu(Matrix(2, 3), far)), none) << far;
  }
  for (int64_t far : {int64_t{-2}, kFarBelow + 2, kFarBelow + 1, kFarBelow}) {
    EXPECT_EQ(Values<int32_t>(Tril(Matrix(2, 3), far)), none) << far;
    EXPECT_EQ(Values<int32_t>(Triu(Matrix(2, 3), far)), all) << far;
  }
  // Batch axes trail; what is dropped may be anything.
  const double nan = std::nan("");
  EXPECT_EQ(Values<double>(Tril(Now<double>({2, 2, 2}, {1, 2, nan, 4, 5, 6, nan, 8}))),
            (std::vector<double>{1, 2, 0, 4, 5, 6, 0, 8}));
  EXPECT_EQ(Values<bool>(Triu(Now<bool>({2, 2}, {true, true, true, true}))),
            (std::vector<bool>{true, false, true, true}));
}

TEST(MatrixParts, Diagonals) {
  EXPECT_EQ(Values<int32_t>(Diagonal(Matrix(2, 3))), (Numbers{11, 22}));
  EXPECT_EQ(Values<int32_t>(Diagonal(Matrix(2, 3), 1)), (Numbers{12, 23}));
  EXPECT_EQ(Values<int32_t>(Diagonal(Matrix(2, 3), 2)), (Numbers{13}));
  EXPECT_EQ(Values<int32_t>(Diagonal(Matrix(2, 3), -1)), (Numbers{21}));
  for (int64_t k : {int64_t{3}, int64_t{-2}, kFar, kFarBelow}) {
    EXPECT_EQ(Diagonal(Matrix(2, 3), k).type().ToString(), "i32[0]") << k;
    EXPECT_EQ(Values<int32_t>(Trace(Matrix(2, 3), k)), (Numbers{0})) << k;
  }
  EXPECT_EQ(Values<int32_t>(Trace(Matrix(3, 3))), (Numbers{66}));
  EXPECT_EQ(Values<int32_t>(Trace(Matrix(3, 3), 1)), (Numbers{35}));
  const Var t = Now<int32_t>({2, 2, 3}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11});
  EXPECT_EQ(Values<int32_t>(Trace(t)), (Numbers{3, 11, 19}));
  EXPECT_EQ(Values<int32_t>(Trace(t, 1, 1, 2)), (Numbers{14, 16}));
  EXPECT_EQ(Diagonal(t, 0, 2, 0).type().ToString(), "i32[2,2]");
  EXPECT_EQ(Values<int32_t>(Diag(Matrix(2, 2))), (Numbers{11, 22}));
  EXPECT_EQ(Values<int32_t>(Diag(Now<int32_t>({1, 2}))), (Numbers{1, 0, 0, 2}));
  EXPECT_EQ(Values<int32_t>(Diag(Now<int32_t>({1, 2}), 1)), (Numbers{0, 0, 0, 1, 0, 0, 0, 2, 0}));
  EXPECT_EQ(Values<int32_t>(Diag(Now<int32_t>({1, 2}), -1)), (Numbers{0, 1, 0, 0, 0, 2, 0, 0, 0}));
}

TEST(MatrixParts, OnesAndZeros) {
  const Var like = Now<int32_t>({1});
  EXPECT_EQ(Values<float>(Eye(like, DType::kF32, 2, 3)), (std::vector<float>{1, 0, 0, 1, 0, 0}));
  EXPECT_EQ(Values<int32_t>(Eye(like, DType::kI32, 2, 3, 1)), (Numbers{0, 0, 1, 0, 0, 1}));
  EXPECT_EQ(Values<bool>(Eye(like, DType::kBool, 2, 2, -1)), (std::vector<bool>{false, true, false, false}));
  // A matrix without an element costs nothing, however long its other axis is.
  EXPECT_EQ(Values<double>(Eye(like, DType::kF64, int64_t{1} << 50, 0)), std::vector<double>());
  const Var indices = Now<int32_t>({2, -1, 0, 3});
  EXPECT_EQ(Values<int32_t>(OneHot(indices, 3, 0, DType::kI32)), (Numbers{0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(Values<int32_t>(OneHot(indices, 3, 1, DType::kI32)), (Numbers{0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(OneHot(Now<uint64_t>({2, 3}, {0, 1, 2, 3, 4, 5}), 7, 1, DType::kC64).type().ToString(), "c64[2,7,3]");
  // 256 is no 0, although a u8 cannot say so.
  const std::vector<double> wide = Values<double>(OneHot(Now<uint8_t>({0}), 300, 0, DType::kF64));
  EXPECT_EQ(wide[0], 1);
  EXPECT_EQ(wide[256], 0);
}

TEST(MatrixParts, ErrorsNameTheFunctionAndLine) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2, 3}), v = graph.Input(DType::kF64, {2});
  const Var b = graph.Input(DType::kBool, {2, 2}), i = graph.Input(DType::kI32, {2});
  EXPECT_EQ(Message(Tril(v)), Here("tril: needs matrices, got f64[2]"));
  EXPECT_EQ(Message(Triu(v)), Here("triu: needs matrices, got f64[2]"));
  EXPECT_EQ(Message(Diagonal(x, 0, 1, 1)), Here("diagonal: axis 1 stands twice"));
  EXPECT_EQ(Message(Diag(graph.Input(DType::kF64, {1, 2, 3}))),
            Here("diag: needs a vector or a matrix, got f64[1,2,3]"));
  EXPECT_EQ(Message(Diag(v, kFar)), Here("diag: the matrix with f64[2] as diagonal 9223372036854775807 is too large"));
  EXPECT_EQ(Message(Diag(v, kFarBelow)),
            Here("diag: the matrix with f64[2] as diagonal -9223372036854775808 is too large"));
  EXPECT_EQ(Message(Diag(v, int64_t{1} << 30)),
            Here("diag: the matrix with f64[2] as diagonal 1073741824 is too large"));
  EXPECT_EQ(Message(Trace(v)), Here("trace: axis 1 does not exist in rank 1"));
  EXPECT_EQ(Message(Trace(b)), Here("trace: does not take bool"));
  EXPECT_EQ(Message(Eye(x, DType::kF64, -1, 2)), Here("eye: shape [-1,2]: the extent -1 of axis 0 is negative"));
  EXPECT_EQ(Message(OneHot(x, 3, 0, DType::kF64)), Here("one_hot: does not take f64"));
  EXPECT_EQ(Message(OneHot(i, 3, 2, DType::kF64)), Here("one_hot: axis 2 does not exist in rank 2"));
  EXPECT_EQ(Message(OneHot(i, -3, 0, DType::kF64)), Here("one_hot: depth -3 is negative"));
}

}  // namespace
}  // namespace tenferro
