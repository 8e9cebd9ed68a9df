// Integer powers of the integer dtypes: exact, wrapping.

#include <algorithm>

#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/math_families.h"
#include "tenferro/cpu/kernels/scalar_loop.h"
#include "tenferro/runtime/ops/math_records.h"

namespace tenferro {
namespace {

constexpr int64_t kBlock = 256;

// By repeated squaring, a block of elements at a time so that the bits of the exponent are looked at once for all.
template <class T>
void Power(void* out, const void* const* in, int64_t n) {
  T* to = static_cast<T*>(out);
  const T* x = static_cast<const T*>(in[0]);
  const int64_t exponent = *static_cast<const int64_t*>(in[3]);
  for (int64_t start = 0; start < n; start += kBlock) {
    const int64_t count = std::min(kBlock, n - start);
    T square[kBlock];
    T power[kBlock];
    std::copy_n(x + start, count, square);
    std::fill_n(power, count, T{1});
    for (uint64_t left = static_cast<uint64_t>(exponent); left != 0; left >>= 1) {
      if (left & 1) {
        TENFERRO_INDEPENDENT
        for (int64_t i = 0; i < count; ++i) power[i] = static_cast<T>(power[i] * square[i]);
      }
      TENFERRO_INDEPENDENT
      for (int64_t i = 0; i < count; ++i) square[i] = static_cast<T>(square[i] * square[i]);
    }
    std::copy_n(power, count, to + start);
  }
}

}  // namespace

TileFn FindIntegerPower(const OpDef* op, uint8_t from, uint8_t to) {
  if (op != &kIntegerPow || to != from) return nullptr;
  switch (from) {
    case kCodeU8: return Power<uint8_t>;
    case kCodeI32:
    case kCodeU32: return Power<uint32_t>;
    case kCodeI64:
    case kCodeU64: return Power<uint64_t>;
    default: return nullptr;
  }
}

}  // namespace tenferro
