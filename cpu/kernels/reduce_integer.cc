// Reductions of integers and booleans. Their order does not change a bit, so chunk and tree are one loop.

#include <limits>

#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/reduce_families.h"
#include "tenferro/cpu/kernels/scalar_loop.h"

namespace tenferro {
namespace {

struct Sum {
  template <class T>
  static constexpr T kIdentity = 0;
  template <class T>
  static T Of(T a, T b) {
    return static_cast<T>(a + b);
  }
};
struct Prod {
  template <class T>
  static constexpr T kIdentity = 1;
  template <class T>
  static T Of(T a, T b) {
    return static_cast<T>(a * b);
  }
};
struct Max {
  template <class T>
  static constexpr T kIdentity = std::numeric_limits<T>::min();
  template <class T>
  static T Of(T a, T b) {
    return a < b ? b : a;
  }
};
struct Min {
  template <class T>
  static constexpr T kIdentity = std::numeric_limits<T>::max();
  template <class T>
  static T Of(T a, T b) {
    return b < a ? b : a;
  }
};
// Of bytes 0 and 1.
struct Any {
  template <class T>
  static constexpr T kIdentity = 0;
  template <class T>
  static T Of(T a, T b) {
    return a | b;
  }
};
struct All {
  template <class T>
  static constexpr T kIdentity = 1;
  template <class T>
  static T Of(T a, T b) {
    return a & b;
  }
};

template <class T, class Op>
void Chunk(void* out, const void* in, int64_t n) {
  const T* x = static_cast<const T*>(in);
  T result = Op::template kIdentity<T>;
  for (int64_t i = 0; i < n; ++i) result = Op::Of(result, x[i]);
  *static_cast<T*>(out) = result;
}

template <class T, class Op>
void Tree(void* out, void* partials, int64_t count) {
  Chunk<T, Op>(out, partials, count);
}

template <class T, class Op>
constexpr ReduceRow kRow = {Chunk<T, Op>, Tree<T, Op>,
                            ScalarBinary<T, T, decltype([](T a, T b) { return Op::Of(a, b); })>,
                            &Op::template kIdentity<T>};

// In the order of ReduceKind. Sums and products do not depend on the sign.
template <class T, class Unsigned>
constexpr const ReduceRow* kInteger[] = {&kRow<Unsigned, Sum>, &kRow<Unsigned, Prod>, &kRow<T, Max>, &kRow<T, Min>};
constexpr const ReduceRow* kBool[] = {nullptr, nullptr, &kRow<uint8_t, Any>, &kRow<uint8_t, All>};

}  // namespace

const ReduceRow* FindReduceInteger(ReduceKind kind, uint8_t dtype) {
  const int index = static_cast<int>(kind);
  switch (dtype) {
    case kCodeBool: return kBool[index];
    case kCodeI32: return kInteger<int32_t, uint32_t>[index];
    case kCodeI64: return kInteger<int64_t, uint64_t>[index];
    case kCodeU8: return kInteger<uint8_t, uint8_t>[index];
    case kCodeU32: return kInteger<uint32_t, uint32_t>[index];
    case kCodeU64: return kInteger<uint64_t, uint64_t>[index];
    default: return nullptr;
  }
}

}  // namespace tenferro
