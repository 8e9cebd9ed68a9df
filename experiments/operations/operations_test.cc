// Walks the table of operations: each has kernels whose bits do not depend on the number of threads, a derivative that
// agrees with differences or a reason for having none, and a batching rule that is a loop over slices.
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tenferro/ad/check_grads.h"
#include "tenferro/ad/vjp.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/experiments/operations/table.h"
#include "tenferro/runtime/function.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/transforms/vmap.h"

namespace tenferro {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

constexpr DType kEveryDType[] = {DType::kBool, DType::kI32, DType::kI64, DType::kU8,  DType::kU32,
                                 DType::kU64,  DType::kF32, DType::kF64, DType::kC64, DType::kC128};

const Engine& EngineOfWidth(int width) {
  static const std::vector<Engine>& engines = *new std::vector<Engine>{
      CpuEngine::Serial(), CpuEngine::WithThreads(2), CpuEngine::WithThreads(3), CpuEngine::WithThreads(8)};
  return engines[width == 1 ? 0 : width == 2 ? 1 : width == 3 ? 2 : 3];
}

bool SameBits(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  return std::memcmp(*a.HostData(), *b.HostData(), a.size() * SizeOf(a.dtype())) == 0;
}

// The example as a function of its operands.
TracedFunction FunctionOf(const OpEntry& entry, DType dtype) {
  return [&entry, dtype](In in) -> Out {
    size_t next = 0;
    Operands operands(dtype, [&](DType, const Shape&, Operands::Kind) { return in[next++]; });
    return entry.example(operands);
  };
}

class OperationTest : public testing::TestWithParam<const OpEntry*> {};

TEST_P(OperationTest, HasKernelsWithTheSameBitsAtEveryWidth) {
  int accepted = 0;
  for (DType dtype : kEveryDType) {
    const ExampleGraph example = TraceExample(*GetParam(), dtype);
    if (!example.status().ok()) continue;
    ++accepted;
    const absl::StatusOr<Program> program = Compile(example.outputs, example.inputs);
    ASSERT_TRUE(program.ok()) << program.status();
    std::vector<Tensor> first;
    for (int width : {1, 2, 3, 8}) {
      const absl::StatusOr<Prepared> prepared = EngineOfWidth(width).Prepare(*program);
      ASSERT_TRUE(prepared.ok()) << Name(dtype) << ": " << prepared.status();
      const absl::StatusOr<std::vector<Tensor>> outputs = prepared->Run(absl::MakeConstSpan(example.values));
      ASSERT_TRUE(outputs.ok()) << outputs.status();
      if (first.empty()) first = *outputs;
      for (size_t i = 0; i < outputs->size(); ++i) EXPECT_TRUE(SameBits((*outputs)[i], first[i])) << Name(dtype);
    }
  }
  EXPECT_GT(accepted, 0);
}

TEST_P(OperationTest, HasADerivativeOrAReason) {
  const OpDef& op = *GetParam()->op;
  for (DType dtype : {DType::kF64, DType::kC128}) {
    const ExampleGraph example = TraceExample(*GetParam(), dtype);
    if (!example.status().ok()) continue;
    if (op.not_differentiable != nullptr) {
      const Var& y = example.outputs[0];
      const Var seed = OnesLike(y);
      const Var gradient = ad::Vjp({y}, {example.inputs[0]}, {seed})[0];
      EXPECT_NE(std::string(gradient.status().message())
                    .find(absl::StrCat("(it passes through ", op.name, ": ", op.not_differentiable, ")")),
                std::string::npos)
          << gradient.status();
      continue;
    }
    if (op.kind == OpKind::kSource) continue;
    const absl::Status status =
        ad::CheckGrads(EngineOfWidth(1), FunctionOf(*GetParam(), dtype), example.values, {.order = 1});
    EXPECT_TRUE(status.ok()) << Name(dtype) << ": " << status;
  }
}

TEST_P(OperationTest, IsALoopOverSlicesUnderVmap) {
  for (DType dtype : {DType::kF64, DType::kI32, DType::kBool, DType::kC128}) {
    const ExampleGraph example = TraceExample(*GetParam(), dtype);
    if (!example.status().ok()) continue;
    // Slice j of operand i is a roll of its values by j.
    constexpr int64_t kSlices = 3;
    const TracedFunction slice = FunctionOf(*GetParam(), dtype);
    const TracedFunction batch = [](In in) -> Out {
      Out batched;
      for (const Var& x : in) {
        Out parts;
        for (int64_t j = 0; j < kSlices; ++j) {
          const Var flat = Reshape(x, {x.shape().size()});
          const int64_t n = flat.dim(0), cut = std::min(j, n);
          const Var rolled = Concatenate({Slice(flat, {cut}, {n}), Slice(flat, {0}, {cut})}, 0);
          Shape shape = x.shape();
          shape.push_back(1);
          parts.push_back(Reshape(rolled, shape));
        }
        batched.push_back(Concatenate(parts, x.rank()));
      }
      return batched;
    };
    const TracedFunction loop = [&](In in) -> Out {
      std::vector<Out> results;
      for (int64_t j = 0; j < kSlices; ++j) {
        Out operands;
        for (const Var& x : batch(in)) {
          Ints starts(x.rank(), 0), limits = x.shape().extents();
          starts.back() = j;
          limits.back() = j + 1;
          limits.pop_back();
          Ints own = limits;
          limits.push_back(j + 1);
          operands.push_back(Reshape(Slice(x, starts, limits), Shape(own)));
        }
        results.push_back(slice(operands));
      }
      Out joined;
      for (size_t k = 0; k < results[0].size(); ++k) {
        Out parts;
        for (const Out& result : results) {
          Shape shape = result[k].shape();
          shape.push_back(1);
          parts.push_back(Reshape(result[k], shape));
        }
        joined.push_back(Concatenate(parts, results[0][k].rank()));
      }
      return joined;
    };
    const TracedFunction mapped = [&](In in) -> Out { return Vmap(slice)(batch(in)); };
    const auto want = Compile(EngineOfWidth(1), loop)(absl::MakeConstSpan(example.values));
    const auto got = Compile(EngineOfWidth(1), mapped)(absl::MakeConstSpan(example.values));
    ASSERT_TRUE(want.ok()) << want.status();
    ASSERT_TRUE(got.ok()) << Name(dtype) << ": " << got.status();
    ASSERT_EQ(got->size(), want->size());
    for (size_t k = 0; k < want->size(); ++k) {
      ASSERT_EQ((*got)[k].shape(), (*want)[k].shape()) << Name(dtype);
      const Var a = Cast(Immediate(EngineOfWidth(1), (*got)[k]), DType::kC128);
      const Var b = Cast(Immediate(EngineOfWidth(1), (*want)[k]), DType::kC128);
      const Tensor difference = *Abs(a - b).ToTensor(), size = *Abs(b).ToTensor();
      const absl::Span<const double> d = *difference.Data<double>(), s = *size.Data<double>();
      for (size_t i = 0; i < d.size(); ++i) EXPECT_LE(d[i], 1e-13 * std::max(1.0, s[i])) << Name(dtype) << " " << k;
    }
  }
}

std::vector<const OpEntry*> Entries() {
  std::vector<const OpEntry*> entries;
  for (const OpEntry& entry : OpEntries()) entries.push_back(&entry);
  return entries;
}

INSTANTIATE_TEST_SUITE_P(Every, OperationTest, testing::ValuesIn(Entries()), [](const auto& info) {
  return absl::StrCat(info.index, "_", absl::StrReplaceAll(info.param->op->name, {{".", "_"}}));
});

TEST(OpTable, NothingIsMissing) {
  for (const OpRow& row : OpRows(EngineOfWidth(1), {})) {
    EXPECT_NE(row.jvp, "missing") << row.name;
    EXPECT_NE(row.batching, "missing") << row.name;
    EXPECT_NE(row.dtypes, "") << row.name;
  }
}

}  // namespace
}  // namespace tenferro
