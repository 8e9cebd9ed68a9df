#include "tenferro/tensor/dtype.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace tenferro {
namespace {

enum Kind { kBoolKind, kIntegerKind, kFloatKind, kComplexKind };

Kind KindOf(DType dtype) {
  if (dtype == DType::kBool) return kBoolKind;
  if (IsInteger(dtype)) return kIntegerKind;
  return IsComplex(dtype) ? kComplexKind : kFloatKind;
}

DType Wider(DType a, DType b) { return SizeOf(a) >= SizeOf(b) ? a : b; }

}  // namespace

const char* Name(DType dtype) {
  static constexpr const char* kNames[] = {"bool", "i32", "i64", "u8", "u32", "u64", "f32", "f64", "c64", "c128"};
  return kNames[static_cast<int>(dtype)];
}

absl::StatusOr<DType> Promote(DType a, DType b) {
  if (KindOf(a) < KindOf(b)) std::swap(a, b);
  if (KindOf(b) == kBoolKind || a == b) return a;
  if (KindOf(b) == kFloatKind) return Wider(a, KindOf(a) == kComplexKind ? ComplexOf(b) : b);
  if (KindOf(a) != kIntegerKind) return KindOf(b) == kComplexKind ? Wider(a, b) : a;
  if (IsSigned(a) == IsSigned(b)) return Wider(a, b);
  const DType with_sign = IsSigned(a) ? a : b;
  const DType without = IsSigned(a) ? b : a;
  if (without == DType::kU64) {
    return absl::InvalidArgumentError(
        absl::StrCat("Promote: no dtype holds both ", Name(a), " and ", Name(b), ": Cast one of them"));
  }
  return without == DType::kU8 ? with_sign : DType::kI64;
}

}  // namespace tenferro
