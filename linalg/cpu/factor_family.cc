// The engine's kernels of the triangular factorisations and of what is solved with them.
#include <memory>

#include "absl/strings/str_cat.h"
#include "tenferro/linalg/cpu/factor_kernel.h"
#include "tenferro/linalg/factor_slots.h"

namespace tenferro::linalg {
namespace {

template <class T>
std::unique_ptr<Kernel> MakeFor(const KernelRequest& request) {
  for (const auto make :
       {factor::MakeEliminationKernel<T>, factor::MakeReflectionKernel<T>, factor::MakePinvKernel<T>}) {
    if (std::unique_ptr<Kernel> kernel = make(request)) return kernel;
  }
  return nullptr;
}

absl::StatusOr<std::unique_ptr<Kernel>> MakeKernel(const KernelRequest& request) {
  std::unique_ptr<Kernel> kernel;
  const DType dtype = request.inputs.back().dtype;
  switch (dtype) {
    case DType::kF32: kernel = MakeFor<float>(request); break;
    case DType::kF64: kernel = MakeFor<double>(request); break;
    case DType::kC64: kernel = MakeFor<std::complex<float>>(request); break;
    case DType::kC128: kernel = MakeFor<std::complex<double>>(request); break;
    default: break;
  }
  if (kernel == nullptr) return absl::UnimplementedError(absl::StrCat("has no kernel for ", Name(dtype)));
  return kernel;
}

constexpr CpuFamily kFamily{.make = MakeKernel};
[[maybe_unused]] const bool filled = FillSlot(factor_slots, &FamilySlots::cpu, &kFamily);

}  // namespace
}  // namespace tenferro::linalg
