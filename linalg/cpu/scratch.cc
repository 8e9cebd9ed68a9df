#include "tenferro/linalg/cpu/scratch.h"

#include <stdlib.h>

namespace tenferro::linalg {
namespace {

struct Kept {
  void* memory = nullptr;
  int64_t size = 0;
  ~Kept() {
    free(memory);
    memory = nullptr;
    size = 0;
  }
};
thread_local Kept kept;

}  // namespace

void* TakeScratch(int64_t bytes, int64_t& size) {
  if (kept.size >= bytes) {
    size = kept.size;
    void* memory = kept.memory;
    kept.memory = nullptr;
    kept.size = 0;
    return memory;
  }
  size = bytes;
  void* memory = aligned_alloc(64, static_cast<size_t>(bytes));
  if (memory == nullptr) abort();
  return memory;
}

void ReturnScratch(void* memory, int64_t size) {
  constexpr int64_t kMost = 64 << 20;
  if (size > kept.size && size <= kMost) {
    free(kept.memory);
    kept.memory = memory;
    kept.size = size;
  } else {
    free(memory);
  }
}

}  // namespace tenferro::linalg
