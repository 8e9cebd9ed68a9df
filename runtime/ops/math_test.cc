// The records of the mathematical functions: batching, printing, simplification, the texts of errors. Their values are
// tested in cpu/kernels, their derivatives in ad.
#include "tenferro/runtime/ops/math.h"

#include <cmath>
#include <cstring>

#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/function.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

constexpr int64_t kSize = 3;

struct Record {
  const OpDef* op;
  int operands;
  DType dtype;
  Words attributes = {};
};

const Record kRecords[] = {
    {&kReciprocal, 1, DType::kC128},
    {&kIntegerPow, 1, DType::kI32, {3}},
    {&kIntegerPow, 1, DType::kF64, {-2}},
    {&kExp2, 1, DType::kF64},
    {&kLog2, 1, DType::kF64},
    {&kLog10, 1, DType::kF32},
    {&kCbrt, 1, DType::kF64},
    {&kHypot, 2, DType::kF64},
    {&kLogistic, 1, DType::kC128},
    {&kLogAddExp, 2, DType::kF64},
    {&kTan, 1, DType::kF64},
    {&kAsin, 1, DType::kC64},
    {&kAcos, 1, DType::kF64},
    {&kAtan, 1, DType::kF64},
    {&kAtan2, 2, DType::kF64},
    {&kAsinh, 1, DType::kF64},
    {&kAcosh, 1, DType::kC128},
    {&kAtanh, 1, DType::kF64},
    {&kAngle, 1, DType::kC128},
    {&kNextAfter, 2, DType::kF32},
    {&kErf, 1, DType::kF64},
    {&kErfc, 1, DType::kF64},
    {&kErfInv, 1, DType::kF64},
    {&kLgamma, 1, DType::kF64},
    {&kDigamma, 1, DType::kF64},
    {&kPolygamma, 1, DType::kF64, {2}},
};

Var Operand(const CpuEngine& engine, DType dtype, const Shape& shape, int which) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < shape.size(); ++i)
    numbers.push_back(0.25 + 0.5 * static_cast<double>((i * 7 + which * 3) % 5));
  return Cast(Immediate(engine, *Tensor::FromColMajor<double>(shape, numbers)), dtype);
}

// Slice `index` along the last axis.
Var Part(const Var& x, int64_t index) {
  Ints starts(x.rank(), 0), limits = x.shape().extents();
  starts.back() = index;
  limits.back() = index + 1;
  return Reshape(Slice(x, starts, limits), Shape(absl::MakeConstSpan(x.shape().extents()).first(x.rank() - 1)));
}

TEST(Math, BatchingIsTheOperationOnEachSlice) {
  const CpuEngine engine = CpuEngine::Serial();
  const Shape shape = {2, 4}, batched_shape = {2, 4, kSize};
  for (const Record& record : kRecords) {
    for (OperandSet batched = 1; batched < OperandSet{1} << record.operands; ++batched) {
      Vars inputs;
      for (int i = 0; i < record.operands; ++i) {
        inputs.push_back(Operand(engine, record.dtype, HasOperand(batched, i) ? batched_shape : shape, i));
      }
      Vars outputs(1);
      record.op->batch({*record.op, record.attributes, inputs, {}}, batched, kSize, absl::MakeSpan(outputs));
      for (int64_t b = 0; b < kSize; ++b) {
        Vars parts;
        for (int i = 0; i < record.operands; ++i) {
          parts.push_back(HasOperand(batched, i) ? Part(inputs[i], b) : inputs[i]);
        }
        const Var want = EmitOne(*record.op, record.attributes, parts, Location::current());
        const Var got = Part(outputs[0], b);
        ASSERT_TRUE(got.ok()) << record.op->name << got.status();
        ASSERT_TRUE(want.ok()) << record.op->name << want.status();
        ASSERT_EQ(got.type(), want.type()) << record.op->name;
        EXPECT_EQ(got.ToTensor()->ToString(), want.ToTensor()->ToString()) << record.op->name;
      }
    }
  }
}

// A program, in which kernels are fused, and operations at once see the same attributes.
TEST(Math, AttributesReachTheKernels) {
  const CpuEngine engine = CpuEngine::Serial();
  const Tensor x = *Tensor::FromColMajor<double>({3}, std::vector<double>{1, 2, -0.5});
  const Function f = Compile(engine, [](absl::Span<const Var> in) -> std::vector<Var> {
    return {IntegerPow(in[0], 3) + IntegerPow(in[0], -2) * IntegerPow(in[0], 0)};
  });
  const std::vector<double> want = {2, 8.25, 3.875};
  const Tensor fused = *f.Call1({x});
  EXPECT_EQ(std::vector<double>(fused.Data<double>()->begin(), fused.Data<double>()->end()), want);
  const Var v = Immediate(engine, x);
  const Tensor at_once = *(IntegerPow(v, 3) + IntegerPow(v, -2)).ToTensor();
  EXPECT_EQ(std::vector<double>(at_once.Data<double>()->begin(), at_once.Data<double>()->end()), want);
  const Var strided = Reverse(v, {0});
  EXPECT_EQ(IntegerPow(strided, 2).ToTensor()->ToString(), Square(strided).ToTensor()->ToString());
  EXPECT_NEAR(*Polygamma(1, Immediate(engine, Tensor::Scalar(1.0))).ToTensor()->Item<double>(), 1.6449340668482264,
              1e-15);
  EXPECT_NEAR(*Polygamma(0, Immediate(engine, Tensor::Scalar(1.0))).ToTensor()->Item<double>(), -0.5772156649015329,
              1e-15);
}

TEST(Math, AnyNumberOfThreadsGivesTheSameBits) {
  std::vector<double> numbers(200000);
  for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = std::sin(static_cast<double>(i)) * 3;
  const Tensor x = *Tensor::FromColMajor<double>({static_cast<int64_t>(numbers.size())}, numbers);
  for (const Record& record : kRecords) {
    const auto apply = [&](const CpuEngine& engine) {
      const Function f = Compile(engine, [&](absl::Span<const Var> in) -> std::vector<Var> {
        const Var operand = Cast(in[0], record.dtype);
        const Vars operands(record.operands, operand);
        return {EmitOne(*record.op, record.attributes, operands, Location::current())};
      });
      return *f.Call1({x});
    };
    const Tensor want = apply(CpuEngine::WithThreads(1));
    for (int threads : {2, 3, 8}) {
      const Tensor got = apply(CpuEngine::WithThreads(threads));
      const auto bytes = static_cast<size_t>(got.size() * SizeOf(got.dtype()));
      EXPECT_EQ(std::memcmp(*got.HostData(), *want.HostData(), bytes), 0) << record.op->name << ' ' << threads;
    }
  }
}

TEST(Math, PrintsAttributesAndDropsTheFirstPower) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2});
  const std::string text = Compile({IntegerPow(x, -3), Polygamma(2, x)}, {x})->ToString();
  EXPECT_NE(text.find("exponent=-3"), std::string::npos) << text;
  EXPECT_NE(text.find("order=2"), std::string::npos) << text;
  const std::string simple = Compile({IntegerPow(Exp(x), 1)}, {x})->ToString();
  EXPECT_EQ(simple.find("integer_pow"), std::string::npos) << simple;
}

std::string Message(const Var& var) { return std::string(var.status().message()); }
std::string At(int line, const std::string& text) { return "math_test.cc:" + std::to_string(line) + ": " + text; }

TEST(Math, ErrorsNameTheOperationAndThePlace) {
  Graph graph;
  const Var i = graph.Input(DType::kI32, {3});
  const Var z = graph.Input(DType::kC128, {3});
  const Var x = graph.Input(DType::kF64, {2});
  const Var y = graph.Input(DType::kF64, {3});
  const Var b = graph.Input(DType::kBool, {2});
  EXPECT_EQ(Message(Exp2(i)), At(__LINE__, "exp2: does not take i32"));
  EXPECT_EQ(Message(Erf(z)), At(__LINE__, "erf: does not take c128"));
  EXPECT_EQ(Message(Hypot(z, z)), At(__LINE__, "hypot: does not take c128"));
  EXPECT_EQ(Message(IntegerPow(b, 2)), At(__LINE__, "integer_pow: does not take bool"));
  EXPECT_EQ(Message(IntegerPow(i, -2)),
            At(__LINE__ - 1, "integer_pow: integers have no negative powers, got the exponent -2 for i32[3]"));
  EXPECT_EQ(Message(Polygamma(-1, x)), At(__LINE__, "polygamma: the order must be between 0 and 170, got -1"));
  EXPECT_EQ(Message(Polygamma(171, x)), At(__LINE__, "polygamma: the order must be between 0 and 170, got 171"));
  EXPECT_EQ(Message(Tan(2.0)),
            At(__LINE__ - 1, "tan: a number alone has no dtype and no graph: make it a constant of a graph"));
  EXPECT_EQ(Message(IntegerPow(2.0, 2)),
            At(__LINE__ - 1, "integer_pow: a number alone has no dtype and no graph: make it a constant of a graph"));
  EXPECT_EQ(Message(Atan2(x, y)),
            At(__LINE__ - 1, "atan2: shapes [2] and [3] do not broadcast: extents 2 and 3 differ and neither is 1"));
}

}  // namespace
}  // namespace tenferro
