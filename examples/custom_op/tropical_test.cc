#include "tropical.h"

#include "gtest/gtest.h"
#include "tenferro/ad/check_grads.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/ops/elementwise.h"

using namespace tenferro;

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

TEST(Tropical, IsTheLargestSum) {
  const CpuEngine engine = CpuEngine::Serial();
  const Var a = Immediate(engine, *Tensor::FromRowMajor<double>({2, 2}, {0, 3, 1, -1}));
  const Var b = Immediate(engine, *Tensor::FromRowMajor<double>({2, 3}, {1, 2, 9, 5, -4, 0}));
  const Out c = tropical_product({a, b});
  ASSERT_TRUE(c[0].ok()) << c[0].status();
  EXPECT_EQ(c[0].ToTensor()->ToString(), "[[ 8.  2.  9.]\n [ 4.  3. 10.]]");
  EXPECT_EQ(c[1].ToTensor()->ToString(), "[[1 0 0]\n [1 0 0]]");
}

TEST(Tropical, DerivativesAgreeWithDifferences) {
  const Tensor a = *Tensor::FromColMajor<double>({2, 3}, {0.3, -0.7, 1.1, 0.2, 0.9, -0.4});
  const Tensor b = *Tensor::FromColMajor<double>({3, 2}, {0.9, 0.4, -1.3, 0.1, 1.2, 0.6});
  const TracedFunction function = [](In in) -> Out {
    const Var c = tropical_product({in[0], in[1]})[0];
    return {c * c};
  };
  const absl::Status status = ad::CheckGrads(CpuEngine::Serial(), function, {a, b}, {.order = 2});
  EXPECT_TRUE(status.ok()) << status;
}

TEST(Tropical, NamesAMistake) {
  const Var a = Immediate(CpuEngine::Serial(), *Tensor::Zeros(DType::kF64, {2, 3}));
  EXPECT_EQ(tropical_product({a, a})[0].status().message(),
            "tropical_test.cc:36: tropical_product: needs f64 matrices [m,k] and [k,n], k > 0");
}
