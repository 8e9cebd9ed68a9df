#ifndef TENFERRO_LINALG_CPU_ARENA_H_
#define TENFERRO_LINALG_CPU_ARENA_H_

#include <stdint.h>
#include <string.h>

#include "tenferro/linalg/cpu/scratch.h"

namespace tenferro::linalg::TENFERRO_ISA {

// Scratch memory of one decomposition: allocations are aligned to 64 bytes and end with the arena, or when it goes back
// to a mark. They come from the memory that was lent, and from the heap where that is not enough.
class Arena {
 public:
  explicit Arena(Memory memory) : next_(static_cast<char*>(memory.data)), left_(memory.bytes) {}
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
    if (kPiecesApart) {
      Grow(count * int64_t{sizeof(T)});
      left_ = bytes;
    } else if (bytes > left_) {
      Grow(bytes < 65536 ? 65536 : bytes);
    }
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
  // What is left, for another arena that ends before the next allocation.
  Memory rest() const { return {next_, left_}; }
  // Ends all allocations since the mark was taken.
  void Release(const Mark& mark) {
    while (chunk_ != mark.chunk) Pop();
    next_ = mark.next;
    left_ = mark.left;
  }

 private:
  void Pop() {
    Chunk* previous = chunk_->previous;
    ReturnMemory({chunk_, chunk_->bytes});
    chunk_ = previous;
  }

  void Grow(int64_t bytes) {
    bytes += int64_t{sizeof(Chunk)};
    Chunk* chunk = static_cast<Chunk*>(TakeMemory(bytes).data);
    chunk->previous = chunk_;
    chunk->bytes = bytes;
    chunk_ = chunk;
    next_ = reinterpret_cast<char*>(chunk + 1);
    left_ = bytes - int64_t{sizeof(Chunk)};
  }

  Chunk* chunk_ = nullptr;
  char* next_;
  int64_t left_;
};

}  // namespace tenferro::linalg::TENFERRO_ISA

#endif  // TENFERRO_LINALG_CPU_ARENA_H_
