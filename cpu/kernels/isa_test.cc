#include "tenferro/cpu/kernels/isa.h"

#include <utility>

#include "gtest/gtest.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/tensor/dtype.h"

namespace tenferro {
namespace {

TEST(IsaTest, SupportedIsWhatIsNotAboveTheBest) {
  EXPECT_TRUE(IsSupported(BestIsa()));
  for (Isa isa : {Isa::kV2, Isa::kV3, Isa::kV4}) {
    EXPECT_EQ(IsSupported(isa), BestIsa() != Isa::kNeon && isa <= BestIsa());
  }
  EXPECT_EQ(IsSupported(Isa::kNeon), BestIsa() == Isa::kNeon);
}

#if defined(__x86_64__)
TEST(IsaTest, AgreesWithTheCompilersDetection) {
  const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                  __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("aes") && __builtin_cpu_supports("pclmul");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  EXPECT_EQ(BestIsa(), v4 ? Isa::kV4 : v3 ? Isa::kV3 : Isa::kV2);
}
#endif

TEST(ElementTest, CodesAreTheValuesOfDType) {
  EXPECT_EQ(kElementCodes, kNumDTypes);
  const std::pair<ElementCode, DType> pairs[] = {
      {kCodeBool, DType::kBool}, {kCodeI32, DType::kI32},  {kCodeI64, DType::kI64}, {kCodeU8, DType::kU8},
      {kCodeU32, DType::kU32},   {kCodeU64, DType::kU64},  {kCodeF32, DType::kF32}, {kCodeF64, DType::kF64},
      {kCodeC64, DType::kC64},   {kCodeC128, DType::kC128}};
  for (auto [code, dtype] : pairs) EXPECT_EQ(code, static_cast<uint8_t>(dtype));
}

}  // namespace
}  // namespace tenferro
