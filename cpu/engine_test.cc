#include <malloc.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/cpu/kernels/isa.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/slots.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

Tensor F64(const Shape& shape, const std::vector<double>& data) {
  absl::StatusOr<Tensor> tensor = Tensor::FromColMajor<double>(shape, data);
  EXPECT_TRUE(tensor.ok()) << tensor.status();
  return *tensor;
}

Tensor Ramp(int64_t n) {
  std::vector<double> data(n);
  for (int64_t i = 0; i < n; ++i) data[i] = 0.001 * static_cast<double>(i) - 0.5;
  return F64({n}, data);
}

std::vector<double> Numbers(const Tensor& tensor) {
  absl::StatusOr<absl::Span<const double>> data = tensor.Data<double>();
  EXPECT_TRUE(data.ok()) << data.status();
  return {data->begin(), data->end()};
}

absl::StatusOr<Prepared> Prepare(const CpuEngine& engine, absl::Span<const Var> outputs, absl::Span<const Var> inputs) {
  absl::StatusOr<Program> program = Compile(outputs, inputs);
  if (!program.ok()) return program.status();
  return engine.Prepare(*program);
}

std::vector<Tensor> RunOnce(const CpuEngine& engine, absl::Span<const Var> outputs, absl::Span<const Var> inputs,
                            const Arguments& arguments) {
  absl::StatusOr<Prepared> prepared = Prepare(engine, outputs, inputs);
  EXPECT_TRUE(prepared.ok()) << prepared.status();
  if (!prepared.ok()) return {};
  absl::StatusOr<std::vector<Tensor>> results = prepared->Run(arguments);
  EXPECT_TRUE(results.ok()) << results.status();
  return results.ok() ? *results : std::vector<Tensor>();
}

TEST(CpuEngineTest, RunsAProgram) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const std::vector<Tensor> out = RunOnce(CpuEngine::Serial(), {ReduceSum(x * x), x + 1.0}, {x}, {F64({3}, {1, 2, 3})});
  EXPECT_EQ(*out[0].Item<double>(), 14);
  EXPECT_EQ(Numbers(out[1]), (std::vector<double>{2, 3, 4}));
}

TEST(CpuEngineTest, ArgumentsAreChecked) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const Prepared prepared = *Prepare(CpuEngine::Serial(), {x + x}, {x});
  EXPECT_EQ(prepared.Run({}).status().message(), "run: the program has 1 inputs, got 0 arguments");
  EXPECT_EQ(prepared.Run({*Tensor::Zeros(DType::kF32, {3})}).status().message(),
            "run: argument 0: expected f64[3], got f32[3]");
  EXPECT_EQ(prepared.Run({*Tensor::Zeros(DType::kF64, {4})}).status().message(),
            "run: argument 0: expected f64[3], got f64[4]");
  const auto elsewhere = Storage::Adopt(nullptr, 24, Device{"gpu", 1}, nullptr, nullptr);
  const Tensor remote = *Tensor::FromStorage(elsewhere, DType::kF64, {3}, Ints{1});
  EXPECT_EQ(prepared.Run({remote}).status().message(), "run: argument 0: lives on gpu:1, not on the host");
}

TEST(CpuEngineTest, ViewsAreMadeDense) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2, 3});
  const Tensor view = *F64({3, 2}, {1, 2, 3, 4, 5, 6}).Transpose({1, 0});
  const std::vector<Tensor> out = RunOnce(CpuEngine::Serial(), {x * 1.0}, {x}, {view});
  EXPECT_EQ(Numbers(out[0]), (std::vector<double>{1, 4, 2, 5, 3, 6}));
}

TEST(CpuEngineTest, OutputsMayBeInputsConstantsAndOneAnother) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {2, 2});
  const Var y = x + 1.0;
  const std::vector<Tensor> out =
      RunOnce(CpuEngine::Serial(), {x, y, y, Transpose(y), OnesLike(x)}, {x}, {F64({2, 2}, {1, 2, 3, 4})});
  EXPECT_EQ(Numbers(out[0]), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(Numbers(out[1]), (std::vector<double>{2, 3, 4, 5}));
  EXPECT_EQ(Numbers(out[2]), (std::vector<double>{2, 3, 4, 5}));
  EXPECT_EQ(Numbers(out[3]), (std::vector<double>{2, 4, 3, 5}));
  EXPECT_EQ(Numbers(out[4]), (std::vector<double>{1, 1, 1, 1}));
  EXPECT_NE(out[1].storage(), out[2].storage());
}

TEST(CpuEngineTest, RunIntoReusesOutputs) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {4});
  const Prepared prepared = *Prepare(CpuEngine::Serial(), {x * 2.0}, {x});
  const Tensor argument = F64({4}, {1, 2, 3, 4});
  std::vector<Tensor> out(1);
  ASSERT_TRUE(prepared.RunInto({argument}, absl::MakeSpan(out)).ok());
  const void* const place = out[0].storage()->data();
  ASSERT_TRUE(prepared.RunInto({argument}, absl::MakeSpan(out)).ok());
  EXPECT_EQ(out[0].storage()->data(), place);
  const Tensor shared = out[0];
  ASSERT_TRUE(prepared.RunInto({F64({4}, {0, 0, 0, 0})}, absl::MakeSpan(out)).ok());
  EXPECT_NE(out[0].storage(), shared.storage());
  EXPECT_EQ(Numbers(shared), (std::vector<double>{2, 4, 6, 8}));
}

TEST(CpuEngineTest, OutputThatIsAlsoAnArgument) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {4});
  // The first may be updated in place; the second reads x again after the output was begun.
  for (const Var& y : {x * x + x, ReduceSum(x) + Reverse(x, {0})}) {
    const Prepared prepared = *Prepare(CpuEngine::Serial(), {y}, {x});
    const std::vector<Tensor> want = *prepared.Run({F64({4}, {1, 2, 3, 4})});
    std::vector<Tensor> state = {F64({4}, {1, 2, 3, 4})};
    ASSERT_TRUE(prepared.RunInto({state[0]}, absl::MakeSpan(state)).ok());
    EXPECT_EQ(Numbers(state[0]), Numbers(want[0]));
  }
}

TEST(CpuEngineTest, AnArgumentThatIsReplacedAsAnOutputLivesThroughTheRun) {
  // Large enough for the allocator to give the memory back at once.
  const int64_t n = int64_t{1} << 20;
  Graph graph;
  const Var x = graph.Input(DType::kF64, {n});
  for (const Var& y : {ReduceSum(x), Reverse(x, {0}) * 2.0 + x}) {
    const Prepared prepared = *Prepare(CpuEngine::Serial(), {y}, {x});
    const std::vector<Tensor> want = *prepared.Run({Ramp(n)});
    std::vector<Tensor> state = {Ramp(n)};
    ASSERT_TRUE(prepared.RunInto({state[0]}, absl::MakeSpan(state)).ok());
    EXPECT_EQ(Numbers(state[0]), Numbers(want[0]));
  }
}

TEST(CpuEngineTest, ATensorThatWasMovedFromIsAnError) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {});
  const Var y = graph.Input(DType::kF64, {});
  const Prepared prepared = *Prepare(CpuEngine::Serial(), {x + y}, {x, y});
  Tensor tensor = Tensor::Scalar(2.0);
  EXPECT_EQ(prepared.Run({tensor, std::move(tensor)}).status().message(),
            "run: argument 0: lives on moved-from:0, not on the host");
  EXPECT_EQ(Immediate(CpuEngine::Serial(), tensor).status().message(),  // NOLINT: used after it was moved
            "the tensor was moved from: it has no bytes");
}

TEST(CpuEngineTest, IntermediatesBeyondAnyMemoryAreAnError) {
  // Eight of 2^61 bytes each: their sum is 0 in 64 bits.
  Graph graph;
  const Var x = graph.Input(DType::kC128, {});
  const Var wide = BroadcastTo(x, {int64_t{1} << 57});
  std::vector<Var> outputs;
  for (int64_t low = 1; low <= 8; ++low) outputs.push_back(Slice(Pad(wide, x, {low}, {0}), {0}, {2}));
  const Prepared prepared = *Prepare(CpuEngine::Serial(), outputs, {x});
  EXPECT_EQ(prepared.Run({*Tensor::Zeros(DType::kC128, {})}).status().code(), absl::StatusCode::kResourceExhausted);
}

TEST(CpuEngineTest, DonatedBytesBecomeTheOutput) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {1000});
  const Var y = graph.Input(DType::kF64, {1000});
  const Prepared prepared = *Prepare(CpuEngine::Serial(), {x * y + x}, {x, y});
  const Tensor b = Ramp(1000);
  const std::vector<Tensor> want = *prepared.Run({Ramp(1000), b});
  Tensor a = Ramp(1000);
  const void* const place = a.storage()->data();
  const std::vector<Tensor> got = *prepared.Run({std::move(a), b});
  EXPECT_EQ(got[0].storage()->data(), place);
  EXPECT_EQ(Numbers(got[0]), Numbers(want[0]));
}

TEST(CpuEngineTest, DonatedBytesThatOthersUseAreKept) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {4});
  const Prepared prepared = *Prepare(CpuEngine::Serial(), {x + x}, {x});
  const Tensor kept = F64({4}, {1, 2, 3, 4});
  Tensor donated = kept;
  const std::vector<Tensor> out = *prepared.Run({std::move(donated)});
  EXPECT_EQ(Numbers(kept), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(Numbers(out[0]), (std::vector<double>{2, 4, 6, 8}));
}

TEST(CpuEngineTest, DonatedBytesAreNotOverwrittenTooEarly) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {1000});
  // Both outputs have x's size, but the first is ready before x is read for the last time.
  const Var y = Reverse(x, {0}) * 2.0;
  const Var z = y + Transpose(Reshape(x, {10, 100})).shape().size() * 0.0 + x * ReduceSum(y);
  const Prepared prepared = *Prepare(CpuEngine::Serial(), {y, z}, {x});
  const std::vector<Tensor> want = *prepared.Run({Ramp(1000)});
  const std::vector<Tensor> got = *prepared.Run({Ramp(1000)});
  Tensor donated = Ramp(1000);
  const std::vector<Tensor> with = *prepared.Run({std::move(donated)});
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Numbers(got[i]), Numbers(want[i]));
    EXPECT_EQ(Numbers(with[i]), Numbers(want[i]));
  }
}

TEST(CpuEngineTest, EmptyTensors) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {0, 3});
  const std::vector<Var> outputs = {Sin(x),
                                    ReduceSum(x),
                                    ReduceSum(x, {0}),
                                    ReduceMax(x, {0}),
                                    ReduceProd(x, {1}),
                                    Matmul(Transpose(x), x),
                                    Concatenate({x, x}, 0),
                                    Pad(x, 1.0, {1, 0}, {1, 0}),
                                    Slice(x, {0, 1}, {0, 3}),
                                    Reverse(x, {0})};
  const std::vector<Tensor> out =
      RunOnce(CpuEngine::WithThreads(2), outputs, {x}, {*Tensor::Zeros(DType::kF64, {0, 3})});
  EXPECT_EQ(out[0].size(), 0);
  EXPECT_EQ(*out[1].Item<double>(), 0);
  EXPECT_EQ(Numbers(out[2]), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(Numbers(out[3]), std::vector<double>(3, -INFINITY));
  EXPECT_EQ(out[4].size(), 0);
  EXPECT_EQ(Numbers(out[5]), std::vector<double>(9, 0));
  EXPECT_EQ(out[6].size(), 0);
  EXPECT_EQ(Numbers(out[7]), std::vector<double>(6, 1));
  EXPECT_EQ(out[8].shape(), Shape({0, 2}));
  EXPECT_EQ(out[9].size(), 0);
}

TEST(CpuEngineTest, RankZeroAndRankEight) {
  Graph graph;
  const Var s = graph.Input(DType::kF64, {});
  const Var x = graph.Input(DType::kF64, {2, 1, 2, 2, 1, 2, 2, 2});
  std::vector<double> data(64);
  for (int i = 0; i < 64; ++i) data[i] = i;
  const Var turned = Transpose(x);
  const std::vector<Tensor> out = RunOnce(CpuEngine::Serial(), {s * 2.0, turned * s, ReduceSum(x, {0, 3, 5, 7})},
                                          {s, x}, {Tensor::Scalar(3.0), F64({2, 1, 2, 2, 1, 2, 2, 2}, data)});
  EXPECT_EQ(*out[0].Item<double>(), 6);
  std::vector<double> want(64);
  for (int i = 0; i < 64; ++i) {
    int reversed = 0;
    for (int bit = 0; bit < 6; ++bit) reversed |= (i >> bit & 1) << (5 - bit);
    want[reversed] = 3.0 * i;
  }
  EXPECT_EQ(Numbers(out[1]), want);
  std::vector<double> sums(4, 0);
  for (int i = 0; i < 64; ++i) sums[(i >> 1 & 1) | (i >> 4 & 1) << 1] += i;
  // Axes in order: bit 0 summed, bit 1 kept, bit 2 summed, bit 3 summed, bit 4 kept, bit 5 summed.
  EXPECT_EQ(Numbers(out[2]), sums);
}

// A sum over axes that lie anywhere in memory has the bits that it has of a copy.
TEST(CpuEngineTest, SumsOfViewsAreSumsOfCopies) {
  const Shape shape = {37, 37, 70, 3};
  std::vector<double> data(shape.size());
  for (size_t i = 0; i < data.size(); ++i) data[i] = 100 * std::sin(static_cast<double>(i));
  for (const DType dtype : {DType::kF32, DType::kF64, DType::kC128, DType::kI32}) {
    Graph graph;
    const Var real = graph.Input(DType::kF64, shape);
    const Tensor x = RunOnce(CpuEngine::Serial(), {Cast(real, dtype)}, {real}, {F64(shape, data)})[0];
    const Var input = graph.Input(dtype, shape);
    for (const Ints& order : {Ints{0, 1, 2}, Ints{2, 0, 1}, Ints{1, 2, 0}, Ints{2, 1, 0}}) {
      const Var view = Transpose(ExtractDiag(input), order);
      const Tensor copy = RunOnce(CpuEngine::Serial(), {view}, {input}, {x})[0];
      const Var copied = graph.Input(dtype, copy.shape());
      for (const Ints& axes : {Ints{0}, Ints{1}, Ints{2}, Ints{0, 2}}) {
        const Tensor got = RunOnce(CpuEngine::WithThreads(2), {ReduceSum(view, axes)}, {input}, {x})[0];
        const Tensor want = RunOnce(CpuEngine::Serial(), {ReduceSum(copied, axes)}, {copied}, {copy})[0];
        EXPECT_EQ(std::memcmp(*got.HostData(), *want.HostData(), got.size() * SizeOf(dtype)), 0)
            << Name(dtype) << " " << order[0] << order[1] << order[2] << " " << axes[0];
      }
    }
  }
}

TEST(CpuEngineTest, ConstantsAreFoldedAtPrepare) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const Var c = graph.Constant(F64({3}, {1, 2, 3}));
  const Var folded = Exp(c) * Iota(x, DType::kF64, {3}, 0) + ReduceSum(c * OnesLike(c));
  const Prepared prepared = *Prepare(CpuEngine::Serial(), {x + folded}, {x});
  EXPECT_EQ(prepared.Explain().find("exp"), std::string::npos) << prepared.Explain();
  EXPECT_EQ(prepared.Explain().find("reduce"), std::string::npos) << prepared.Explain();
  const std::vector<Tensor> out = *prepared.Run({F64({3}, {0, 0, 0})});
  EXPECT_EQ(Numbers(out[0])[0], 6);
  EXPECT_NEAR(Numbers(out[0])[2], 2 * std::exp(3.0) + 6, 1e-14 * 50);
}

// A family of its own whose kernels nobody brings.
constinit FamilySlots lonely_slots{.family = "lonely", .cpu_target = "//lonely:cpu", .derivative_target = nullptr};
absl::Status InferSame(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  outputs.push_back(inputs[0]);
  return absl::OkStatus();
}
constexpr OpDef kLonely{.name = "lonely.op", .infer = InferSame, .slots = &lonely_slots};

TEST(CpuEngineTest, MissingKernelsSayWhatToAdd) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const Var y = EmitOne(kLonely, {}, {x}, Location::current());
  const absl::Status status = Prepare(CpuEngine::Serial(), {y}, {x}).status();
  EXPECT_NE(status.message().find("engine_test.cc:"), std::string::npos) << status;
  EXPECT_NE(status.message().find("lonely.op: has no CPU kernel here: add \"//lonely:cpu\" to deps"), std::string::npos)
      << status;
  const Tensor argument = F64({3}, {1, 2, 3});
  EXPECT_EQ(CpuEngine::Serial().backend().RunOp(kLonely, {}, {argument}).status().message(),
            "has no CPU kernel here: add \"//lonely:cpu\" to deps");
}

class RefusingKernel final : public Kernel {
 public:
  absl::Status Run(const KernelArguments&) const override { return absl::InvalidArgumentError("has a NaN"); }
};
template <class K>
absl::StatusOr<std::unique_ptr<Kernel>> Make(const KernelRequest&) {
  return std::make_unique<K>();
}
constexpr CpuFamily kRefusing{.make = Make<RefusingKernel>};
constinit FamilySlots refusing_slots{
    .family = "refusing", .cpu_target = "", .derivative_target = nullptr, .cpu = &kRefusing};
constexpr OpDef kRefuse{.name = "refuse", .infer = InferSame, .slots = &refusing_slots};

TEST(CpuEngineTest, AKernelsErrorHasTheUsersLine) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const Prepared prepared = *Prepare(CpuEngine::Serial(), {EmitOne(kRefuse, {}, {x}, Location::current())}, {x});
  for (int i = 0; i < 2; ++i) {
    const absl::Status status = prepared.Run({F64({3}, {1, 2, 3})}).status();
    EXPECT_EQ(std::string(status.message()).substr(0, 15), "engine_test.cc:") << status;
    EXPECT_NE(status.message().find(": refuse: has a NaN"), std::string::npos) << status;
  }
}

TEST(CpuEngineTest, AFamilyFilledTwiceIsReported) {
  static constinit FamilySlots slots{.family = "twice", .cpu_target = "", .derivative_target = nullptr};
  static constexpr CpuFamily kOther{};
  static constexpr OpDef kTwice{.name = "twice", .infer = InferSame, .slots = &slots};
  FillSlot(slots, &FamilySlots::cpu, &kRefusing);
  FillSlot(slots, &FamilySlots::cpu, &kOther);
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  EXPECT_EQ(Prepare(CpuEngine::Serial(), {EmitOne(kTwice, {}, {x}, Location::current())}, {x}).status().message(),
            "two targets bring kernels or rules of the family twice: link only one");
}

class FillingKernel final : public Kernel {
 public:
  explicit FillingKernel(double value) : value_(value) {}
  absl::Status Run(const KernelArguments& arguments) const override {
    *static_cast<double*>(arguments.outputs[0]) = value_;
    return absl::OkStatus();
  }

 private:
  double value_;
};

TEST(CpuEngineTest, AFamilyAskedFirstServesWhatItHas) {
  static constexpr CpuFamily kOwn{.make = [](const KernelRequest&) -> absl::StatusOr<std::unique_ptr<Kernel>> {
    return std::make_unique<FillingKernel>(1);
  }};
  // Vectors alone.
  static constexpr CpuFamily kFirst{.make = [](const KernelRequest& x) -> absl::StatusOr<std::unique_ptr<Kernel>> {
    if (x.inputs[0].shape.rank() != 1) return nullptr;
    return std::make_unique<FillingKernel>(2);
  }};
  static constinit FamilySlots slots{.family = "two", .cpu_target = "//two:cpu", .derivative_target = nullptr};
  static constexpr OpDef kOne{.name = "one", .infer = InferSame, .slots = &slots};
  FillSlot(slots, &FamilySlots::cpu_first, &kFirst);
  const auto run = [](const Shape& shape) -> absl::StatusOr<double> {
    Graph graph;
    const Var x = graph.Input(DType::kF64, shape);
    absl::StatusOr<Prepared> prepared =
        Prepare(CpuEngine::Serial(), {EmitOne(kOne, {}, {x}, Location::current())}, {x});
    if (!prepared.ok()) return prepared.status();
    return Numbers((*prepared->Run({F64(shape, {0})}))[0])[0];
  };
  EXPECT_EQ(*run({1}), 2);
  const absl::Status missing = run({1, 1}).status();
  EXPECT_NE(missing.message().find("one: has no CPU kernel here: add \"//two:cpu\" to deps"), std::string::npos)
      << missing;
  FillSlot(slots, &FamilySlots::cpu, &kOwn);
  EXPECT_FALSE(slots.filled_twice);
  EXPECT_EQ(*run({1}), 2);
  EXPECT_EQ(*run({1, 1}), 1);
}

// Keeps to one thread until another one runs the same beside it.
class WaitingKernel final : public Kernel {
 public:
  double one_thread_nanoseconds() const override { return 1e9; }
  int64_t workspace_bytes() const override { return 64; }
  absl::Status Run(const KernelArguments& arguments) const override {
    static std::atomic<int> arrived = 0;
    ++arrived;
    const auto start = std::chrono::steady_clock::now();
    while (arrived % 2 != 0) {
      if (std::chrono::steady_clock::now() - start > std::chrono::seconds(20)) return absl::AbortedError("was alone");
      std::this_thread::yield();
    }
    *static_cast<double*>(arguments.workspace) = *static_cast<const double*>(arguments.inputs[0]);
    *static_cast<double*>(arguments.outputs[0]) = 2 * *static_cast<double*>(arguments.workspace);
    return absl::OkStatus();
  }
};
constexpr CpuFamily kWaiting{.make = Make<WaitingKernel>};
constinit FamilySlots waiting_slots{
    .family = "waiting", .cpu_target = "", .derivative_target = nullptr, .cpu = &kWaiting};
constexpr OpDef kWait{.name = "wait", .infer = InferSame, .slots = &waiting_slots};

TEST(CpuEngineTest, LongKernelsOfOneThreadRunSideBySide) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {1});
  const Var y = Sin(x);
  const Var a = EmitOne(kWait, {}, {y}, Location::current());
  // Not ready when the first is.
  const Var b = EmitOne(kWait, {}, {Reverse(y * ReduceSum(x), {0})}, Location::current());
  const Prepared prepared = *Prepare(CpuEngine::WithThreads(2), {a + b}, {x});
  EXPECT_NE(prepared.Explain().find("side by side\n    %2 = wait %1\n    %"), std::string::npos) << prepared.Explain();
  const absl::StatusOr<std::vector<Tensor>> out = prepared.Run({F64({1}, {2})});
  ASSERT_TRUE(out.ok()) << out.status();
  EXPECT_EQ(Numbers((*out)[0])[0], 2 * std::sin(2.0) + 2 * (std::sin(2.0) * 2));
}

TEST(CpuEngineTest, SeveralRunsAtOnce) {
  Graph graph;
  const Var x = graph.Input(DType::kF64, {50000});
  const Var y = Sin(x) * ReduceSum(x * x) + Reverse(Cos(x), {0});
  const Prepared prepared = *Prepare(CpuEngine::WithThreads(2), {y, ReduceSum(y)}, {x});
  const Tensor argument = Ramp(50000);
  const std::vector<Tensor> want = *prepared.Run({argument});
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        const absl::StatusOr<std::vector<Tensor>> got = prepared.Run({argument});
        wrong[t] += !got.ok() || std::memcmp((*got)[0].storage()->data(), want[0].storage()->data(), 50000 * 8) != 0 ||
                    *(*got)[1].Item<double>() != *want[1].Item<double>();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST(CpuEngineTest, AnInstructionSetCanBeForced) {
  const CpuEngine low = CpuEngine::WithThreads(1, BestIsa() == Isa::kNeon ? Isa::kNeon : Isa::kV2);
  EXPECT_EQ(low.isa(), BestIsa() == Isa::kNeon ? Isa::kNeon : Isa::kV2);
  EXPECT_EQ(CpuEngine::Serial().isa(), BestIsa());
  Graph graph;
  const Var x = graph.Input(DType::kF64, {1000});
  const double a = *RunOnce(low, {ReduceSum(Exp(x))}, {x}, {Ramp(1000)})[0].Item<double>();
  const double b = *RunOnce(CpuEngine::Serial(), {ReduceSum(Exp(x))}, {x}, {Ramp(1000)})[0].Item<double>();
  EXPECT_NEAR(a, b, 1e-13 * b);
}

TEST(ImmediateTest, RunsAtOnce) {
  const CpuEngine engine = CpuEngine::Serial();
  const Var x = Immediate(engine, F64({2, 2}, {1, 2, 3, 4}));
  EXPECT_EQ(Numbers(*(Transpose(x) * 10.0 + x).ToTensor()), (std::vector<double>{11, 32, 23, 44}));
  EXPECT_EQ(Numbers(*Matmul(x, Transpose(x)).ToTensor()), (std::vector<double>{10, 14, 14, 20}));
  EXPECT_EQ(Numbers(*Transpose(x).ToTensor()), (std::vector<double>{1, 3, 2, 4}));
  EXPECT_EQ(*ReduceSum(x).ToTensor()->Item<double>(), 10);
}

TEST(ImmediateTest, KeepsABoundedNumberOfPreparedOperations) {
  const CpuEngine engine = CpuEngine::Serial();
  const int64_t limit = engine.cache_statistics().limit;
  const Tensor x = Ramp(2 * limit);
  for (int64_t n = 1; n <= 2 * limit; ++n) {
    const Tensor part = *x.Slice({0}, {n}, {1});
    ASSERT_TRUE(engine.backend().RunOp(kReduceSum, Encode(ReduceAttributes{{0}}), {part}).ok());
  }
  EXPECT_EQ(engine.cache_statistics().entries, limit);
  EXPECT_EQ(engine.cache_statistics().evictions, limit);
  EXPECT_EQ(engine.cache_statistics().misses, 2 * limit);
  ASSERT_TRUE(engine.backend().RunOp(kReduceSum, Encode(ReduceAttributes{{0}}), {x}).ok());
  EXPECT_EQ(engine.cache_statistics().hits, 1);
}

TEST(ImmediateTest, ManyOperationsLeaveNothingBehind) {
  const CpuEngine engine = CpuEngine::Serial();
  Var x = Immediate(engine, Tensor::Scalar(0.5));
  const Var y = x;
  const auto run = [&] {
    for (int i = 0; i < 100000; ++i) x = x * y + y;
  };
  run();
  const size_t before = mallinfo2().uordblks;
  run();
  EXPECT_LT(mallinfo2().uordblks, before + 1000);
  EXPECT_EQ(*x.ToTensor()->Item<double>(), 1.0);
  EXPECT_EQ(engine.cache_statistics().entries, 0);
}

TEST(Engine, ProductsOfAnEmptyBatch) {
  const Var x = Immediate(CpuEngine::Serial(), *Tensor::Zeros(DType::kF64, {64, 64, 0}));
  EXPECT_EQ(Matmul(x, x).ToTensor()->shape(), (Shape{64, 64, 0}));
}

// Even and odd indices apart, but for the second matrix of the batch, which has no zeros: each product of a batch has
// the bits that it has alone, at every width.
TEST(Engine, ProductsOfABatchWithZeroBlocks) {
  constexpr int64_t kSize = 64, kBatch = 3;
  std::vector<double> numbers;
  for (int64_t i = 0; i < kSize * kSize * kBatch; ++i) {
    const int64_t row = i % kSize, column = i / kSize % kSize, batch = i / kSize / kSize;
    numbers.push_back((row + column) % 2 == 0 || batch == 1 ? std::sin(static_cast<double>(i)) : 0);
  }
  const Tensor all = *Tensor::FromColMajor<double>({kSize, kSize, kBatch}, numbers);
  for (int width : {1, 2, 3}) {
    const CpuEngine engine = CpuEngine::WithThreads(width);
    const Var x = Immediate(engine, all);
    const Tensor product = *Matmul(x, Transpose(x, {1, 0, 2})).ToTensor();
    for (int64_t batch = 0; batch < kBatch; ++batch) {
      const Var one = Reshape(Slice(x, {0, 0, batch}, {kSize, kSize, batch + 1}), {kSize, kSize});
      const Tensor alone = *Matmul(one, Transpose(one)).ToTensor();
      for (int64_t j = 0; j < kSize; ++j) {
        for (int64_t i = 0; i < kSize; ++i) {
          ASSERT_EQ((*product.At<double>({i, j, batch})), (*alone.At<double>({i, j}))) << i << " " << j << " " << batch;
        }
      }
    }
  }
}

}  // namespace
}  // namespace tenferro
