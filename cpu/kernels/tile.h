#ifndef TENFERRO_CPU_KERNELS_TILE_H_
#define TENFERRO_CPU_KERNELS_TILE_H_

// Plain declarations only: kernel files of every instruction set include this header.
#include <stdint.h>

namespace tenferro {

struct OpDef;

// out[i] = f(in[0][i], in[1][i], …) for 0 <= i < n; any n >= 0, any alignment of at least the element's.
// Not a byte outside the n elements is read or written. `out` may equal an input when the element sizes are equal;
// arrays do not overlap otherwise. An element's result depends on its operands and the instruction set, not on its
// neighbours. in[3] points to the operation's attribute words, where it has any.
using TileFn = void (*)(void* out, const void* const* in, int64_t n);

// Instruction sets that kernels are compiled for: x86-64-v2, -v3, -v4 (each with AES and PCLMUL) and arm64.
enum class Isa : uint8_t { kV2, kV3, kV4, kNeon };

// One kernel: the operation's record, the dtypes of the first operand (of the second for select) and of the result.
struct TileRow {
  const OpDef* op;
  uint8_t from;
  uint8_t to;
  TileFn fn;
};

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_TILE_H_
