#ifndef TENFERRO_EXPERIMENTS_DETERMINISM_CASES_H_
#define TENFERRO_EXPERIMENTS_DETERMINISM_CASES_H_

#include <string>
#include <vector>

#include "tenferro/runtime/program.h"

namespace tenferro {

// A program with its arguments, to be run with different numbers of threads.
struct DeterminismCase {
  std::string name;
  Program program;
  std::vector<Tensor> arguments;
};

// The sum of a million numbers, singular values 256×256, a long and thin matrix product, the TRG's value and gradient,
// each operation of the core families, the other families, and derivatives and maps of all: on operands large enough to
// be shared between threads.
absl::StatusOr<std::vector<DeterminismCase>> DeterminismCases();

// Parts of the list, in files of their own.
absl::Status AddFamilyCases(std::vector<DeterminismCase>& cases);

absl::StatusOr<DeterminismCase> MakeDeterminismCase(const std::string& name, const std::vector<Tensor>& arguments,
                                                    const TracedFunction& function);

}  // namespace tenferro

#endif  // TENFERRO_EXPERIMENTS_DETERMINISM_CASES_H_
