#ifndef TENFERRO_LINALG_CPU_SCRATCH_H_
#define TENFERRO_LINALG_CPU_SCRATCH_H_

#include <stdint.h>

namespace tenferro::linalg {

// Scratch memory that a caller lends to a decomposition, aligned to 64 bytes.
struct Memory {
  void* data = nullptr;
  int64_t bytes = 0;
};

// Memory aligned to 64 bytes from the heap. Running out of it aborts, as operator new without exceptions does.
Memory TakeMemory(int64_t bytes);
void ReturnMemory(Memory memory);

// Each piece of scratch memory is then an allocation of its own, so that the sanitizer sees where it ends.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kPiecesApart = true;
#else
constexpr bool kPiecesApart = false;
#endif

// The memory that was lent, or, where that is less than `bytes`, as much from the heap for the time of a decomposition.
class Loan {
 public:
  Loan(Memory lent, int64_t bytes) : lent_(lent.bytes >= bytes), memory_(lent_ ? lent : TakeMemory(bytes)) {}
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;
  ~Loan() {
    if (!lent_) ReturnMemory(memory_);
  }
  Memory memory() const { return memory_; }

 private:
  const bool lent_;
  const Memory memory_;
};

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_SCRATCH_H_
