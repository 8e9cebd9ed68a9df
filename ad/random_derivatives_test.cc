// Random compositions of differentiable operations: derivatives against differences, and the same function inside a
// call, under a checkpoint and mapped over a batch, its gradient too.

#include <cmath>

#include "gtest/gtest.h"
#include "tenferro/ad/check_grads.h"
#include "tenferro/ad/checkpoint.h"
#include "tenferro/ad/grad.h"
#include "tenferro/ad/random_function.h"
#include "tenferro/cpu/check_program.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/function.h"
#include "tenferro/runtime/ops/call.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/rearrange.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/transforms/vmap.h"

namespace tenferro::ad {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

constexpr uint32_t kSeeds = 1000;
constexpr int64_t kBatch = 3;

const CpuEngine& TestEngine() {
  static const CpuEngine& engine = *new CpuEngine(CpuEngine::Serial());
  return engine;
}

absl::StatusOr<Program> ProgramOf(const TracedFunction& function, absl::Span<const Tensor> inputs) {
  Graph graph;
  Out in;
  for (const Tensor& input : inputs) in.push_back(graph.Input(input.dtype(), input.shape()));
  return Compile(function(in), in);
}

std::string TextOf(const TracedFunction& function, absl::Span<const Tensor> inputs) {
  const absl::StatusOr<Program> program = ProgramOf(function, inputs);
  return program.ok() ? program->ToString() : program.status().ToString();
}

// The outputs and then the gradients of a loss made of them.
TracedFunction WithGradients(TracedFunction function) {
  return [function](In in) -> Out {
    Out results = function(in);
    Var loss;
    for (const Var& y : results) {
      const Var share = ReduceSum(Real(y) * 0.75 + Square(Imag(y)) - Imag(y));
      loss = loss.empty() ? share : loss + share;
    }
    const Out gradients = GradOptional(loss, in);
    for (size_t i = 0; i < in.size(); ++i) {
      results.push_back(gradients[i].empty() ? ZerosLike(in[i]) : gradients[i]);
    }
    return results;
  };
}

std::vector<Tensor> Compute(const TracedFunction& function, absl::Span<const Tensor> inputs) {
  const absl::StatusOr<std::vector<Tensor>> outputs = Compile(TestEngine(), function)(inputs);
  EXPECT_TRUE(outputs.ok()) << outputs.status();
  return outputs.ok() ? *outputs : std::vector<Tensor>();
}

void ExpectNear(absl::Span<const Tensor> got, absl::Span<const Tensor> want, double tolerance) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < want.size(); ++i) {
    ASSERT_EQ(got[i].dtype(), want[i].dtype()) << "output " << i;
    ASSERT_EQ(got[i].shape(), want[i].shape()) << "output " << i;
    if (want[i].size() == 0) continue;
    const Var a = Immediate(TestEngine(), got[i]), b = Immediate(TestEngine(), want[i]);
    const double difference = *ReduceMax(Abs(a - b)).ToTensor()->Item<double>();
    const double size = *ReduceMax(Abs(b)).ToTensor()->Item<double>();
    EXPECT_LE(difference, tolerance * std::max(1.0, size)) << "output " << i;
  }
}

class RandomDerivativesTest : public testing::Test {
 protected:
  // Calls `check` on functions until one fails, which is printed.
  template <class Check>
  void ForEach(const Check& check) {
    for (uint32_t seed = 0; seed < kSeeds; ++seed) {
      const RandomFunction function(seed);
      check(function);
      if (HasFailure()) FAIL() << "seed " << seed << "\n" << TextOf(function, function.inputs);
    }
  }
};

TEST_F(RandomDerivativesTest, AgreeWithDifferences) {
  ForEach([](const RandomFunction& function) {
    // Some are steep: a wrong rule is wrong in the first digits.
    const CheckGradsOptions options{.order = function.seed % 4 == 0 ? 2 : 1, .tolerance = 1e-6};
    const absl::Status status = CheckGrads(TestEngine(), function, function.inputs, options);
    EXPECT_TRUE(status.ok()) << status;
  });
}

TEST_F(RandomDerivativesTest, AreTheSameInCallsAndCheckpoints) {
  ForEach([](const RandomFunction& function) {
    const std::vector<Tensor> want = Compute(WithGradients(function), function.inputs);
    ExpectNear(Compute(WithGradients([&](In in) { return Call(in, function); }), function.inputs), want, 1e-13);
    ExpectNear(Compute(WithGradients([&](In in) { return Checkpoint(in, function); }), function.inputs), want, 1e-13);
  });
}

// The inputs that `seed` chooses, the first one at least, carry a batch as their last axis.
struct Batch {
  explicit Batch(const RandomFunction& function) {
    options.in_axes.clear();
    for (size_t i = 0; i < function.inputs.size(); ++i) {
      const Var x = Immediate(TestEngine(), function.inputs[i]);
      const bool mapped = i == 0 || (function.seed >> i) % 2 == 0;
      options.in_axes.push_back(mapped ? VmapAxis(-1) : kNotMapped);
      Out slices = {x, x * 0.5, x * -0.9};
      inputs.push_back(mapped ? *Stack(slices, x.rank()).ToTensor() : function.inputs[i]);
      for (int64_t b = 0; b < kBatch; ++b) {
        slice_inputs[b].push_back(mapped ? *slices[b].ToTensor() : function.inputs[i]);
      }
    }
  }

  // The results of a function on each slice, side by side.
  std::vector<Tensor> Loop(const TracedFunction& function) const {
    std::vector<Out> slices;
    for (const std::vector<Tensor>& in : slice_inputs) {
      const std::vector<Tensor> results = Compute(function, in);
      slices.resize(results.size());
      for (size_t i = 0; i < results.size(); ++i) slices[i].push_back(Immediate(TestEngine(), results[i]));
    }
    std::vector<Tensor> joined;
    for (const Out& parts : slices) joined.push_back(*Stack(parts, parts[0].rank()).ToTensor());
    return joined;
  }

  VmapOptions options;
  std::vector<Tensor> inputs;
  std::vector<Tensor> slice_inputs[kBatch];
};

TEST_F(RandomDerivativesTest, AreMappedAsInALoop) {
  ForEach([](const RandomFunction& function) {
    const Batch batch(function);
    const TracedFunction gradients = WithGradients(function);
    const TracedFunction checkpointed = WithGradients([&](In in) { return Checkpoint(in, function); });
    const std::vector<Tensor> want = batch.Loop(gradients);
    ExpectNear(Compute(Vmap(gradients, batch.options), batch.inputs), want, 1e-12);
    ExpectNear(Compute(Vmap(checkpointed, batch.options), batch.inputs), want, 1e-12);
  });
}

// The programs of gradients are unlike those that people write: recomputed behind barriers, mapped, of many views.
TEST_F(RandomDerivativesTest, RunFusedAsOneByOne) {
  const std::vector<CpuEngine> engines = {TestEngine(), CpuEngine::WithThreads(3)};
  ForEach([&](const RandomFunction& function) {
    const Batch batch(function);
    const TracedFunction checkpointed = [&](In in) { return Checkpoint(in, function); };
    const absl::StatusOr<Program> program = ProgramOf(WithGradients(checkpointed), function.inputs);
    const absl::StatusOr<Program> mapped = ProgramOf(WithGradients(Vmap(checkpointed, batch.options)), batch.inputs);
    ASSERT_TRUE(program.ok() && mapped.ok()) << program.status() << mapped.status();
    const absl::Status status = CheckProgram(*program, function.inputs, engines);
    EXPECT_TRUE(status.ok()) << status;
    const absl::Status mapped_status = CheckProgram(*mapped, batch.inputs, engines);
    EXPECT_TRUE(mapped_status.ok()) << mapped_status;
  });
}

// Mapped, and then differentiated with respect to the whole batch: of a slice's loss only the slice has a derivative,
// of an input that all slices see the sum.
TEST_F(RandomDerivativesTest, OfMapsAreThoseOfTheSlices) {
  ForEach([](const RandomFunction& function) {
    const Batch batch(function);
    const std::vector<Tensor> got = Compute(WithGradients(Vmap(function, batch.options)), batch.inputs);
    std::vector<Tensor> want = batch.Loop(WithGradients(function));
    for (size_t i = 0; i < function.inputs.size(); ++i) {
      if (batch.options.in_axes[i] != kNotMapped) continue;
      Tensor& gradient = want[want.size() - function.inputs.size() + i];
      gradient = *ReduceSum(Immediate(TestEngine(), gradient), {gradient.rank() - 1}).ToTensor();
    }
    ExpectNear(got, want, 1e-12);
  });
}

}  // namespace
}  // namespace tenferro::ad
