#ifndef TENFERRO_TENSOR_DTYPE_H_
#define TENFERRO_TENSOR_DTYPE_H_

#include <complex>
#include <cstdint>
#include <type_traits>

#include "absl/status/statusor.h"

namespace tenferro {

// Element type of a tensor. Within one kind the order is that of widening.
enum class DType : uint8_t { kBool, kI32, kI64, kU8, kU32, kU64, kF32, kF64, kC64, kC128 };

inline constexpr int kNumDTypes = 10;
inline constexpr DType kAllDTypes[kNumDTypes] = {DType::kBool, DType::kI32, DType::kI64, DType::kU8,  DType::kU32,
                                                 DType::kU64,  DType::kF32, DType::kF64, DType::kC64, DType::kC128};

// "bool", "i32", …, "c128".
const char* Name(DType dtype);

// Bytes of one element.
constexpr int64_t SizeOf(DType dtype) {
  constexpr int8_t kSizes[] = {1, 4, 8, 1, 4, 8, 4, 8, 8, 16};
  return kSizes[static_cast<int>(dtype)];
}

constexpr bool IsComplex(DType dtype) { return dtype == DType::kC64 || dtype == DType::kC128; }
constexpr bool IsFloat(DType dtype) { return dtype == DType::kF32 || dtype == DType::kF64; }
constexpr bool IsFloatOrComplex(DType dtype) { return IsFloat(dtype) || IsComplex(dtype); }
constexpr bool IsSigned(DType dtype) { return dtype == DType::kI32 || dtype == DType::kI64; }
constexpr bool IsUnsigned(DType dtype) { return dtype == DType::kU8 || dtype == DType::kU32 || dtype == DType::kU64; }
constexpr bool IsInteger(DType dtype) { return IsSigned(dtype) || IsUnsigned(dtype); }

// The dtype of the real part: f32 for c64, f64 for c128; a real dtype is its own.
constexpr DType RealOf(DType dtype) {
  return dtype == DType::kC64 ? DType::kF32 : dtype == DType::kC128 ? DType::kF64 : dtype;
}
// Bytes of the real part, which is also the alignment of an element.
constexpr int64_t RealSizeOf(DType dtype) { return SizeOf(RealOf(dtype)); }
// The complex dtype of the same precision: c64 for f32, c128 for f64; others are their own.
constexpr DType ComplexOf(DType dtype) {
  return dtype == DType::kF32 ? DType::kC64 : dtype == DType::kF64 ? DType::kC128 : dtype;
}

// The dtype that holds both, by kind (bool < int < float < complex) and then width; u32 with i32 gives i64, and an
// integer with a float or complex dtype gives that dtype. Errors: u64 with a signed integer, which no dtype holds.
absl::StatusOr<DType> Promote(DType a, DType b);

namespace dtype_internal {
template <class T>
struct Of;
// clang-format off
template <> struct Of<bool> { static constexpr DType value = DType::kBool; };
template <> struct Of<int32_t> { static constexpr DType value = DType::kI32; };
template <> struct Of<int64_t> { static constexpr DType value = DType::kI64; };
template <> struct Of<uint8_t> { static constexpr DType value = DType::kU8; };
template <> struct Of<uint32_t> { static constexpr DType value = DType::kU32; };
template <> struct Of<uint64_t> { static constexpr DType value = DType::kU64; };
template <> struct Of<float> { static constexpr DType value = DType::kF32; };
template <> struct Of<double> { static constexpr DType value = DType::kF64; };
template <> struct Of<std::complex<float>> { static constexpr DType value = DType::kC64; };
template <> struct Of<std::complex<double>> { static constexpr DType value = DType::kC128; };
// clang-format on
}  // namespace dtype_internal

// The DType of a C++ element type; other types do not compile.
template <class T>
inline constexpr DType kDTypeOf = dtype_internal::Of<std::remove_cv_t<T>>::value;

// Calls f.template operator()<T>() with the C++ type of `dtype` and returns its result.
template <class F>
decltype(auto) Dispatch(DType dtype, F&& f) {
  switch (dtype) {
    case DType::kBool: return f.template operator()<bool>();
    case DType::kI32: return f.template operator()<int32_t>();
    case DType::kI64: return f.template operator()<int64_t>();
    case DType::kU8: return f.template operator()<uint8_t>();
    case DType::kU32: return f.template operator()<uint32_t>();
    case DType::kU64: return f.template operator()<uint64_t>();
    case DType::kF32: return f.template operator()<float>();
    case DType::kF64: return f.template operator()<double>();
    case DType::kC64: return f.template operator()<std::complex<float>>();
    case DType::kC128: break;
  }
  return f.template operator()<std::complex<double>>();
}

}  // namespace tenferro

#endif  // TENFERRO_TENSOR_DTYPE_H_
