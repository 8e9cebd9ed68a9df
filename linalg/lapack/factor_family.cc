// The triangular factorisations and solutions of equations by LAPACK. What is not here "//linalg:cpu" runs.
#include <memory>

#include "tenferro/linalg/factor_slots.h"
#include "tenferro/linalg/lapack/factor_kernel.h"

namespace tenferro::linalg::lapack {
namespace {

template <class T>
std::unique_ptr<Kernel> MakeFor(const KernelRequest& request) {
  std::unique_ptr<Kernel> kernel = MakeEliminationKernel<T>(request);
  if (kernel == nullptr) kernel = MakeReflectionKernel<T>(request);
  return kernel;
}

absl::StatusOr<std::unique_ptr<Kernel>> MakeKernel(const KernelRequest& request) {
  switch (request.inputs.back().dtype) {
    case DType::kF32: return MakeFor<float>(request);
    case DType::kF64: return MakeFor<double>(request);
    case DType::kC64: return MakeFor<C64>(request);
    case DType::kC128: return MakeFor<C128>(request);
    default: return nullptr;
  }
}

constexpr CpuFamily kFamily{.make = MakeKernel};
[[maybe_unused]] const bool filled = FillSlot(factor_slots, &FamilySlots::cpu_first, &kFamily);

}  // namespace
}  // namespace tenferro::linalg::lapack
