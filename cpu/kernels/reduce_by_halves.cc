#include <cstring>

#include "tenferro/cpu/kernels/reduce_families.h"

namespace tenferro {

void ReduceByHalves(void* out, void* partials, int64_t count, int64_t element_size, TileFn combine,
                    const void* identity) {
  char* const bytes = static_cast<char*>(partials);
  while (count > 1) {
    const int64_t half = (count + 1) / 2;
    const void* const in[] = {bytes, bytes + half * element_size};
    combine(bytes, in, count - half);
    count = half;
  }
  std::memcpy(out, count == 0 ? identity : bytes, static_cast<size_t>(element_size));
}

}  // namespace tenferro
