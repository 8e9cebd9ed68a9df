// select(condition, a, b) for elements of 4 and 8 bytes of any dtype.

#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/families.h"
#include "tenferro/cpu/kernels/vector.h"
#include "tenferro/runtime/ops/elementwise_records.h"

namespace tenferro::TENFERRO_ISA {
namespace {

// A byte to each lane, zero-extended.
HWY_INLINE Vector<uint32_t> Widen(Tag<uint32_t> d, const uint8_t* bytes) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<uint8_t, Tag<uint32_t>>(), bytes));
}
HWY_INLINE Vector<uint64_t> Widen(Tag<uint64_t> d, const uint8_t* bytes) {
  const hn::Rebind<uint32_t, Tag<uint64_t>> half;
  return hn::PromoteTo(d, hn::PromoteTo(half, hn::LoadU(hn::Rebind<uint8_t, Tag<uint64_t>>(), bytes)));
}

template <class T>
void Select(void* out, const void* const* in, int64_t n) {
  const Tag<T> d;
  constexpr int64_t kN = kLanes<T>;
  T* to = static_cast<T*>(out);
  const uint8_t* condition = static_cast<const uint8_t*>(in[0]);
  const T* a = static_cast<const T*>(in[1]);
  const T* b = static_cast<const T*>(in[2]);
  const auto choose = [&](const uint8_t* bytes, Vector<T> x, Vector<T> y) {
    return hn::IfThenElse(hn::Ne(Widen(d, bytes), hn::Zero(d)), x, y);
  };
  int64_t i = 0;
  for (; i <= n - kN; i += kN) {
    hn::StoreU(choose(condition + i, hn::LoadU(d, a + i), hn::LoadU(d, b + i)), d, to + i);
  }
  if (i < n) {
    const int64_t count = n - i;
    uint8_t bytes[kN] = {};
    for (int64_t j = 0; j < kN; ++j) {
      if (j < count) bytes[j] = condition[i + j];
    }
    StoreFirst<T>(choose(bytes, LoadFirst<T>(a + i, count), LoadFirst<T>(b + i, count)), to + i, count);
  }
}

}  // namespace

TileFn FindSelect(const OpDef* op, uint8_t from, uint8_t to) {
  if (op != &kSelect || from != to) return nullptr;
  switch (from) {
    case kCodeI32:
    case kCodeU32:
    case kCodeF32: return Select<uint32_t>;
    case kCodeI64:
    case kCodeU64:
    case kCodeF64:
    case kCodeC64: return Select<uint64_t>;
    default: return nullptr;
  }
}

}  // namespace tenferro::TENFERRO_ISA
