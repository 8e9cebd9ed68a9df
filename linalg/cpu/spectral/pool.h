#ifndef TENFERRO_LINALG_CPU_SPECTRAL_POOL_H_
#define TENFERRO_LINALG_CPU_SPECTRAL_POOL_H_

#include <stddef.h>

#include <type_traits>
#include <vector>

#include "tenferro/linalg/cpu/scratch.h"

namespace tenferro::linalg {

// Pieces of lent memory, aligned to 64 bytes and returned in any order; from the heap where it is full.
class Pool {
 public:
  explicit Pool(Memory memory) : begin_(static_cast<char*>(memory.data)), next_(begin_), end_(begin_ + memory.bytes) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void* Take(int64_t bytes);
  void Return(void* piece, int64_t bytes);

 private:
  struct Gap {
    char* begin;
    int64_t bytes;
  };
  // Gaps beyond these are not used again.
  static constexpr int kMostGaps = 32;

  char *const begin_, *next_, *const end_;
  Gap gaps_[kMostGaps];
  int gap_count_ = 0;
};

// The same without a pool, which may be null: from the heap.
void* TakePiece(Pool* pool, int64_t bytes);
void ReturnPiece(Pool* pool, void* piece, int64_t bytes);

// A piece for a time.
class Piece {
 public:
  Piece(Pool* pool, int64_t bytes) : pool_(pool), memory_{TakePiece(pool, bytes), bytes} {}
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;
  ~Piece() { ReturnPiece(pool_, memory_.data, memory_.bytes); }
  Memory memory() const { return memory_; }

 private:
  Pool* const pool_;
  const Memory memory_;
};

// What standard containers of a pool's memory need.
template <class T>
struct PoolAllocator {
  using value_type = T;
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;

  PoolAllocator(Pool* pool) : pool(pool) {}
  template <class U>
  PoolAllocator(const PoolAllocator<U>& other) : pool(other.pool) {}

  T* allocate(size_t count) { return static_cast<T*>(TakePiece(pool, static_cast<int64_t>(count * sizeof(T)))); }
  void deallocate(T* piece, size_t count) { ReturnPiece(pool, piece, static_cast<int64_t>(count * sizeof(T))); }
  template <class U>
  bool operator==(const PoolAllocator<U>& other) const {
    return pool == other.pool;
  }

  Pool* pool;
};

template <class T>
using PoolVector = std::vector<T, PoolAllocator<T>>;

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_SPECTRAL_POOL_H_
