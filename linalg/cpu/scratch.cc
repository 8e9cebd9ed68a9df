#include "tenferro/linalg/cpu/scratch.h"

#include <cstdlib>
#include <new>

namespace tenferro::linalg {

Memory TakeMemory(int64_t bytes) {
  void* data = ::operator new(static_cast<size_t>(bytes), std::align_val_t(64), std::nothrow);
  if (data == nullptr) std::abort();
  return {data, bytes};
}

void ReturnMemory(Memory memory) { ::operator delete(memory.data, std::align_val_t(64)); }

}  // namespace tenferro::linalg
