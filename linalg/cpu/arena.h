#ifndef TENFERRO_LINALG_CPU_ARENA_H_
#define TENFERRO_LINALG_CPU_ARENA_H_

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

namespace tenferro::linalg::TENFERRO_ISA {

// Memory on the stack that an arena begins with, so that small problems need none of the heap.
template <int64_t kSize>
struct alignas(64) StackChunk {
  char bytes[kSize];
};

// Scratch memory of one decomposition: allocations are aligned to 64 bytes and all end with the arena. Running out of
// memory aborts, as operator new without exceptions does.
class Arena {
 public:
  explicit Arena(int64_t first_chunk_bytes) { Grow(first_chunk_bytes); }
  // Begins with `chunk` unless `expected_bytes` are more.
  template <int64_t kSize>
  Arena(StackChunk<kSize>& chunk, int64_t expected_bytes) : next_(chunk.bytes), left_(kSize) {
    if (expected_bytes > left_) Grow(expected_bytes);
  }
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() {
    while (chunk_ != nullptr) {
      Chunk* previous = chunk_->previous;
      free(chunk_);
      chunk_ = previous;
    }
  }

  // Uninitialised memory for `count` elements.
  template <class T>
  T* Allocate(int64_t count) {
    const int64_t bytes = (count * int64_t{sizeof(T)} + 63) / 64 * 64;
    if (bytes > left_) Grow(bytes);
    T* result = reinterpret_cast<T*>(next_);
    next_ += bytes;
    left_ -= bytes;
    return result;
  }

  template <class T>
  T* AllocateZeroed(int64_t count) {
    T* result = Allocate<T>(count);
    memset(result, 0, static_cast<size_t>(count) * sizeof(T));
    return result;
  }

 private:
  struct alignas(64) Chunk {
    Chunk* previous;
  };

  void Grow(int64_t bytes) {
    if (bytes < 65536) bytes = 65536;
    void* memory = aligned_alloc(64, static_cast<size_t>(bytes + int64_t{sizeof(Chunk)} + 63) / 64 * 64);
    if (memory == nullptr) abort();
    Chunk* chunk = static_cast<Chunk*>(memory);
    chunk->previous = chunk_;
    chunk_ = chunk;
    next_ = reinterpret_cast<char*>(chunk + 1);
    left_ = bytes;
  }

  Chunk* chunk_ = nullptr;
  char* next_ = nullptr;
  int64_t left_ = 0;
};

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_ARENA_H_
