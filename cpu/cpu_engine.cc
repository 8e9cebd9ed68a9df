#include "tenferro/cpu/cpu_engine.h"

#include <algorithm>

#include "tenferro/cpu/cpu_backend.h"
#include "tenferro/cpu/kernels/isa.h"

namespace tenferro {

CpuEngine CpuEngine::Serial() { return WithThreads(1); }

CpuEngine CpuEngine::WithThreads(int n) { return WithThreads(n, BestIsa()); }

CpuEngine CpuEngine::WithThreads(int n, Isa isa) {
  return CpuEngine(std::make_shared<CpuBackend>(std::clamp(n, 1, 256), IsSupported(isa) ? isa : BestIsa()));
}

namespace {
const CpuBackend& BackendOf(const Engine& engine) { return static_cast<const CpuBackend&>(engine.backend()); }
}  // namespace

int CpuEngine::width() const { return BackendOf(*this).workers().width(); }
Isa CpuEngine::isa() const { return BackendOf(*this).isa(); }
int CpuEngine::threads_used() const { return BackendOf(*this).threads_used(); }
CpuEngine::CacheStatistics CpuEngine::cache_statistics() const { return BackendOf(*this).cache_statistics(); }

}  // namespace tenferro
