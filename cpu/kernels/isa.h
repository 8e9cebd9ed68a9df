#ifndef TENFERRO_CPU_KERNELS_ISA_H_
#define TENFERRO_CPU_KERNELS_ISA_H_

#include "tenferro/cpu/kernels/tile.h"

namespace tenferro {

// The highest instruction set that this processor and its operating system run; found once.
Isa BestIsa();

// True when kernels of `isa` may be called here.
bool IsSupported(Isa isa);

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_ISA_H_
