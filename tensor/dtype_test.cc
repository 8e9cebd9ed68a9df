#include "tenferro/tensor/dtype.h"

#include <set>
#include <string>

#include "gtest/gtest.h"

namespace tenferro {
namespace {

TEST(DTypeTest, NamesAreDistinctAndSizesAreThoseOfTheCppTypes) {
  std::set<std::string> names;
  for (DType dtype : kAllDTypes) {
    names.insert(Name(dtype));
    const bool consistent = Dispatch(dtype, [&]<class T>() {
      return kDTypeOf<T> == dtype && kDTypeOf<const T> == dtype && sizeof(T) == static_cast<size_t>(SizeOf(dtype));
    });
    EXPECT_TRUE(consistent) << Name(dtype);
  }
  EXPECT_EQ(names.size(), kNumDTypes);
  EXPECT_STREQ(Name(DType::kBool), "bool");
  EXPECT_STREQ(Name(DType::kU8), "u8");
  EXPECT_STREQ(Name(DType::kC128), "c128");
}

TEST(DTypeTest, EveryDTypeIsOfOneKind) {
  for (DType dtype : kAllDTypes) {
    const int kinds = (dtype == DType::kBool) + IsSigned(dtype) + IsUnsigned(dtype) + IsFloat(dtype) + IsComplex(dtype);
    EXPECT_EQ(kinds, 1) << Name(dtype);
    EXPECT_EQ(IsInteger(dtype), IsSigned(dtype) || IsUnsigned(dtype)) << Name(dtype);
    EXPECT_EQ(IsFloatOrComplex(dtype), IsFloat(dtype) || IsComplex(dtype)) << Name(dtype);
  }
}

TEST(DTypeTest, RealAndComplexOfOnePrecision) {
  EXPECT_EQ(RealOf(DType::kC64), DType::kF32);
  EXPECT_EQ(RealOf(DType::kC128), DType::kF64);
  EXPECT_EQ(RealOf(DType::kI32), DType::kI32);
  EXPECT_EQ(ComplexOf(DType::kF32), DType::kC64);
  EXPECT_EQ(ComplexOf(DType::kF64), DType::kC128);
  EXPECT_EQ(ComplexOf(DType::kC64), DType::kC64);
  EXPECT_EQ(ComplexOf(DType::kBool), DType::kBool);
  EXPECT_EQ(RealSizeOf(DType::kC64), 4);
  EXPECT_EQ(RealSizeOf(DType::kC128), 8);
  EXPECT_EQ(RealSizeOf(DType::kU8), 1);
}

TEST(PromoteTest, WholeTable) {
  const char* const kTable[kNumDTypes][kNumDTypes] = {
      // bool    i32     i64     u8      u32     u64     f32     f64     c64     c128
      {"bool", "i32", "i64", "u8", "u32", "u64", "f32", "f64", "c64", "c128"},            // bool
      {"i32", "i32", "i64", "i32", "i64", "none", "f32", "f64", "c64", "c128"},           // i32
      {"i64", "i64", "i64", "i64", "i64", "none", "f32", "f64", "c64", "c128"},           // i64
      {"u8", "i32", "i64", "u8", "u32", "u64", "f32", "f64", "c64", "c128"},              // u8
      {"u32", "i64", "i64", "u32", "u32", "u64", "f32", "f64", "c64", "c128"},            // u32
      {"u64", "none", "none", "u64", "u64", "u64", "f32", "f64", "c64", "c128"},          // u64
      {"f32", "f32", "f32", "f32", "f32", "f32", "f32", "f64", "c64", "c128"},            // f32
      {"f64", "f64", "f64", "f64", "f64", "f64", "f64", "f64", "c128", "c128"},           // f64
      {"c64", "c64", "c64", "c64", "c64", "c64", "c64", "c128", "c64", "c128"},           // c64
      {"c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128", "c128"}};  // c128
  for (int i = 0; i < kNumDTypes; ++i) {
    for (int j = 0; j < kNumDTypes; ++j) {
      const absl::StatusOr<DType> promoted = Promote(kAllDTypes[i], kAllDTypes[j]);
      EXPECT_STREQ(promoted.ok() ? Name(*promoted) : "none", kTable[i][j])
          << Name(kAllDTypes[i]) << " with " << Name(kAllDTypes[j]);
    }
  }
}

TEST(PromoteTest, ErrorNamesBoth) {
  const absl::Status status = Promote(DType::kU64, DType::kI32).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(), "Promote: no dtype holds both u64 and i32: Cast one of them");
}

}  // namespace
}  // namespace tenferro
