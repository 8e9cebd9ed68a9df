#ifndef TENFERRO_LINALG_CPU_FACTOR_KERNEL_H_
#define TENFERRO_LINALG_CPU_FACTOR_KERNEL_H_

#include <cstdint>
#include <memory>

#include "tenferro/cpu/alignment.h"
#include "tenferro/linalg/cpu/factor/kernels.h"
#include "tenferro/linalg/cpu/factor_problems.h"

// What the engine's kernels of the triangular factorisations share.
namespace tenferro::linalg::factor {

// Bytes that Cut takes.
template <class T>
int64_t CutBytes(int64_t count) {
  return Aligned(count * int64_t{sizeof(T)});
}
// The next `count` elements of lent memory, which begins behind them then.
template <class T>
T* Cut(Memory& memory, int64_t count) {
  const int64_t bytes = CutBytes<T>(count);
  T* const piece = static_cast<T*>(memory.data);
  memory = {static_cast<char*>(memory.data) + bytes, memory.bytes - bytes};
  return piece;
}

// The kernel of the request's record, null where it is none of the group: factors by elimination and what is solved
// with them; by reflections; pseudoinverses.
std::unique_ptr<Kernel> MakeEliminationKernel(DType dtype, const KernelRequest& request);
std::unique_ptr<Kernel> MakeReflectionKernel(DType dtype, const KernelRequest& request);
std::unique_ptr<Kernel> MakePinvKernel(DType dtype, const KernelRequest& request);

}  // namespace tenferro::linalg::factor

#endif  // TENFERRO_LINALG_CPU_FACTOR_KERNEL_H_
