#ifndef TENFERRO_CPU_KERNELS_MOVE_ELEMENTS_H_
#define TENFERRO_CPU_KERNELS_MOVE_ELEMENTS_H_

#include <cstdint>
#include <cstring>

#include "tenferro/cpu/kernels/scalar_loop.h"

namespace tenferro {

// The bits of an element of any type, at any address: neighbours are moved as one larger element.
template <class Bits>
struct __attribute__((packed, may_alias)) Element {
  Bits bits;
};
using Element1 = Element<uint8_t>;
using Element4 = Element<uint32_t>;
using Element8 = Element<uint64_t>;
using Element16 = Element<unsigned __int128>;

template <class T>
void FillElements(T* out, T value, int64_t n) {
  // Lines of the cache, which compilers write with vectors.
  constexpr int64_t kLine = 64 / sizeof(T);
  if (n >= kLine) {
    T line[kLine];
    for (T& element : line) element.bits = value.bits;
    for (; n >= kLine; n -= kLine, out += kLine) std::memcpy(out, line, sizeof line);
  }
  for (int64_t i = 0; i < n; ++i) out[i].bits = value.bits;
}

// out[i·out_stride] = in[i·in_stride] for i < n.
template <class T>
void MoveElements(T* out, int64_t out_stride, const T* in, int64_t in_stride, int64_t n) {
  TENFERRO_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) out[i * out_stride].bits = in[i * in_stride].bits;
}

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_MOVE_ELEMENTS_H_
