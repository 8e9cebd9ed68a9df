#include "tenferro/runtime/ops/products.h"

#include <complex>

#include "gtest/gtest.h"
#include "tenferro/runtime/ops/numbers_for_tests.h"

namespace tenferro {
namespace {

using Doubles = std::vector<double>;
using Complex = std::complex<double>;

std::string Here(const char* rest, Location location = Location::current()) {
  return "products_test.cc:" + std::to_string(location.line()) + ": " + rest;
}

TEST(Products, Tensordots) {
  const Var a = Now<double>({2, 3}, {1, 2, 3, 4, 5, 6}), b = Now<double>({3, 2}, {1, 0, 0, 0, 1, 1});
  EXPECT_EQ(Values<double>(Tensordot(a, b, 1)), (Doubles{1, 2, 8, 10}));
  EXPECT_EQ(Values<double>(Tensordot(a, b, {1}, {0})), (Doubles{1, 2, 8, 10}));
  EXPECT_EQ(Values<double>(Tensordot(a, b, {0, 1}, {1, 0})), (Doubles{1 + 4 + 6}));
  EXPECT_EQ(Values<double>(Tensordot(a, a, 2)), (Doubles{91}));
  EXPECT_EQ(Tensordot(a, b, 0).type().ToString(), "f64[2,3,3,2]");
}

TEST(Products, OuterAndKronecker) {
  const Var a = Now<double>({1, 2}), b = Now<double>({3, 4, 5});
  EXPECT_EQ(Values<double>(Outer(a, b)), (Doubles{3, 6, 4, 8, 5, 10}));
  EXPECT_EQ(Values<double>(Kron(a, b)), (Doubles{3, 4, 5, 6, 8, 10}));
  // [[1, 2]] ⊗ [[1], [10]] = [[1, 2], [10, 20]].
  EXPECT_EQ(Values<double>(Kron(Now<double>({1, 2}, {1, 2}), Now<double>({2, 1}, {1, 10}))), (Doubles{1, 10, 2, 20}));
  EXPECT_EQ(Values<double>(Kron(Now<double>(Shape{}, {2}), Now<double>(Shape{}, {3}))), (Doubles{6}));
}

TEST(Products, Inner) {
  const Var a = Now<Complex>({{0, 1}, {2, 0}});
  EXPECT_EQ(Values<Complex>(Inner(a, a)), (std::vector<Complex>{{3, 0}}));
  EXPECT_EQ(Values<Complex>(VDot(a, a)), (std::vector<Complex>{{5, 0}}));
  const Var x = Now<double>({2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(Values<double>(Inner(x, x)), (Doubles{10, 14, 14, 20}));
  EXPECT_EQ(Values<double>(VDot(x, x)), (Doubles{30}));
  EXPECT_EQ(VDot(x, x).rank(), 0);
}

TEST(Products, ErrorsNameTheFunctionAndLine) {
  Graph graph;
  const Var a = graph.Input(DType::kF64, {2, 3}), v = graph.Input(DType::kF64, {2}), s = graph.Input(DType::kF64, {});
  EXPECT_EQ(Message(Tensordot(a, v, 1)),
            Here("tensordot: contracting dimensions differ, got lhs f64[2,3] and rhs f64[2]"));
  EXPECT_EQ(Message(Tensordot(a, v, 2)), Here("tensordot: no 2 axes to contract, got lhs f64[2,3] and rhs f64[2]"));
  EXPECT_EQ(Message(Tensordot(a, v, {2}, {0})), Here("tensordot: lhs axis 2 does not exist in rank 2"));
  EXPECT_EQ(Message(Tensordot(a, v, {0}, {1})), Here("tensordot: rhs axis 1 does not exist in rank 1"));
  EXPECT_EQ(Message(Tensordot(a, a, {0, 1}, {0})),
            Here("tensordot: contracting dimensions differ, got lhs f64[2,3] and rhs f64[2,3]"));
  EXPECT_EQ(Message(Outer(a, 2.0)), Here("outer: a number alone has no dtype and no graph: make it a constant of a "
                                         "graph"));
  EXPECT_EQ(Message(Kron(a, v)), Here("kron: needs operands of one rank, got lhs f64[2,3] and rhs f64[2]"));
  EXPECT_EQ(Message(Inner(a, v)), Here("inner: contracting dimensions differ, got lhs f64[2,3] and rhs f64[2]"));
  EXPECT_EQ(Message(Inner(s, v)), Here("inner: lhs axis -1 does not exist in rank 0"));
  EXPECT_EQ(Message(VDot(a, v)), Here("vdot: needs operands of one shape, got lhs f64[2,3] and rhs f64[2]"));
}

}  // namespace
}  // namespace tenferro
