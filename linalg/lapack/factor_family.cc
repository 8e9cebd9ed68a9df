// The triangular factorisations and solutions of equations by LAPACK. What is not here "//linalg:cpu" runs.
#include <memory>

#include "tenferro/linalg/factor_slots.h"
#include "tenferro/linalg/lapack/factor_kernel.h"

namespace tenferro::linalg::lapack {
namespace {

absl::StatusOr<std::unique_ptr<Kernel>> MakeKernel(const KernelRequest& request) {
  const DType dtype = request.inputs.back().dtype;
  std::unique_ptr<Kernel> kernel = MakeEliminationKernel(dtype, request);
  if (kernel == nullptr) kernel = MakeReflectionKernel(dtype, request);
  return kernel;
}

constexpr CpuFamily kFamily{.make = MakeKernel};
[[maybe_unused]] const bool filled = FillSlot(factor_slots, &FamilySlots::cpu_first, &kFamily);

}  // namespace
}  // namespace tenferro::linalg::lapack
