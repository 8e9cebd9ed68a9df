#ifndef TENFERRO_CPU_GEMM_KERNELS_H_
#define TENFERRO_CPU_GEMM_KERNELS_H_

#include "tenferro/cpu/gemm/gemm.h"

namespace tenferro {

// The product of one dtype as one instruction set computes it.
struct GemmKernel {
  void (*run)(const GemmArgs& args, const int64_t range[4], void* workspace);
  int64_t (*workspace_bytes)(const GemmArgs& args);
};

// Of f32, f64, c64, c128.
struct GemmKernels {
  GemmKernel of[4];
};

#if defined(__x86_64__)
namespace isa_v2 {
extern const GemmKernels kGemmKernels;
}
namespace isa_v3 {
extern const GemmKernels kGemmKernels;
}
namespace isa_v4 {
extern const GemmKernels kGemmKernels;
}
#else
namespace isa_neon {
extern const GemmKernels kGemmKernels;
}
#endif

}  // namespace tenferro

#endif  // TENFERRO_CPU_GEMM_KERNELS_H_
