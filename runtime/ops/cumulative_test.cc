#include "tenferro/runtime/ops/cumulative.h"

#include <cmath>
#include <complex>
#include <limits>
#include <random>

#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

const CpuEngine& Serial() {
  static const CpuEngine& engine = *new CpuEngine(CpuEngine::Serial());
  return engine;
}

template <class T>
Var Make(const Shape& shape, const std::vector<T>& numbers, const CpuEngine& engine = Serial()) {
  return Immediate(engine, *Tensor::FromColMajor<T>(shape, numbers));
}

template <class T>
std::vector<T> Read(const Var& var) {
  EXPECT_TRUE(var.ok()) << var.status();
  const Tensor tensor = *var.ToTensor()->Dense();
  const absl::Span<const T> data = *tensor.Data<T>();
  return std::vector<T>(data.begin(), data.end());
}

template <class T>
bool Same(T a, T b) {
  return a == b || (a != a && b != b);
}

// One line, step by step.
using Step = std::complex<double> (*)(std::complex<double> y, std::complex<double> x);

struct Kind {
  const char* name;
  Var (*function)(const Arg&, int, bool);
  Step step;
  DTypeSet dtypes;
};
using C = std::complex<double>;
const Kind kKinds[] = {
    {"cumsum", CumSum, [](C y, C x) { return y + x; }, kNumberSet},
    {"cumprod", CumProd, [](C y, C x) { return y * x; }, kNumberSet},
    {"cummax", CumMax, [](C y, C x) { return y.real() < x.real() ? x : y; }, kRealSet},
    {"cummin", CumMin, [](C y, C x) { return y.real() > x.real() ? x : y; }, kRealSet},
};

// Small integers, so that any dtype is exact.
TEST(Cumulative, OfEveryDTypeAxisAndDirection) {
  for (const Shape& shape :
       {Shape{5}, Shape{1}, Shape{0}, Shape{3, 4}, Shape{4, 1, 5}, Shape{2, 0, 3}, Shape{9, 7}, Shape{2, 3, 2, 3}}) {
    std::vector<double> numbers;
    for (int64_t i = 0; i < shape.size(); ++i) numbers.push_back(static_cast<double>((i * 5 + 3) % 7 % 3));
    for (const Kind& kind : kKinds) {
      for (int axis = 0; axis < shape.rank(); ++axis) {
        for (bool reverse : {false, true}) {
          int64_t inner = 1;
          for (int i = 0; i < axis; ++i) inner *= shape.extent(i);
          const int64_t n = shape.extent(axis);
          std::vector<double> want = numbers;
          for (int64_t i = 0; i < shape.size(); ++i) {
            const int64_t place = i / inner % n;
            if (place == 0) continue;
            const int64_t line = i - place * inner;
            const auto at = [&](int64_t k) -> double& { return want[line + (reverse ? n - 1 - k : k) * inner]; };
            // Lines are met in order of their places, each once.
            at(place) = kind.step(at(place - 1), at(place)).real();
          }
          for (DType dtype : kAllDTypes) {
            if (!Contains(kind.dtypes, dtype)) continue;
            std::vector<double> expected = want;
            if (dtype == DType::kBool) {
              for (double& value : expected) value = value != 0;
            }
            const Var y = kind.function(Cast(Make(shape, numbers), dtype), axis, reverse);
            ASSERT_EQ(y.type(), (ValueType{dtype, shape}));
            EXPECT_EQ(Read<double>(Cast(y, DType::kF64)), expected)
                << kind.name << " " << Name(dtype) << shape.ToString() << " axis " << axis << reverse;
          }
        }
      }
    }
  }
}

TEST(Cumulative, KeepsNaN) {
  const Var x = Make<double>({4}, {1, 3, kNan, 2});
  for (const Kind& kind : kKinds) {
    const std::vector<double> y = Read<double>(kind.function(x, 0, false));
    EXPECT_EQ(y[0], 1);
    EXPECT_FALSE(std::isnan(y[1]));
    EXPECT_TRUE(std::isnan(y[2]) && std::isnan(y[3])) << kind.name;
  }
  const std::vector<double> y = Read<double>(CumLogSumExp(x, 0));
  EXPECT_TRUE(!std::isnan(y[1]) && std::isnan(y[2]) && std::isnan(y[3]));
}

TEST(Cumulative, OrdersZerosAndWraps) {
  EXPECT_FALSE(std::signbit(Read<float>(CumMax(Make<float>({2}, {0.f, -0.f}), 0))[1]));
  EXPECT_TRUE(std::signbit(Read<float>(CumMin(Make<float>({2}, {0.f, -0.f}), 0))[1]));
  EXPECT_EQ(Read<int32_t>(CumSum(Make<int32_t>({2}, {INT32_MAX, 1}), 0))[1], INT32_MIN);
  EXPECT_EQ(Read<uint8_t>(CumProd(Make<uint8_t>({2}, {16, 17}), 0))[1], 16);
  using Complex = std::complex<float>;
  EXPECT_EQ(Read<Complex>(CumProd(Make<Complex>({2}, {Complex(1, 2), Complex(3, -1)}), 0))[1], Complex(5, 5));
}

TEST(CumLogSumExp, IsAccurateAndKnowsInfinities) {
  std::mt19937 bits(3);
  std::vector<double> x;
  for (int i = 0; i < 200; ++i) x.push_back((static_cast<double>(bits()) / 4294967296.0 - 0.5) * 80);
  const std::vector<double> y = Read<double>(CumLogSumExp(Make({200}, x), 0));
  const std::vector<double> reversed = Read<double>(CumLogSumExp(Make({200}, x), 0, true));
  for (int i = 0; i < 200; ++i) {
    long double sum = 0, rest = 0;
    for (int k = 0; k <= i; ++k) sum += std::exp(static_cast<long double>(x[k]));
    for (int k = i; k < 200; ++k) rest += std::exp(static_cast<long double>(x[k]));
    EXPECT_NEAR(y[i], static_cast<double>(std::log(sum)), 1e-14 * (1 + std::abs(y[i])));
    EXPECT_NEAR(reversed[i], static_cast<double>(std::log(rest)), 1e-14 * (1 + std::abs(reversed[i])));
  }
  const auto expect = [](const std::vector<double>& in, const std::vector<double>& want) {
    const std::vector<double> got = Read<double>(CumLogSumExp(Make({static_cast<int64_t>(in.size())}, in), 0));
    for (size_t i = 0; i < in.size(); ++i) EXPECT_TRUE(Same(got[i], want[i])) << i << ": " << got[i];
  };
  expect({-kInfinity, -kInfinity, 0, -kInfinity}, {-kInfinity, -kInfinity, 0, 0});
  expect({1000, kInfinity, 0, kInfinity, -kInfinity}, {1000, kInfinity, kInfinity, kInfinity, kInfinity});
  expect({1e308, 0}, {1e308, 1e308});
  EXPECT_EQ(Read<float>(CumLogSumExp(Make<float>({2}, {200.f, 200.f}), 0))[1], 200.f + 0.693147182f);
}

TEST(LinearRecurrence, FollowsItsDefinition) {
  const Var a = Make<double>({4}, {kNan, 2, 0, -1}), b = Make<double>({4}, {1, 3, 4, 5});
  EXPECT_EQ(Read<double>(LinearRecurrence(a, b, 0)), (std::vector<double>{1, 5, 4, 1}));
  const Var c = Make<double>({2, 3}, {1, 2, 3, 4, kInfinity, kInfinity}), d = Make<double>({2, 3}, {1, 1, 2, 2, 3, 3});
  EXPECT_EQ(Read<double>(LinearRecurrence(c, d, 1, true)), (std::vector<double>{12, 29, 11, 14, 3, 3}));
  using Complex = std::complex<double>;
  const Var z = Make<Complex>({2}, {Complex(0, 0), Complex(0, 1)}),
            w = Make<Complex>({2}, {Complex(1, 1), Complex(2, 0)});
  EXPECT_EQ(Read<Complex>(LinearRecurrence(z, w, 0))[1], Complex(1, 1));
  EXPECT_EQ(Read<int32_t>(LinearRecurrence(Make<int32_t>({2}, {0, INT32_MAX}), Make<int32_t>({2}, {2, 3}), 0))[1], 1);
}

// Lines long and many enough for several threads and more than one panel; a line's bits are those of the line alone.
TEST(Cumulative, SameBitsAtAnyWidthAndPlaceOfTheAxis) {
  constexpr int64_t kRows = 700, kColumns = 1100;
  std::mt19937 bits(5);
  std::vector<double> x;
  for (int64_t i = 0; i < kRows * kColumns; ++i) x.push_back(static_cast<double>(bits()) * 1e-9 - 2);
  std::vector<std::vector<double>> first;
  for (int width : {1, 2, 3, 8}) {
    const CpuEngine engine = CpuEngine::WithThreads(width);
    const Var a = Make({kRows, kColumns}, x, engine);
    std::vector<std::vector<double>> results;
    for (int axis : {0, 1}) {
      results.push_back(Read<double>(CumSum(a, axis)));
      results.push_back(Read<double>(CumProd(a, axis, true)));
      results.push_back(Read<double>(CumLogSumExp(a, axis)));
      results.push_back(Read<double>(LinearRecurrence(a, a, axis)));
      EXPECT_EQ(Read<double>(CumSum(Transpose(a), 1 - axis)),
                Read<double>(Transpose(Make({kRows, kColumns}, results[results.size() - 4], engine))));
    }
    if (first.empty()) first = results;
    EXPECT_TRUE(results == first) << "width " << width;
  }
}

TEST(Batching, IsTheOperationOnEachSlice) {
  const Words words = Encode(CumulativeAttributes{1, true});
  std::vector<double> numbers;
  for (int i = 0; i < 60; ++i) numbers.push_back(0.25 * ((i * 7) % 11) - 1);
  const auto part = [](const Var& x, int64_t b) {
    return x.rank() == 2 ? x : Reshape(Slice(x, {0, 0, b}, {4, 5, b + 1}), {4, 5});
  };
  const Var full = Make({4, 5, 3}, numbers), single = Make<double>({4, 5}, {numbers.begin(), numbers.begin() + 20});
  for (const OpDef* op : {&kCumSum, &kCumProd, &kCumMax, &kCumMin, &kCumLogSumExp, &kLinearRecurrence}) {
    for (OperandSet batched = 1; batched < (op == &kLinearRecurrence ? 4u : 2u); ++batched) {
      Vars inputs;
      for (int i = 0; i < (op == &kLinearRecurrence ? 2 : 1); ++i) {
        inputs.push_back(HasOperand(batched, i) ? full : single);
      }
      Vars outputs(1);
      op->batch({*op, words, inputs, {}}, batched, 3, absl::MakeSpan(outputs));
      for (int64_t b = 0; b < 3; ++b) {
        Vars parts;
        for (const Var& input : inputs) parts.push_back(part(input, b));
        EXPECT_EQ(Read<double>(part(outputs[0], b)), Read<double>(EmitOne(*op, words, parts, Location::current())))
            << op->name;
      }
    }
  }
}

TEST(Errors, NameTheOperationAndItsOperands) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3, 4});
  const auto here = [](const char* rest, Location location = Location::current()) {
    return "cumulative_test.cc:" + std::to_string(location.line()) + ": " + rest;
  };
  EXPECT_EQ(CumSum(x, 2).status().message(), here("cumsum: axis 2 does not exist in f64[3,4]"));
  EXPECT_EQ(CumProd(x, -1).status().message(), here("cumprod: axis -1 does not exist in f64[3,4]"));
  EXPECT_EQ(CumMax(graph.Input(DType::kC64, {3}), 0).status().message(), here("cummax: does not take c64"));
  EXPECT_EQ(CumSum(graph.Input(DType::kBool, {3}), 0).status().message(), here("cumsum: does not take bool"));
  EXPECT_EQ(CumLogSumExp(graph.Input(DType::kI32, {3}), 0).status().message(), here("cumlogsumexp: does not take i32"));
  EXPECT_EQ(LinearRecurrence(x, graph.Input(DType::kF32, {3, 4}), 0).status().message(),
            here("linear_recurrence: dtypes or shapes differ, got a f64[3,4] and b f32[3,4]"));
}

}  // namespace
}  // namespace tenferro
