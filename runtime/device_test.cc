// An engine with memory of its own, as another device would have it: its tensors' bytes cannot be read from the host.
#include <cstring>

#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/engine.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/tensor/status.h"

namespace tenferro {
namespace {

constexpr Device kToy{"toy", 1};

// Keeps its tensors in bytes marked as the toy's and computes on copies with the CPU engine.
class ToyBackend final : public EngineBackend {
 public:
  absl::StatusOr<Prepared> Prepare(const Program&) override {
    return absl::UnimplementedError("the toy runs single operations");
  }

  absl::StatusOr<std::vector<Tensor>> RunOp(const OpDef& op, WordSpan attributes,
                                            absl::Span<const Tensor> inputs) override {
    std::vector<Tensor> host;
    for (const Tensor& input : inputs) {
      if (!(input.device() == kToy)) return absl::InvalidArgumentError("an operand is not on the toy");
      TENFERRO_ASSIGN_OR_RETURN(host.emplace_back(), Download(input));
    }
    TENFERRO_ASSIGN_OR_RETURN(std::vector<Tensor> outputs, cpu_.backend().RunOp(op, attributes, host));
    for (Tensor& output : outputs) {
      TENFERRO_ASSIGN_OR_RETURN(output, Upload(output));
    }
    return outputs;
  }

  absl::StatusOr<Tensor> Upload(const Tensor& tensor) override {
    TENFERRO_ASSIGN_OR_RETURN(const Tensor dense, tensor.Dense());
    TENFERRO_ASSIGN_OR_RETURN(const void* const bytes, dense.HostData());
    return Marked(dense, bytes, kToy);
  }

  absl::StatusOr<Tensor> Download(const Tensor& tensor) override {
    return Marked(tensor, tensor.storage()->data(), Device{});
  }

 private:
  static absl::StatusOr<Tensor> Marked(const Tensor& like, const void* bytes, Device device) {
    const int64_t size = like.size() * SizeOf(like.dtype());
    void* const copy = std::malloc(size);
    std::memcpy(copy, bytes, size);
    auto storage = Storage::Adopt(
        copy, size, device, [](void* data, void*) { std::free(data); }, nullptr);
    return Tensor::FromStorage(storage, like.dtype(), like.shape(), like.shape().ColMajorStrides());
  }

  CpuEngine cpu_ = CpuEngine::Serial();
};

TEST(Device, ItsBytesAreNotReadFromTheHost) {
  const Engine toy(std::make_shared<ToyBackend>());
  const Tensor numbers = *Tensor::FromColMajor<double>({3}, std::vector<double>{1, 2, 3});
  const Var x = Immediate(toy, numbers);
  const Var sum = ReduceSum(x * x);
  ASSERT_TRUE(sum.ok()) << sum.status();
  const Tensor there = *sum.ToTensor();
  EXPECT_EQ(there.device(), kToy);
  EXPECT_FALSE(there.HostData().ok());
  EXPECT_FALSE(there.Item<double>().ok());
  EXPECT_NE(std::string(there.HostData().status().message()).find("toy"), std::string::npos)
      << there.HostData().status();
  EXPECT_EQ(*toy.Download(there)->Item<double>(), 14);
}

TEST(Device, EnginesDoNotMix) {
  const Engine toy(std::make_shared<ToyBackend>());
  const Tensor numbers = *Tensor::FromColMajor<double>({3}, std::vector<double>{1, 2, 3});
  const Var sum = Immediate(toy, numbers) + Immediate(CpuEngine::Serial(), numbers);
  EXPECT_NE(std::string(sum.status().message()).find("add: operands belong to different engines"), std::string::npos);
}

TEST(Device, TheCpuRefusesForeignBytes) {
  const Engine toy(std::make_shared<ToyBackend>());
  const Tensor there = *toy.Upload(*Tensor::FromColMajor<double>({3}, std::vector<double>{1, 2, 3}));
  Graph graph;
  const Var x = graph.Input(DType::kF64, {3});
  const Prepared prepared = *CpuEngine::Serial().Prepare(*Compile({x + x}, {x}));
  EXPECT_FALSE(prepared.Run({there}).ok());
}

}  // namespace
}  // namespace tenferro
