// The batching rules of the decompositions.
#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/ops/check_batching.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/source.h"

namespace tenferro::linalg {
namespace {

const Engine& TestEngine() {
  static const CpuEngine& engine = *new CpuEngine(CpuEngine::Serial());
  return engine;
}

void Check(const OpDef& op, WordSpan attributes, absl::Span<const BatchSlices> operands) {
  const absl::Status status = CheckBatching(TestEngine(), op, attributes, operands);
  EXPECT_TRUE(status.ok()) << status;
}

class Batching : public testing::TestWithParam<DType> {};

TEST_P(Batching, OfDecompositions) {
  for (const Shape& shape : {Shape{3, 2}, Shape{2, 3}, Shape{3, 3, 2}, Shape{2, 2, 0}}) {
    const std::vector<BatchSlices> a{SlicesOf({GetParam(), shape}, 3, 0)};
    Check(kSvd, {}, a);
    Check(kSvdLorentz, Encode(SvdLorentzAttributes{1e-12}), a);
    Check(kSvdTruncated, Encode(TruncationAttributes{1, 1}), a);
    Check(kSplitSvd, Encode(SplitAttributes{{2, 0}}), a);
    Check(kSvdFull, {}, a);
    Check(kSvdVals, {}, a);
    Check(kIsometry, Encode(TruncationAttributes{1, 1, 1e-9}), a);
  }
}

TEST_P(Batching, OfEquationsOfTheDerivative) {
  const BatchSlices as = SlicesOf({GetParam(), {4, 3}}, 3, 0);
  BatchSlices us, ss, vs, values, roots;
  for (const Tensor& slice : as) {
    const Vars triplets = Emit(kSvdTruncated, Encode(TruncationAttributes{2, 1}), {Immediate(TestEngine(), slice)},
                               Location::current(), 3);
    us.push_back(*triplets[0].ToTensor());
    ss.push_back(*triplets[1].ToTensor());
    vs.push_back(*triplets[2].ToTensor());
    const Var diagonal = DiagonalMatrix(Convert(FirstRows(triplets[1], 2), GetParam()));
    values.push_back(*diagonal.ToTensor());
    roots.push_back(*Sqrt(diagonal).ToTensor());
  }
  const BatchSlices ps = SlicesOf({GetParam(), {4, 2}}, 3, 1), qs = SlicesOf({GetParam(), {3, 2}}, 3, 2);
  Check(kTruncatedComplement, {}, {as, us, ss, vs, values, ps, qs});
  Check(kRootSylvester, Encode(RootSylvesterAttributes{.power = 2, .rows = 4}),
        {roots, SlicesOf({GetParam(), {2, 2}}, 3, 3)});
}

TEST_P(Batching, OfTheGaugeCheck) {
  Check(kCheckGaugeInvariant, Encode(CheckGaugeAttributes{1e3}),
        {SlicesOf({GetParam(), {3, 2}}, 3, 0), SlicesOf({RealOf(GetParam()), {2}}, 3, 1)});
}

INSTANTIATE_TEST_SUITE_P(DTypes, Batching, testing::Values(DType::kF64, DType::kC128, DType::kF32),
                         [](const auto& info) { return Name(info.param); });

}  // namespace
}  // namespace tenferro::linalg
