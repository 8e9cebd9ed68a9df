// The engine's kernels of the triangular factorisations and of what is solved with them.
#include <memory>

#include "tenferro/linalg/cpu/factor_kernel.h"
#include "tenferro/linalg/factor_slots.h"

namespace tenferro::linalg {
namespace {

absl::StatusOr<std::unique_ptr<Kernel>> MakeKernel(const KernelRequest& request) {
  const DType dtype = request.inputs.back().dtype;
  for (const auto make : {factor::MakeEliminationKernel, factor::MakeReflectionKernel, factor::MakePinvKernel}) {
    if (std::unique_ptr<Kernel> kernel = make(dtype, request)) return kernel;
  }
  return KernelOrError(nullptr, dtype);
}

constexpr CpuFamily kFamily{.make = MakeKernel};
[[maybe_unused]] const bool filled = FillSlot(factor_slots, &FamilySlots::cpu, &kFamily);

}  // namespace
}  // namespace tenferro::linalg
