// Random programs of mixed dtypes, views, reductions and products: one operation at a time, the fused program, and any
// number of threads must agree in every bit.

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/engine.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/runtime/program.h"

namespace tenferro {
namespace {

class Generator {
 public:
  Generator(uint32_t seed, int64_t largest) : random_(seed), largest_(largest) {}

  int Below(int n) { return static_cast<int>(random_() % static_cast<uint32_t>(n)); }

  Tensor RandomTensor(DType dtype, const Shape& shape) {
    absl::StatusOr<Tensor> tensor = Tensor::Zeros(dtype, shape);
    EXPECT_TRUE(tensor.ok());
    Dispatch(dtype, [&]<class T>() {
      absl::StatusOr<absl::Span<T>> data = tensor->MutableData<T>();
      for (T& element : *data) {
        const int number = Below(33) - 16;
        element = static_cast<T>(IsFloatOrComplex(dtype) ? T(number) / T(8) : T(number & 7));
      }
    });
    return *tensor;
  }

  Shape RandomShape() {
    static constexpr int64_t kExtents[] = {1, 2, 3, 5, 8, 17, 0, 40, 300};
    Shape shape;
    const int rank = Below(4);
    for (int i = 0; i < rank; ++i) {
      const int64_t extent = kExtents[Below(Below(6) == 0 ? 9 : 6)];
      if (shape.size() * extent <= largest_) shape.push_back(extent);
    }
    if (Below(4) == 0 && shape.size() > 0) shape.push_back(largest_ / shape.size());
    return shape;
  }

  // One more value made of those in `values`.
  Var Step(std::vector<Var>& values) {
    const Var x = values[Below(static_cast<int>(values.size()))];
    const bool is_float = IsFloat(x.dtype());
    const int rank = x.rank();
    switch (Below(22)) {
      case 0: return x.dtype() == DType::kBool ? Not(x) : x + Same(values, x);
      case 1: return x.dtype() == DType::kBool ? And(x, Same(values, x)) : x * Same(values, x);
      case 2: return x.dtype() == DType::kBool ? x : x - Same(values, x);
      case 3: return is_float ? Sin(x) : x;
      case 4: return is_float ? Tanh(x) : IsComplex(x.dtype()) ? Conj(x) : x;
      case 5: return IsComplex(x.dtype()) ? Real(x) : Max(x, Same(values, x));
      case 6: return IsComplex(x.dtype()) ? x : Lt(x, Same(values, x));
      case 7: return Select(Ne(x, Same(values, x)), x, Same(values, x));
      case 8: return x.dtype() == DType::kF32 ? Convert(x, DType::kF64) : Cast(x, DType::kF32);
      case 9: return x.dtype() == DType::kBool ? Cast(x, DType::kI32) : x * 3;
      case 10: return is_float ? x * 0.5 + 1.0 : x;
      case 11: {
        Ints permutation;
        for (int i = 0; i < rank; ++i) permutation.push_back(i);
        for (int i = rank - 1; i > 0; --i) std::swap(permutation[i], permutation[Below(i + 1)]);
        return Transpose(x, permutation);
      }
      case 12: {
        Ints starts, limits, strides;
        for (int i = 0; i < rank; ++i) {
          const int64_t extent = x.dim(i);
          starts.push_back(extent == 0 ? 0 : Below(2) * (Below(static_cast<int>(extent))));
          limits.push_back(extent - (Below(3) == 0 && extent > starts[i] ? 1 : 0));
          strides.push_back(1 + Below(3) / 2);
        }
        return Slice(x, starts, limits, strides);
      }
      case 13: return rank == 0 ? x : Reverse(x, {Below(rank)});
      case 14: {
        if (x.shape().size() > largest_ / 3) return Reshape(x, {x.shape().size()});
        Shape shape = x.shape();
        Ints axes;
        const int place = Below(rank + 1);  // of the new axis
        Shape spread;
        for (int i = 0; i <= rank; ++i) {
          spread.push_back(i == place ? Dim(3) : shape[i < place ? i : i - 1]);
          if (i < rank) axes.push_back(i < place ? i : i + 1);
        }
        return BroadcastInDim(x, spread, axes);
      }
      case 15: {
        Shape shape;
        int64_t rest = x.shape().size();
        for (int64_t factor : {2, 3, 5}) {
          if (rest > 0 && rest % factor == 0 && Below(2) == 0) {
            shape.push_back(factor);
            rest /= factor;
          }
        }
        shape.push_back(rest);
        return Reshape(x, shape);
      }
      case 16:
      case 17: {
        if (rank == 0) return x;
        Ints axes;
        for (int i = 0; i < rank; ++i) {
          if (Below(2) == 0) axes.push_back(i);
          if (i == 0 && Below(2) == 0) break;
        }
        if (x.dtype() == DType::kBool) return ReduceMax(x, axes);
        switch (Below(IsComplex(x.dtype()) ? 2 : 4)) {
          case 0: return ReduceSum(x, axes);
          case 1: return ReduceProd(x, axes);
          case 2: return ReduceMax(x, axes);
          default: return ReduceMin(x, axes);
        }
      }
      case 18: return x.dtype() == DType::kBool ? x : ReduceSum(x);
      case 19: {
        if (rank == 0) return x;
        const Var y = Same(values, x);
        const int axis = Below(rank);
        if (x.shape().size() * x.shape().size() / std::max<int64_t>(1, x.dim(axis)) > largest_) {
          Ints all;
          for (int i = 0; i < rank; ++i) all.push_back(i);
          return DotGeneral(x, y, {all, all, {}, {}});
        }
        if (rank > 1 && Below(2) == 0) {
          const int batch = axis == 0 ? 1 : 0;
          return DotGeneral(x, y, {{axis}, {axis}, {batch}, {batch}});
        }
        return DotGeneral(x, y, {{axis}, {axis}, {}, {}});
      }
      case 20: {
        if (rank == 0 || x.shape().size() > largest_ / 4) return x;
        Ints low, high, interior;
        for (int i = 0; i < rank; ++i) {
          low.push_back(Below(3) - (x.dim(i) > 1 ? 1 : 0));
          high.push_back(Below(2));
          interior.push_back(Below(4) == 0 ? 1 : 0);
        }
        const int64_t size = x.shape().size();
        const Var filling = size == 0 ? Full(x, x.dtype(), {}, true) : Reshape(Slice(Reshape(x, {size}), {0}, {1}), {});
        return Pad(x, filling, low, high, interior);
      }
      default: {
        if (rank == 0) return Full(x, x.dtype(), {3}, true);
        if (x.shape().size() > largest_ / 2) return Iota(x, DType::kI32, x.shape(), Below(rank));
        const Var y = Same(values, x);
        return Concatenate({x, y, x}, Below(rank));
      }
    }
  }

 private:
  // Another value of x's type, or x.
  Var Same(std::vector<Var>& values, const Var& x) {
    std::vector<Var> fitting;
    for (const Var& value : values) {
      if (value.dtype() == x.dtype() && value.shape() == x.shape()) fitting.push_back(value);
    }
    return fitting[Below(static_cast<int>(fitting.size()))];
  }

  std::mt19937 random_;
  int64_t largest_;
};

std::string Bytes(const Tensor& tensor) {
  absl::StatusOr<Tensor> dense = tensor.Dense();
  EXPECT_TRUE(dense.ok()) << dense.status();
  absl::StatusOr<const void*> data = dense->HostData();
  return std::string(static_cast<const char*>(*data), dense->size() * SizeOf(dense->dtype()));
}

// The same bits, but that any NaN equals any other.
void ExpectSame(const Tensor& got, const Tensor& want, const std::string& what) {
  ASSERT_EQ(got.dtype(), want.dtype()) << what;
  ASSERT_EQ(got.shape(), want.shape()) << what;
  if (Bytes(got) == Bytes(want)) return;
  absl::StatusOr<Tensor> a = got.Dense(), b = want.Dense();
  Dispatch(got.dtype(), [&]<class T>() {
    const absl::Span<const T> x = *a->Data<T>(), y = *b->Data<T>();
    for (size_t i = 0; i < x.size(); ++i) {
      if (std::memcmp(&x[i], &y[i], sizeof(T)) == 0) continue;
      if constexpr (std::is_floating_point_v<T>) {
        if (x[i] != x[i] && y[i] != y[i]) continue;
      }
      if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
        auto same = [](auto p, auto q) { return std::memcmp(&p, &q, sizeof p) == 0 || (p != p && q != q); };
        if (same(x[i].real(), y[i].real()) && same(x[i].imag(), y[i].imag())) continue;
      }
      ADD_FAILURE() << what << ": element " << i << " of " << x.size() << ": " << x[i] << " and " << y[i];
      return;
    }
  });
}

Tensor Copy(const Tensor& tensor) {
  absl::StatusOr<Tensor> copy = Tensor::Zeros(tensor.dtype(), tensor.shape());
  EXPECT_TRUE(copy.ok()) << copy.status();
  const std::string bytes = Bytes(tensor);
  std::memcpy(copy->storage()->data(), bytes.data(), bytes.size());
  return *std::move(copy);
}

struct Case {
  std::vector<Tensor> arguments;
  Program program;
};

// Values of a random graph, all of them outputs or only the last few.
absl::StatusOr<Case> RandomCase(uint32_t seed, int64_t largest, int steps) {
  Generator generator(seed, largest);
  static constexpr DType kDTypes[] = {DType::kF64, DType::kF64, DType::kF32, DType::kC128, DType::kI32, DType::kBool};
  Graph graph;
  std::vector<Var> inputs;
  std::vector<Tensor> arguments;
  const Shape shape = generator.RandomShape();
  for (int i = 0; i < 4; ++i) {
    const DType dtype = kDTypes[generator.Below(6)];
    const Shape own = generator.Below(3) == 0 ? generator.RandomShape() : shape;
    inputs.push_back(graph.Input(dtype, own));
    arguments.push_back(generator.RandomTensor(dtype, own));
  }
  std::vector<Var> values = inputs;
  values.push_back(graph.Constant(generator.RandomTensor(DType::kF64, shape)));
  for (int i = 0; i < steps; ++i) {
    const Var next = generator.Step(values);
    if (!next.ok()) return next.status();
    values.push_back(next);
  }
  std::vector<Var> outputs;
  for (const Var& value : values) {
    if (generator.Below(5) == 0) outputs.push_back(value);
  }
  outputs.push_back(values.back());
  absl::StatusOr<Program> program = Compile(outputs, inputs);
  if (!program.ok()) return program.status();
  return Case{std::move(arguments), *std::move(program)};
}

// Every node by itself.
absl::StatusOr<std::vector<Tensor>> Interpret(const Engine& engine, const Case& c) {
  const NodeTable& nodes = c.program.nodes();
  std::vector<Tensor> values(nodes.num_values());
  for (size_t i = 0; i < c.arguments.size(); ++i) values[c.program.inputs()[i]] = c.arguments[i];
  for (const Node& node : nodes.nodes()) {
    if (node.op == &kInput) continue;
    if (node.op == &kConstant) {
      values[node.first_output] = c.program.constant(nodes.attributes(node)[0]);
      continue;
    }
    std::vector<Tensor> operands;
    for (ValueId input : nodes.inputs(node)) operands.push_back(values[input]);
    absl::StatusOr<std::vector<Tensor>> results = engine.backend().RunOp(*node.op, nodes.attributes(node), operands);
    if (!results.ok()) return results.status();
    for (size_t i = 0; i < results->size(); ++i) values[node.first_output + i] = (*results)[i];
  }
  std::vector<Tensor> outputs;
  for (ValueId output : c.program.outputs()) outputs.push_back(values[output]);
  return outputs;
}

void Check(uint32_t seed, int64_t largest, int steps, const std::vector<CpuEngine>& engines) {
  SCOPED_TRACE(testing::Message() << "seed " << seed << " largest " << largest);
  const absl::StatusOr<Case> c = RandomCase(seed, largest, steps);
  ASSERT_TRUE(c.ok()) << c.status();
  const absl::StatusOr<std::vector<Tensor>> want = Interpret(engines[0], *c);
  ASSERT_TRUE(want.ok()) << want.status() << "\n" << c->program.ToString();
  for (const CpuEngine& engine : engines) {
    absl::StatusOr<Prepared> prepared = engine.Prepare(c->program);
    ASSERT_TRUE(prepared.ok()) << prepared.status();
    const std::string what =
        testing::PrintToString(engine.width()) + " threads\n" + c->program.ToString() + prepared->Explain();
    absl::StatusOr<std::vector<Tensor>> got = prepared->Run(c->arguments);
    ASSERT_TRUE(got.ok()) << got.status();
    for (size_t i = 0; i < want->size(); ++i) ExpectSame((*got)[i], (*want)[i], what);
    // Once more, over the results of the first run.
    const absl::Status again = prepared->RunInto(c->arguments, absl::MakeSpan(*got));
    ASSERT_TRUE(again.ok()) << again;
    for (size_t i = 0; i < want->size(); ++i) ExpectSame((*got)[i], (*want)[i], "again, " + what);
    // And with arguments that may be overwritten.
    Arguments donated;
    for (const Tensor& argument : c->arguments) donated.Add(Copy(argument));
    got = prepared->Run(donated);
    ASSERT_TRUE(got.ok()) << got.status();
    for (size_t i = 0; i < want->size(); ++i) ExpectSame((*got)[i], (*want)[i], "donated, " + what);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(RandomProgramTest, SmallTensors) {
  const std::vector<CpuEngine> engines = {CpuEngine::Serial(), CpuEngine::WithThreads(2)};
  for (uint32_t seed = 0; seed < 600 && !HasFailure(); ++seed) Check(seed, 200, 25, engines);
}

TEST(RandomProgramTest, TensorsOfManyTiles) {
  const std::vector<CpuEngine> engines = {CpuEngine::Serial(), CpuEngine::WithThreads(2), CpuEngine::WithThreads(4)};
  for (uint32_t seed = 1000; seed < 1060 && !HasFailure(); ++seed) Check(seed, 20000, 20, engines);
}

TEST(RandomProgramTest, TensorsWorthThreads) {
  const std::vector<CpuEngine> engines = {CpuEngine::Serial(), CpuEngine::WithThreads(2), CpuEngine::WithThreads(3),
                                          CpuEngine::WithThreads(8)};
  for (uint32_t seed = 2000; seed < 2012 && !HasFailure(); ++seed) Check(seed, 600000, 12, engines);
}

}  // namespace
}  // namespace tenferro
