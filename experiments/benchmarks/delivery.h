#ifndef TENFERRO_EXPERIMENTS_BENCHMARKS_DELIVERY_H_
#define TENFERRO_EXPERIMENTS_BENCHMARKS_DELIVERY_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tenferro/experiments/benchmarks/figures.h"

namespace tenferro {

// What a user waits for and stores: from start to end of a process that takes one gradient, its memory, its size.
// Beside it /usr/bin/true, which is what starting any process costs. `spawn` and `program` are paths. Errors: a program
// cannot be run or read.
absl::StatusOr<std::vector<Measured>> MeasureDelivery(const std::string& spawn, const std::string& program,
                                                      int processes);

}  // namespace tenferro

#endif  // TENFERRO_EXPERIMENTS_BENCHMARKS_DELIVERY_H_
