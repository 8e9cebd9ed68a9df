#include "tenferro/transforms/vmap.h"

#include <cmath>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tenferro/ad/grad.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/ad/vjp.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/engine.h"
#include "tenferro/runtime/function.h"
#include "tenferro/runtime/ops/call.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

const Engine& TestEngine() {
  static const CpuEngine& engine = *new CpuEngine(CpuEngine::Serial());
  return engine;
}

Tensor Numbers(const Shape& shape, int which = 0) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < shape.size(); ++i) numbers.push_back(0.2 + static_cast<double>((7 * i + 3 * which) % 11) / 8);
  return *Tensor::FromColMajor<double>(shape, numbers);
}

Var Number(const Shape& shape, int which = 0) { return Immediate(TestEngine(), Numbers(shape, which)); }

// Slice `index` of `axis`, without it.
Var Part(const Var& x, int axis, int64_t index) {
  Ints starts(x.rank(), 0), limits = x.shape().extents();
  starts[axis] = index;
  limits[axis] = index + 1;
  Shape shape;
  for (int i = 0; i < x.rank(); ++i) {
    if (i != axis) shape.push_back(x.shape()[i]);
  }
  return Reshape(Slice(x, starts, limits), shape);
}

std::vector<Tensor> Compute(const TracedFunction& function, absl::Span<const Tensor> inputs) {
  const absl::StatusOr<std::vector<Tensor>> outputs = Compile(TestEngine(), function)(inputs);
  EXPECT_TRUE(outputs.ok()) << outputs.status();
  return outputs.ok() ? *outputs : std::vector<Tensor>(8);
}

void ExpectSameBits(const Tensor& got, const Tensor& want) {
  ASSERT_EQ(got.shape(), want.shape());
  ASSERT_EQ(got.dtype(), want.dtype());
  const Tensor a = *got.Dense(), b = *want.Dense();
  EXPECT_EQ(std::memcmp(*a.HostData(), *b.HostData(), a.size() * SizeOf(a.dtype())), 0)
      << got.ToString() << " is not " << want.ToString();
}

void ExpectSameBits(const Var& got, const Var& want) {
  ASSERT_TRUE(got.ok()) << got.status();
  ASSERT_TRUE(want.ok()) << want.status();
  ExpectSameBits(*got.ToTensor(), *want.ToTensor());
}

std::string Message(const Var& var) { return std::string(var.status().message()); }

std::string At(int line, absl::string_view text) { return absl::StrCat("vmap_test.cc:", line, ": ", text); }

// a ∘ sin(b) · sum(a), and what no mapped argument may touch.
Out Sample(In x) { return {x[0] * Sin(x[1]) * ReduceSum(x[0]), Exp(x[1])}; }

TEST(Vmap, EqualsALoopBitByBit) {
  const Var a = Number({2, 3, 4}), b = Number({3, 5, 2}, 1);
  for (const auto& [a_axis, b_axis, size] : {std::tuple(0, 2, 2), {1, 0, 3}, {1, -3, 3}, {-3, -1, 2}}) {
    const int of_a = a_axis < 0 ? a_axis + 3 : a_axis, of_b = b_axis < 0 ? b_axis + 3 : b_axis;
    const TracedFunction f = [](In in) -> Out {
      return {ReduceSum(in[0] * Sin(in[0]), {0}), Exp(in[1]) * ReduceSum(in[1])};
    };
    const Out mapped = Vmap(f, {a, b}, {.in_axes = {a_axis, b_axis}, .out_axes = {0, -1}});
    ASSERT_EQ(mapped.size(), 2);
    for (int64_t i = 0; i < size; ++i) {
      const Out slice = f(Out{Part(a, of_a, i), Part(b, of_b, i)});
      ExpectSameBits(Part(mapped[0], 0, i), slice[0]);
      ExpectSameBits(Part(mapped[1], 2, i), slice[1]);
    }
  }
}

TEST(Vmap, UnmappedArgumentsAreTheSameInEverySlice) {
  const Var a = Number({3, 4}), w = Number({3}, 2);
  const Out mapped = Vmap(Sample, {a, w}, {.in_axes = {-1, kNotMapped}, .out_axes = {1, kNotMapped}});
  ASSERT_EQ(mapped.size(), 2);
  for (int64_t i = 0; i < 4; ++i) ExpectSameBits(Part(mapped[0], 1, i), Sample(Out{Part(a, 1, i), w})[0]);
  ExpectSameBits(mapped[1], Exp(w));
}

TEST(Vmap, AnOutputThatIsNotBatchedIsRepeated) {
  const Out mapped = Vmap(Sample, {Number({3, 4}), Number({3}, 2)}, {.in_axes = {1, kNotMapped}, .out_axes = {0}});
  ASSERT_EQ(mapped[1].type(), (ValueType{DType::kF64, {4, 3}}));
  for (int64_t i = 0; i < 4; ++i) ExpectSameBits(Part(mapped[1], 0, i), Exp(Number({3}, 2)));
}

TEST(Vmap, OfNothingMappedTakesASize) {
  const Out mapped =
      Vmap(Sample, {Number({3}), Number({3}, 2)}, {.in_axes = {kNotMapped}, .out_axes = {1, kNotMapped}, .size = 2});
  EXPECT_EQ(mapped[0].type(), (ValueType{DType::kF64, {3, 2}}));
  ExpectSameBits(Part(mapped[0], 1, 1), Sample(Out{Number({3}), Number({3}, 2)})[0]);
  ExpectSameBits(mapped[1], Exp(Number({3}, 2)));
}

TEST(Vmap, OfEmptyAndSingleBatches) {
  for (int64_t size : {0, 1}) {
    const Out mapped = Vmap(Sample, {Number({3, size}), Number({3, size}, 2)}, {.out_axes = {0}});
    EXPECT_EQ(mapped[0].type(), (ValueType{DType::kF64, {size, 3}}));
    EXPECT_TRUE(mapped[1].ToTensor().ok());
  }
}

TEST(Vmap, ReturnsArgumentsCapturedValuesAndNumbers) {
  const Var outer = Number({2}, 1);
  const Out mapped = Vmap(
      [&](In x) -> Out {
        return {x[0], outer, FullLike(x[0], 2.0), x[1]};
      },
      {Number({3, 2}), Number({2}, 3)}, {.in_axes = {0, kNotMapped}, .out_axes = {-1}});
  ASSERT_EQ(mapped.size(), 4);
  ExpectSameBits(mapped[0], Transpose(Number({3, 2})));
  ExpectSameBits(Part(mapped[1], 1, 2), outer);
  EXPECT_EQ(mapped[2].type(), (ValueType{DType::kF64, {2, 3}}));
  ExpectSameBits(Part(mapped[3], 1, 0), Number({2}, 3));
}

TEST(Vmap, OperationsOnUnmappedValuesAreNotRepeated) {
  Graph graph;
  const Var w = graph.Input(DType::kF64, {3}), x = graph.Input(DType::kF64, {3, 5});
  const Var seen = Vmap([&](In in) -> Out { return {in[0] * Sin(Exp(w))}; }, {x})[0];
  ASSERT_TRUE(seen.ok()) << seen.status();
  int functions = 0;
  for (const Node& node : graph.context().nodes().nodes()) {
    if (node.op != &kSin && node.op != &kExp) continue;
    ++functions;
    EXPECT_EQ(graph.context().nodes().type(node.first_output).shape, Shape({3}));
  }
  EXPECT_EQ(functions, 2);
}

// Of a function that is called once for a chain of n operations, n nodes stay n nodes.
TEST(Vmap, RecordsEveryOperationOnce) {
  constexpr int kLength = 100000;
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3, 5});
  const Var y = Vmap(
      [](In in) -> Out {
        Var v = in[0];
        for (int i = 0; i < kLength; ++i) v = Sin(v);
        for (int i = 0; i < 10; ++i) Exp(v);  // leads to no output
        return {v};
      },
      {x})[0];
  ASSERT_TRUE(y.ok()) << y.status();
  EXPECT_EQ(graph.num_nodes(), kLength + 1);
}

// Element (i, j) of a matrix product as a dot product of row and column.
TEST(Vmap, NestsOverDifferentAxes) {
  const TracedFunction dot = [](In x) -> Out {
    return {DotGeneral(x[0], x[1], {.lhs_contract = {0}, .rhs_contract = {0}})};
  };
  const TracedFunction rows = Vmap(dot, {.in_axes = {0, kNotMapped}});
  const TracedFunction product = Vmap(rows, {.in_axes = {kNotMapped, 1}, .out_axes = {1}});
  const Var a = Number({3, 4}), b = Number({4, 5}, 1);
  ExpectSameBits(product(Out{a, b})[0], Matmul(a, b));
  const std::vector<Tensor> compiled = Compute(product, {Numbers({3, 4}), Numbers({4, 5}, 1)});
  ExpectSameBits(compiled[0], *Matmul(a, b).ToTensor());
  // The inner one over columns of a matrix of which the outer one takes the third axis.
  const TracedFunction inside = [](In x) -> Out {
    return Vmap([](In y) -> Out { return {Sin(y[0]) * Reverse(y[0], {0})}; }, x, {.in_axes = {0}, .out_axes = {0}});
  };
  const Var c = Number({3, 2, 4});
  const Var twice = Vmap(inside, {c}, {.in_axes = {1}, .out_axes = {1}})[0];
  for (int64_t i = 0; i < 3; ++i) {
    for (int64_t j = 0; j < 2; ++j) {
      const Var slice = Part(Part(c, 1, j), 0, i);
      ExpectSameBits(Part(Part(twice, 1, j), 0, i), Sin(slice) * Reverse(slice, {0}));
    }
  }
}

Var Loss(const Var& w, const Var& x) {
  const Var h = Tanh(DotGeneral(w, x, {.lhs_contract = {1}, .rhs_contract = {0}}));
  return ReduceSum(h * h * ReduceSum(x));
}

// The gradients of each example by itself: vmap of a function that takes a gradient.
TEST(Vmap, OfGradIsPerExampleGradients) {
  const TracedFunction per_example = [](In in) -> Out {
    return Vmap([](In x) -> Out { return {ad::Grad(Loss(x[0], x[1]), x[0])}; }, in,
                {.in_axes = {kNotMapped, 0}, .out_axes = {0}});
  };
  const Tensor w = Numbers({2, 3}), x = Numbers({4, 3}, 1);
  const Tensor all = Compute(per_example, {w, x})[0];
  ASSERT_EQ(all.shape(), Shape({4, 2, 3}));
  for (int64_t i = 0; i < 4; ++i) {
    const Tensor slice = *Part(Immediate(TestEngine(), x), 0, i).ToTensor();
    const Tensor one = Compute([](In in) -> Out { return {ad::Grad(Loss(in[0], in[1]), in[0])}; }, {w, slice})[0];
    for (int64_t j = 0; j < 2; ++j) {
      for (int64_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(*all.At<double>({i, j, k}), *one.At<double>({j, k}), 1e-15 * 4);
      }
    }
  }
}

// The gradient of the sum of all losses is the sum of the gradients.
TEST(Vmap, IsDifferentiable) {
  const TracedFunction both = [](In in) -> Out {
    const TracedFunction loss = [](In x) -> Out { return {Loss(x[0], x[1])}; };
    const TracedFunction gradient = [](In x) -> Out { return {ad::Grad(Loss(x[0], x[1]), x[0])}; };
    const VmapOptions axes{.in_axes = {kNotMapped, 0}, .out_axes = {0}};
    return {ad::Grad(ReduceSum(Vmap(loss, in, axes)[0]), in[0]), ReduceSum(Vmap(gradient, in, axes)[0], {0})};
  };
  const std::vector<Tensor> sums = Compute(both, {Numbers({2, 3}), Numbers({4, 3}, 1)});
  for (int64_t j = 0; j < 2; ++j) {
    for (int64_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(*sums[0].At<double>({j, k}), *sums[1].At<double>({j, k}), 1e-14);
    }
  }
}

TEST(Vmap, OfJvpAndHessianProducts) {
  const TracedFunction f = [](In in) -> Out {
    const Var y = ReduceSum(Sin(in[0]) * in[0] * in[0]);
    return {ad::Jvp(y, in[0], in[1]), ad::Hvp(y, in[0], in[1])};
  };
  const Tensor x = Numbers({3, 4}), v = Numbers({3, 4}, 1);
  const std::vector<Tensor> mapped = Compute(Vmap(f, {.in_axes = {1}, .out_axes = {0, 1}}), {x, v});
  for (int64_t i = 0; i < 4; ++i) {
    const Tensor xs = *Part(Immediate(TestEngine(), x), 1, i).ToTensor();
    const Tensor vs = *Part(Immediate(TestEngine(), v), 1, i).ToTensor();
    const std::vector<Tensor> one = Compute(f, {xs, vs});
    EXPECT_NEAR(*mapped[0].At<double>({i}), *one[0].Item<double>(), 1e-14);
    for (int64_t k = 0; k < 3; ++k) EXPECT_NEAR(*mapped[1].At<double>({k, i}), *one[1].At<double>({k}), 1e-14);
  }
}

// A Hessian is the map of Hessian products over unit vectors.
TEST(Vmap, MakesHessians) {
  const TracedFunction hessian = [](In in) -> Out {
    const Var x = in[0];
    const Var loss = ReduceProd(Sin(x)) + ReduceSum(x * x);
    const Var units = Convert(Eq(Iota(x, DType::kI64, {3, 3}, 0), Iota(x, DType::kI64, {3, 3}, 1)), DType::kF64);
    return Vmap([&](In v) -> Out { return {ad::Jvp(ad::Grad(loss, x), x, v[0])}; }, {units});
  };
  const Var gradient = hessian(Out{Number({3})})[0];
  EXPECT_FALSE(gradient.ok());  // numbers have no derivative
  const Tensor h = Compute(hessian, {Numbers({3})})[0];
  const double a = *Numbers({3}).At<double>({0}), b = *Numbers({3}).At<double>({1}), c = *Numbers({3}).At<double>({2});
  EXPECT_NEAR(*h.At<double>({0, 0}), 2 - std::sin(a) * std::sin(b) * std::sin(c), 1e-14);
  EXPECT_NEAR(*h.At<double>({0, 2}), std::cos(a) * std::sin(b) * std::cos(c), 1e-14);
  EXPECT_NEAR(*h.At<double>({2, 0}), *h.At<double>({0, 2}), 1e-15);
}

// A Jacobian is the map of a vjp over unit vectors, of jvps as well; the function itself is traced once, outside.
TEST(Vmap, MakesJacobians) {
  const TracedFunction jacobians = [](In in) -> Out {
    const Var x = in[0];
    const Var y = Sin(x) * ReduceProd(x);
    const Var units = Convert(Eq(Iota(x, DType::kI64, {3, 3}, 0), Iota(x, DType::kI64, {3, 3}, 1)), DType::kF64);
    return {Vmap([&](In v) -> Out { return ad::Vjp({y}, {x}, {v[0]}); }, {units}, {.out_axes = {0}})[0],
            Vmap([&](In v) -> Out { return {ad::Jvp(y, x, v[0])}; }, {units}, {.out_axes = {1}})[0]};
  };
  const std::vector<Tensor> j = Compute(jacobians, {Numbers({3})});
  const double a = *Numbers({3}).At<double>({0}), b = *Numbers({3}).At<double>({1}), c = *Numbers({3}).At<double>({2});
  for (const Tensor& jacobian : j) {
    EXPECT_NEAR(*jacobian.At<double>({0, 0}), std::cos(a) * a * b * c + std::sin(a) * b * c, 1e-14);
    EXPECT_NEAR(*jacobian.At<double>({1, 2}), std::sin(b) * a * b, 1e-14);
    EXPECT_NEAR(*jacobian.At<double>({2, 1}), std::sin(c) * a * c, 1e-14);
  }
}

TEST(Vmap, InlinesCallsAndWorksInThem) {
  const TracedFunction calls = [](In x) -> Out {
    const Var outer = x[1] * 2.0;
    return Call({x[0]}, [&](In in) -> Out {
      return Call({Sin(in[0])}, [&](In deep) -> Out { return {deep[0] * outer * in[0], outer}; });
    });
  };
  const Tensor a = Numbers({3, 4}), w = Numbers({3}, 2);
  const std::vector<Tensor> mapped =
      Compute(Vmap(calls, {.in_axes = {1, kNotMapped}, .out_axes = {1, kNotMapped}}), {a, w});
  const Var x = Number({3, 4}), scale = Number({3}, 2) * 2.0;
  for (int64_t i = 0; i < 4; ++i) {
    const Var slice = Part(x, 1, i);
    ExpectSameBits(*Part(Immediate(TestEngine(), mapped[0]), 1, i).ToTensor(),
                   *(Sin(slice) * scale * slice).ToTensor());
  }
  ExpectSameBits(mapped[1], *scale.ToTensor());

  const TracedFunction inside = [](In x) -> Out {
    return Call(x, [&](In in) -> Out { return Vmap([&](In v) -> Out { return {Sin(v[0]) + x[1]}; }, {in[0]}); });
  };
  const std::vector<Tensor> called = Compute(inside, {a, w});
  ExpectSameBits(called[0], *Transpose(Sin(Transpose(x)) + Number({3}, 2)).ToTensor());
}

TEST(Vmap, OfDecompositions) {
  const Var a = Number({4, 3, 2});
  const TracedFunction values = [](In x) -> Out { return {linalg::Svd(x[0]).s}; };
  const Var s = Vmap(values, {a}, {.in_axes = {1}, .out_axes = {0}})[0];
  for (int64_t i = 0; i < 3; ++i) ExpectSameBits(Part(s, 0, i), values(Out{Part(a, 1, i)})[0]);
  const TracedFunction split = [](In x) -> Out {
    const linalg::SplitResult parts = linalg::SplitSvd(x[0], 2);
    const Var y = ReduceSum(Sin(Matmul(parts.left, parts.right)));
    return {ad::Grad(y, x[0])};
  };
  const Tensor gradients = Compute(Vmap(split, {.in_axes = {2}, .out_axes = {2}}), {Numbers({4, 3, 2})})[0];
  for (int64_t i = 0; i < 2; ++i) {
    const Tensor one = Compute(split, {*Part(a, 2, i).ToTensor()})[0];
    for (int64_t j = 0; j < 12; ++j) {
      EXPECT_NEAR(*gradients.At<double>({j % 4, j / 4, i}), *one.At<double>({j % 4, j / 4}), 1e-13);
    }
  }
}

TEST(Vmap, TakesALoopsWorthOfReductionsInTheSameOrder) {
  const Var x = Number({9000, 3});
  const Var sums = Vmap([](In in) -> Out { return {ReduceSum(in[0] * 1e-3)}; }, {x})[0];
  for (int64_t i = 0; i < 3; ++i) ExpectSameBits(Part(sums, 0, i), ReduceSum(Part(x, 1, i) * 1e-3));
}

TEST(VmapErrors, OfArguments) {
  const TracedFunction f = [](In x) -> Out { return {x[0]}; };
  const Var a = Number({2, 3}), b = Number({4});
  const auto message = [&](absl::Span<const Var> arguments, const VmapOptions& options = {}) {
    return Message(Vmap(f, arguments, options)[0]);
  };
  constexpr int kLine = __LINE__ - 2;
  EXPECT_EQ(message({}), At(kLine, "vmap: needs at least one argument"));
  EXPECT_EQ(message({a, Var()}), At(kLine, "vmap: argument 1 is an empty Var"));
  EXPECT_EQ(message({a}, {.in_axes = {kNotMapped}}), At(kLine, "vmap: no argument is mapped and no size is given"));
  EXPECT_EQ(message({a, b}), At(kLine,
                                "vmap: the batch has different extents: axis 1 of argument 0, f64[2,3], is 3, but axis "
                                "0 of argument 1, f64[4], is 4"));
  EXPECT_EQ(message({b}, {.size = 2}),
            At(kLine, "vmap: the batch has different extents: size is 2, but axis 0 of argument 0, f64[4], is 4"));
  EXPECT_EQ(message({b}, {.size = -2}), At(kLine, "vmap: size -2 is negative"));
  EXPECT_EQ(message({a}, {.in_axes = {2}}), At(kLine, "vmap: axis 2 does not exist in argument 0, f64[2,3]"));
  EXPECT_EQ(message({a}, {.in_axes = {-3}}), At(kLine, "vmap: axis -3 does not exist in argument 0, f64[2,3]"));
  EXPECT_EQ(message({Number({})}), At(kLine, "vmap: axis -1 does not exist in argument 0, f64[]"));
  EXPECT_EQ(message({a, b, b}, {.in_axes = {0, 1}}),
            At(kLine, "vmap: 2 in_axes for 3 arguments: give one for each, or one for all"));
  const Var mistake = a + b;
  EXPECT_EQ(message({mistake}), Message(mistake));
  EXPECT_EQ(Message(Vmap(nullptr, {a})[0]), At(__LINE__, "vmap: the function is empty"));
}

TEST(VmapErrors, OfOutputs) {
  const TracedFunction f = [](In x) -> Out { return {Sin(x[0]), x[0]}; };
  const Var a = Number({2, 3});
  const Out depends = Vmap(f, {a}, {.out_axes = {kNotMapped, 0}});
  ASSERT_EQ(depends.size(), 2);
  EXPECT_EQ(Message(depends[1]),
            At(__LINE__ - 3, "vmap: output 0 depends on a mapped argument, so its axis cannot be kNotMapped"));
  const Out beyond = Vmap(f, {a}, {.out_axes = {1, 2}});
  EXPECT_EQ(Message(beyond[0]), At(__LINE__ - 1, "vmap: axis 2 does not exist in output 1, which has rank 2"));
  const Out number = Vmap(f, {a}, {.out_axes = {1, 1, 1}});
  ASSERT_EQ(number.size(), 2);
  EXPECT_EQ(Message(number[1]), At(__LINE__ - 2, "vmap: 3 out_axes for 2 outputs: give one for each, or one for all"));
  const Out none = Vmap(f, {a}, {.in_axes = {7}, .out_axes = {}});
  ASSERT_EQ(none.size(), 1);
  EXPECT_EQ(Message(none[0]), At(__LINE__ - 2, "vmap: axis 7 does not exist in argument 0, f64[2,3]"));
  const Out nothing = Vmap([](In) -> Out { return {Var()}; }, {a});
  EXPECT_EQ(Message(nothing[0]), At(__LINE__ - 1, "vmap: the function returned an empty Var"));
  const Out product = Vmap([](In x) -> Out { return {Matmul(x[0], x[0])}; }, {a});
  EXPECT_EQ(Message(product[0]), At(__LINE__ - 1, "matmul: needs matrices, got lhs f64[2] and rhs f64[2]"));
}

absl::Status InferSame(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  outputs.push_back(inputs[0]);
  return absl::OkStatus();
}

TEST(VmapErrors, OfRules) {
  static constexpr OpDef kOdd{.name = "odd", .infer = InferSame};
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2, 3});
  const TracedFunction odd = [](In in) -> Out { return {EmitOne(kOdd, {}, {in[0]}, Location::current())}; };
  constexpr int kLine = __LINE__ - 1;
  EXPECT_EQ(Message(Vmap(odd, {x})[0]), At(kLine, "odd: has no batching rule"));
  EXPECT_TRUE(Vmap([&](In in) -> Out { return {odd(Out{x})[0], in[0]}; }, {x})[0].ok());

  static constexpr OpDef kWrong{
      .name = "wrong", .infer = InferSame, .batch = [](const NodeView& node, OperandSet, Dim, absl::Span<Var> outputs) {
        outputs[0] = ReduceSum(node.inputs[0], {0});
      }};
  const Out wrong = Vmap([](In in) -> Out { return {EmitOne(kWrong, {}, {in[0]}, Location::current())}; }, {x});
  EXPECT_EQ(Message(wrong[0]), At(__LINE__ - 1, "wrong: its batching rule gives f64[3] for output 0, not f64[2,3]"));

  Graph other;
  const Var foreign = other.Input(DType::kF64, {2});
  const Out mixed = Vmap([&](In in) -> Out { return {in[0] + foreign}; }, {x});
  EXPECT_EQ(Message(mixed[0]), At(__LINE__ - 1, "add: operands belong to different graphs"));
  // Its influence through other captured values would be lost.
  const Out outside = Vmap([&](In in) -> Out { return {ad::Grad(ReduceSum(in[0] * foreign), foreign)}; },
                           {other.Input(DType::kF64, {2, 3})});
  EXPECT_EQ(Message(outside[0]), At(__LINE__ - 2, "vjp: wrt 0 belongs to another graph"));
}

}  // namespace
}  // namespace tenferro
