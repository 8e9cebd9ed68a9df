#ifndef TENFERRO_EXPERIMENTS_BENCHMARKS_ROW_H_
#define TENFERRO_EXPERIMENTS_BENCHMARKS_ROW_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/tensor/tensor.h"

namespace tenferro {

// One execution of what a row measures.
using Work = std::function<absl::Status()>;

// One row of the table: a name that peers use too, and what to time. A name that ends in " w2" means two threads, the
// others one.
struct BenchRow {
  std::string name;
  // Makes everything that is not to be timed.
  std::function<absl::StatusOr<Work>()> make;
  // Floating-point operations of one execution, where a rate says something.
  double flops = 0;
};

// A row that runs the prepared program of `function` into outputs that are there already.
BenchRow PreparedRow(const std::string& name, int width, std::function<std::vector<Tensor>()> arguments,
                     const TracedFunction& function, double flops = 0);

// Standard normal numbers of a dtype: always the same ones.
Tensor NormalNumbers(DType dtype, const Shape& shape, int seed = 0);

// Σ sin(x)·x², its derivatives, and all steps to its gradient.
std::vector<BenchRow> SmallFunctionRows();
// The tensor renormalisation group: 20 steps, bond dimension 16.
std::vector<BenchRow> TrgRows();
// Elementwise functions, sums, permutations, indexing and sorting of about a million numbers.
std::vector<BenchRow> ArrayRows();
// Matrix products, decompositions, contractions, Fourier transforms.
std::vector<BenchRow> AlgebraRows();

// All of them, in the order of the table.
std::vector<BenchRow> AllRows();

}  // namespace tenferro

#endif  // TENFERRO_EXPERIMENTS_BENCHMARKS_ROW_H_
