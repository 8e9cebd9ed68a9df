#ifndef TENFERRO_LINALG_CPU_ARENA_H_
#define TENFERRO_LINALG_CPU_ARENA_H_

#include <stdint.h>
#include <string.h>

#include "tenferro/linalg/cpu/scratch.h"

namespace tenferro::linalg::TENFERRO_ISA {

// Memory on the stack that an arena begins with, so that small problems need none of the heap.
template <int64_t kSize>
struct alignas(64) StackChunk {
  char bytes[kSize];
};

// Scratch memory of one decomposition: allocations are aligned to 64 bytes and end with the arena, or when it goes back
// to a mark.
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
      Pop();
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
    int64_t bytes;
  };

 public:
  struct Mark {
    Chunk* chunk;
    char* next;
    int64_t left;
  };
  Mark mark() const { return {chunk_, next_, left_}; }
  // Ends all allocations since the mark was taken.
  void Release(const Mark& mark) {
    while (chunk_ != mark.chunk) Pop();
    next_ = mark.next;
    left_ = mark.left;
  }

 private:
  void Pop() {
    Chunk* previous = chunk_->previous;
    ReturnScratch(chunk_, chunk_->bytes);
    chunk_ = previous;
  }

  void Grow(int64_t bytes) {
    if (bytes < 65536) bytes = 65536;
    bytes = (bytes + 63) / 64 * 64 + int64_t{sizeof(Chunk)};
    Chunk* chunk = static_cast<Chunk*>(TakeScratch(bytes, bytes));
    chunk->previous = chunk_;
    chunk->bytes = bytes;
    chunk_ = chunk;
    next_ = reinterpret_cast<char*>(chunk + 1);
    left_ = bytes - int64_t{sizeof(Chunk)};
  }

  Chunk* chunk_ = nullptr;
  char* next_ = nullptr;
  int64_t left_ = 0;
};

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_ARENA_H_
