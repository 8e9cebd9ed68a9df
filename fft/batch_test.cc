// The batching rules of the records.
#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/fft/records.h"
#include "tenferro/runtime/ops/check_batching.h"

namespace tenferro::fft {
namespace {

void Check(const OpDef& op, WordSpan attributes, const ValueType& type) {
  static const CpuEngine& engine = *new CpuEngine(CpuEngine::Serial());
  const absl::Status status = CheckBatching(engine, op, attributes, absl::Span<const ValueType>({type}));
  EXPECT_TRUE(status.ok()) << status;
}

class Batching : public testing::TestWithParam<DType> {};

TEST_P(Batching, OfRecords) {
  const DType real = GetParam(), complex = ComplexOf(real);
  for (int64_t n : {1, 2, 5, 12, 64, 70}) {
    Check(kTransform, Encode(TransformAttributes{{0}, true, 0.5}), {complex, {n}});
    Check(kTransform, Encode(TransformAttributes{{1, 0}, false, 1}), {complex, {3, n, 2}});
    Check(kRealToHalf, Encode(HalfAttributes{1, n, 1, 2}), {real, {2, n}});
    Check(kHalfToReal, Encode(HalfAttributes{0, n, 1, 2}), {complex, {n / 2 + 1, 3}});
  }
}

INSTANTIATE_TEST_SUITE_P(DTypes, Batching, testing::Values(DType::kF32, DType::kF64),
                         [](const auto& info) { return Name(info.param); });

}  // namespace
}  // namespace tenferro::fft
