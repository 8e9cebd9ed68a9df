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

// A few elements one by one, then what is there is copied, twice as much each time: by the widest stores of the machine.
template <class T>
void FillElements(T* out, T value, int64_t n) {
  constexpr int64_t kFew = 256 / sizeof(T);
  int64_t done = n < 2 * kFew ? n : kFew;
  for (int64_t i = 0; i < done; ++i) out[i].bits = value.bits;
  while (done < n) {
    const int64_t more = done < n - done ? done : n - done;
    std::memcpy(out + done, out, static_cast<size_t>(more) * sizeof(T));
    done += more;
  }
}

// out[i·out_stride] = in[i·in_stride] for i < n.
template <class T>
void MoveElements(T* out, int64_t out_stride, const T* in, int64_t in_stride, int64_t n) {
  TENFERRO_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) out[i * out_stride].bits = in[i * in_stride].bits;
}

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_MOVE_ELEMENTS_H_
