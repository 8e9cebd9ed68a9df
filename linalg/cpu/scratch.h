#ifndef TENFERRO_LINALG_CPU_SCRATCH_H_
#define TENFERRO_LINALG_CPU_SCRATCH_H_

#include <stdint.h>

namespace tenferro::linalg {

// Memory aligned to 64 bytes for the time of a decomposition. Fresh pages cost as much as a decomposition that fits
// them, so each thread keeps one piece, of up to 64 MiB, for its next one, until it ends. Running out of memory aborts,
// as operator new without exceptions does.
//
// At least `bytes`, a multiple of 64; `size` becomes what it is.
void* TakeScratch(int64_t bytes, int64_t& size);
void ReturnScratch(void* memory, int64_t size);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_SCRATCH_H_
