#ifndef TENFERRO_CPU_KERNELS_GUARDED_MEMORY_H_
#define TENFERRO_CPU_KERNELS_GUARDED_MEMORY_H_

// For tests.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace tenferro {

// Memory whose last byte, or first, borders on a page that nobody may touch: masked vector loads are invisible to
// sanitizers.
class GuardedMemory {
 public:
  GuardedMemory() = default;
  GuardedMemory(int64_t bytes, bool guard_end) {
    const int64_t page = sysconf(_SC_PAGESIZE);
    const int64_t inner = (bytes + page - 1) / page * page;
    size_ = inner + 2 * page;
    base_ = static_cast<char*>(mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (inner > 0) mprotect(base_ + page, inner, PROT_READ | PROT_WRITE);
    data_ = base_ + page + (guard_end ? inner - bytes : 0);
  }
  GuardedMemory(GuardedMemory&& other) { *this = std::move(other); }
  GuardedMemory& operator=(GuardedMemory&& other) {
    std::swap(base_, other.base_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~GuardedMemory() {
    if (base_ != nullptr) munmap(base_, size_);
  }
  void* data() const { return data_; }

 private:
  char* base_ = nullptr;
  void* data_ = nullptr;
  int64_t size_ = 0;
};

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_GUARDED_MEMORY_H_
