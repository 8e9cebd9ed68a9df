#include <cstdint>
#include <cstdio>
#include <string>

#include "tenferro/experiments/flags.h"
#include "tenferro/experiments/vector_comparison.h"
#include "tenferro/tensor/status.h"

namespace {

absl::StatusOr<tenferro::VectorComparison> CompareFiles(const std::string& reference_path, const std::string& got_path,
                                                        double tolerance) {
  if (tolerance < 0) return absl::InvalidArgumentError("the tolerance is negative");
  TENFERRO_ASSIGN_OR_RETURN(const tenferro::Tensor reference, tenferro::ReadNumbers(reference_path));
  TENFERRO_ASSIGN_OR_RETURN(const tenferro::Tensor got, tenferro::ReadNumbers(got_path));
  return tenferro::CompareVectors(reference, got, tolerance);
}

}  // namespace

int main(int argc, char** argv) {
  std::string reference, got;
  double tolerance = 1e-14;
  int64_t threads = 1;
  tenferro::Flags flags(
      "Compares the numbers of two files, .npy or text. Exit code 0: the largest difference is at most\n"
      "TOL·max(1, max|REF|); 1: it is larger; 2: a file cannot be read, the shapes differ, a NaN stands against a "
      "number.");
  flags.AddPositional("REF", &reference, "the reference");
  flags.AddPositional("GOT", &got, "what is compared with it");
  flags.AddOptionalPositional("TOL", &tolerance, "the tolerance");
  flags.Add("threads", &threads, "as every experiment has it; one thread does this");
  flags.ParseOrExit(argc, argv);

  const absl::StatusOr<tenferro::VectorComparison> comparison = CompareFiles(reference, got, tolerance);
  if (!comparison.ok()) {
    std::fprintf(stderr, "compare_vec: %s\n", std::string(comparison.status().message()).c_str());
    return 2;
  }
  std::puts(comparison->ToString().c_str());
  return comparison->within ? 0 : 1;
}
