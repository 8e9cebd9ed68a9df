#ifndef TENFERRO_CPU_KERNELS_EVERY_KERNEL_H_
#define TENFERRO_CPU_KERNELS_EVERY_KERNEL_H_

// For tests: all elementwise kernels by name.

#include <string>
#include <vector>

#include "tenferro/cpu/kernels/tile.h"

namespace tenferro {

struct NamedOp {
  const char* name;
  const OpDef* op;
  int operands;
  int64_t attribute = 0;  // its only attribute word, where it has one
};
const std::vector<NamedOp>& ElementwiseOps();
const OpDef* OpNamed(const std::string& name);
// The kernel of whichever family has one, or nullptr.
TileFn FindTile(Isa isa, const OpDef* op, uint8_t from, uint8_t to);

struct NamedKernel {
  std::string name;  // "v3 add f64 -> f64"
  NamedOp op;
  uint8_t from, to;
  TileFn fn;
};
std::vector<NamedKernel> EveryKernel(Isa isa);

// The instruction sets that run here, lowest first.
std::vector<Isa> SupportedIsas();
const char* Name(Isa isa);

int64_t ElementSize(uint8_t code);
// The code of operand k.
uint8_t OperandCode(const NamedKernel& kernel, int k);

// n elements of the dtype with this code: ordinary and special values in turn, the same for the same seed.
std::vector<char> RandomElements(uint8_t code, int64_t n, uint64_t seed);

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_EVERY_KERNEL_H_
