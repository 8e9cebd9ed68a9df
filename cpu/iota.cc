#include "tenferro/cpu/iota.h"

namespace tenferro {

void FillIota(DType dtype, int64_t size, void* out) {
  Dispatch(dtype, [&]<class T>() {
    for (int64_t i = 0; i < size; ++i) static_cast<T*>(out)[i] = static_cast<T>(i);
  });
}

}  // namespace tenferro
