// Changes of the element type: casts between all dtypes, and real numbers from and to the parts of complex ones.

#include <cstring>
#include <limits>
#include <type_traits>

#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/families.h"
#include "tenferro/cpu/kernels/scalar_loop.h"
#include "tenferro/runtime/ops/elementwise_records.h"

namespace tenferro {
namespace {

template <class T>
struct Complex {
  T re, im;
};

template <class T>
constexpr bool kIsComplex = false;
template <class T>
constexpr bool kIsComplex<Complex<T>> = true;

template <class T>
struct RealOf {
  using Type = T;
};
template <class T>
struct RealOf<Complex<T>> {
  using Type = T;
};

template <class T>
constexpr bool kIsInteger = std::is_integral_v<T> && !std::is_same_v<T, bool>;

template <int kSize>
void Copy(void* out, const void* const* in, int64_t n) {
  std::memmove(out, in[0], static_cast<size_t>(n * kSize));
}

// The same kernel on the parts of n complex numbers.
template <TileFn kFn>
void OnParts(void* out, const void* const* in, int64_t n) {
  kFn(out, in, 2 * n);
}

// second(first(x)), a block of elements at a time.
template <TileFn kFirst, TileFn kSecond, class To, class Middle, class From>
void Chained(void* out, const void* const* in, int64_t n) {
  constexpr int64_t kBlock = 256;
  Middle block[kBlock];
  const void* const middle = block;
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t count = n - i < kBlock ? n - i : kBlock;
    const void* const from = static_cast<const From*>(in[0]) + i;
    kFirst(block, &from, count);
    kSecond(static_cast<To*>(out) + i, &middle, count);
  }
}

// Towards zero; values beyond the range give its end, NaN gives 0.
template <class To, class From>
To Saturated(From x) {
  using Limits = std::numeric_limits<To>;
  constexpr From kLowest = static_cast<From>(Limits::min());
  constexpr From kBeyond = static_cast<From>(Limits::max() / 2 + 1) * 2;
  if (x != x) return 0;
  if (x < kLowest) return Limits::min();
  return x < kBeyond ? static_cast<To>(x) : Limits::max();
}

template <class To, class From>
constexpr TileFn Cast();

template <class T>
constexpr TileFn kToComplex = ScalarUnary<Complex<T>, T, decltype([](T x) {
                                            return Complex<T>{x, 0};
                                          })>;
template <class T>
constexpr TileFn kRealPart = ScalarUnary<T, Complex<T>, decltype([](Complex<T> z) { return z.re; })>;
template <class T>
constexpr TileFn kImagPart = ScalarUnary<T, Complex<T>, decltype([](Complex<T> z) { return z.im; })>;
template <class T>
constexpr TileFn kFromParts = ScalarBinary<Complex<T>, T, decltype([](T re, T im) {
                                             return Complex<T>{re, im};
                                           })>;
template <class T>
constexpr TileFn kIsNonzero = ScalarUnary<uint8_t, T, decltype([](T x) { return x != 0; })>;
template <class T>
constexpr TileFn kIsNonzero<Complex<T>> =
    ScalarUnary<uint8_t, Complex<T>, decltype([](Complex<T> z) { return (z.re != 0) | (z.im != 0); })>;
template <class To, class From>
constexpr TileFn kSaturated = ScalarUnary<To, From, decltype([](From x) { return Saturated<To>(x); })>;
template <class To, class From>
constexpr TileFn kStatic = ScalarUnary<To, From, decltype([](From x) { return static_cast<To>(x); })>;

// Conversions that write the same bits share a kernel: bool is a byte, and the sign of the wider integer does not
// matter.
template <class To, class From>
constexpr TileFn IntegerCast() {
  if constexpr (sizeof(To) == sizeof(From)) {
    return Copy<sizeof(To)>;
  } else if constexpr (sizeof(To) < sizeof(From)) {
    return kStatic<std::make_unsigned_t<To>, std::make_unsigned_t<From>>;
  } else {
    return kStatic<std::make_unsigned_t<To>, From>;
  }
}

template <class To, class From>
constexpr TileFn Cast() {
  using RealTo = typename RealOf<To>::Type;
  using RealFrom = typename RealOf<From>::Type;
  if constexpr (std::is_same_v<To, From>) {
    return Copy<sizeof(To)>;
  } else if constexpr (std::is_same_v<From, bool>) {
    return Cast<To, uint8_t>();
  } else if constexpr (std::is_same_v<To, bool>) {
    if constexpr (kIsInteger<From>) {
      return kIsNonzero<std::make_unsigned_t<From>>;
    } else {
      return kIsNonzero<From>;
    }
  } else if constexpr (kIsComplex<To> && kIsComplex<From>) {
    return OnParts<Cast<RealTo, RealFrom>()>;
  } else if constexpr (kIsComplex<To>) {
    if constexpr (std::is_same_v<RealTo, From>)
      return kToComplex<From>;
    else
      return Chained<Cast<RealTo, From>(), kToComplex<RealTo>, To, RealTo, From>;
  } else if constexpr (kIsComplex<From>) {
    if constexpr (std::is_same_v<RealFrom, To>)
      return kRealPart<To>;
    else
      return Chained<kRealPart<RealFrom>, Cast<To, RealFrom>(), To, RealFrom, From>;
  } else if constexpr (kIsInteger<To> && kIsInteger<From>) {
    return IntegerCast<To, From>();
  } else if constexpr (kIsInteger<To>) {
    return kSaturated<To, From>;
  } else {
    return kStatic<To, From>;
  }
}

struct CastsTo {
  TileFn from[kElementCodes];
};
template <class To>
constexpr CastsTo kCastsTo = {{Cast<To, bool>(), Cast<To, int32_t>(), Cast<To, int64_t>(), Cast<To, uint8_t>(),
                               Cast<To, uint32_t>(), Cast<To, uint64_t>(), Cast<To, float>(), Cast<To, double>(),
                               Cast<To, Complex<float>>(), Cast<To, Complex<double>>()}};
constexpr CastsTo kCasts[kElementCodes] = {
    kCastsTo<bool>,     kCastsTo<int32_t>, kCastsTo<int64_t>, kCastsTo<uint8_t>,        kCastsTo<uint32_t>,
    kCastsTo<uint64_t>, kCastsTo<float>,   kCastsTo<double>,  kCastsTo<Complex<float>>, kCastsTo<Complex<double>>};

constexpr TileRow kParts[] = {
    {&kReal, kCodeC64, kCodeF32, kRealPart<float>},         {&kReal, kCodeC128, kCodeF64, kRealPart<double>},
    {&kImag, kCodeC64, kCodeF32, kImagPart<float>},         {&kImag, kCodeC128, kCodeF64, kImagPart<double>},
    {&kMakeComplex, kCodeF32, kCodeC64, kFromParts<float>}, {&kMakeComplex, kCodeF64, kCodeC128, kFromParts<double>},
};

}  // namespace

TileFn FindConvert(const OpDef* op, uint8_t from, uint8_t to) {
  if (from >= kElementCodes || to >= kElementCodes) return nullptr;
  if (op == &kConvert || op == &kCast) return kCasts[to].from[from];
  // A real number is its own conjugate and real part.
  if ((op == &kConj || op == &kReal) && from == to && from < kCodeC64) return kCasts[to].from[from];
  for (const TileRow& row : kParts) {
    if (row.op == op && row.from == from && row.to == to) return row.fn;
  }
  return nullptr;
}

}  // namespace tenferro
