#ifndef TENFERRO_EXPERIMENTS_VECTOR_COMPARISON_H_
#define TENFERRO_EXPERIMENTS_VECTOR_COMPARISON_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "tenferro/tensor/tensor.h"

namespace tenferro {

// The numbers of a file as f64: a .npy array of any dtype, or, under any other name, a text of numbers with white space
// between them, a vector. A complex array gets a first axis of extent 2 with the real and the imaginary parts.
// Errors: the file cannot be read; something in it is no number; it holds none.
absl::StatusOr<Tensor> ReadNumbers(const std::string& path);

struct VectorComparison {
  int64_t count = 0;
  double max_reference = 0;   // largest modulus among the finite numbers of the reference
  double max_difference = 0;  // infinite where an infinity stands against anything else
  std::string worst_index;    // where it is: "12", or "[1,2]" in more dimensions
  double reference = 0;       // and what stands there
  double got = 0;
  int64_t equal_bits = 0;  // how many numbers agree in every bit
  double bound = 0;        // tolerance · max(1, max_reference)
  bool within = false;

  // n=… max|ref|=… max|diff|=… at I (A vs B) bitwise equal K/N bound=… OK|MISMATCH
  std::string ToString() const;
};

// Compares f64 tensors. NaN equals NaN in the same place, an infinity equals itself.
// Errors: the shapes differ; a NaN stands against a number; there is nothing to compare.
absl::StatusOr<VectorComparison> CompareVectors(const Tensor& reference, const Tensor& got, double tolerance);

}  // namespace tenferro

#endif  // TENFERRO_EXPERIMENTS_VECTOR_COMPARISON_H_
