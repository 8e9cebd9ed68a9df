#ifndef TENFERRO_EXPERIMENTS_PARITY_RUN_H_
#define TENFERRO_EXPERIMENTS_PARITY_RUN_H_

#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "tenferro/experiments/parity/cases.h"
#include "tenferro/runtime/engine.h"
#include "tenferro/runtime/program.h"

namespace tenferro::parity {

// A case as a program: its formula and the derivative that the case's kind asks for.
struct CaseProgram {
  Program program;
  std::vector<Tensor> arguments;
};

// Errors: the case has no formula; those of the operations and transforms.
absl::StatusOr<CaseProgram> BuildCase(const Case& c);

// Builds the case, runs it and compares every output with the reference.
// Errors: those of BuildCase, Prepare and Run; an output that is not the reference's.
absl::Status RunCase(const Engine& engine, const Case& c);

}  // namespace tenferro::parity

#endif  // TENFERRO_EXPERIMENTS_PARITY_RUN_H_
