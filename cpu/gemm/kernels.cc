// Compiled once per instruction set.
#include "tenferro/cpu/gemm/kernels.h"

#include "tenferro/cpu/gemm/blocked_gemm-inl.h"

namespace tenferro {
namespace TENFERRO_ISA {

template <class T, bool kComplex>
constexpr GemmKernel kKernel = {BlockedGemm<T, kComplex>::Run, BlockedGemm<T, kComplex>::WorkspaceBytes};

const GemmKernels kGemmKernels = {
    {kKernel<float, false>, kKernel<double, false>, kKernel<float, true>, kKernel<double, true>}};

}  // namespace TENFERRO_ISA
}  // namespace tenferro
