#ifndef TENFERRO_CPU_CPU_ENGINE_H_
#define TENFERRO_CPU_CPU_ENGINE_H_

#include <cstdint>

#include "tenferro/cpu/kernels/tile.h"
#include "tenferro/runtime/engine.h"

namespace tenferro {

// Runs programs on the host's processor. Results are the same to the bit for any number of threads.
//
// The target //cpu brings the kernels of all core families; //cpu:engine brings none, and a program that names few
// operations names their kernels (//cpu/kernels:elementwise, …) to stay small.
class CpuEngine : public Engine {
 public:
  // The calling thread does all the work.
  static CpuEngine Serial();
  // The caller and n − 1 threads of the engine's own share it; n counts as 1 below that and as 256 above.
  static CpuEngine WithThreads(int n);
  // Kernels of a lower instruction set than the processor's best, for tests and comparisons. One that it does not have
  // counts as the best.
  static CpuEngine WithThreads(int n, Isa isa);

  int width() const;
  Isa isa() const;
  // How many distinct threads have worked for this engine so far, the caller's included.
  int threads_used() const;

  // Operations run at once keep what was prepared for them: the most recently used ones, up to a limit.
  struct CacheStatistics {
    int64_t hits = 0;
    int64_t misses = 0;
    int64_t evictions = 0;
    int64_t entries = 0;
    int64_t limit = 0;
  };
  CacheStatistics cache_statistics() const;

 private:
  explicit CpuEngine(std::shared_ptr<EngineBackend> backend) : Engine(std::move(backend)) {}
};

}  // namespace tenferro

#endif  // TENFERRO_CPU_CPU_ENGINE_H_
