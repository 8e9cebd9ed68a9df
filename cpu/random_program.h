#ifndef TENFERRO_CPU_RANDOM_PROGRAM_H_
#define TENFERRO_CPU_RANDOM_PROGRAM_H_

#include <random>
#include <vector>

#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/program.h"

namespace tenferro {

// For tests: a program of random operations on random numbers, the same for the same seed.
class RandomProgram {
 public:
  // No value will have more than `largest` elements, but for small ones.
  RandomProgram(uint32_t seed, int64_t largest);

  // One more operation on some of the values.
  void Step();
  // Of all values some, the last ones among them. Errors: those of the operations.
  absl::StatusOr<Program> Finish();
  const std::vector<Tensor>& arguments() const { return arguments_; }

  // What steps are made with.
  int Below(int64_t n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  bool OneIn(int n) { return Below(n) == 0; }
  std::mt19937& random() { return random_; }
  int64_t largest() const { return largest_; }
  DType OneOf(DTypeSet dtypes);
  Shape RandomShape();
  Ints RandomPermutation(int rank);
  // Some of 0 … rank − 1, ascending.
  Ints SomeAxes(int rank);
  // An argument or a constant.
  Var Fresh(const Tensor& tensor);
  // Integers from −3 to extent + 2, now and then the least or greatest there is; from 0 in unsigned dtypes.
  Var Indices(const Shape& shape, int64_t extent);
  // x's elements, or new numbers where there are too few, in another shape.
  Var Reshaped(const Var& x, const Shape& shape);
  // Another value of x's shape: also of its dtype, or of one in `dtypes`.
  Var Same(const Var& x);
  Var SameShape(const Var& x, DTypeSet dtypes);
  // A value that can be broadcast with x and promoted to a dtype of `dtypes`.
  Var Partner(const Var& x, DTypeSet dtypes);
  // Any value of one of the dtypes, or one that is cast.
  Var AnyOf(DTypeSet dtypes);
  // The results of `count` further steps on `values` alone.
  std::vector<Var> StepsOn(absl::Span<const Var> values, int count);

 private:
  template <class Fits>
  Var Choose(const Var& otherwise, Fits fits);

  std::mt19937 random_;
  int64_t largest_;
  Graph graph_;
  std::vector<Var> inputs_, values_;
  std::vector<Tensor> arguments_;
};

// A tensor of numbers, among them at times zeros of both signs, infinities, NaN and the extreme integers. Its elements
// lie densely or as those of a view: any order of axes, strides of 2, backwards, or 0.
Tensor RandomTensor(DType dtype, const Shape& shape, std::mt19937& random);

// One kind of operation: x, whose dtype is one of `dtypes`, and what else it takes to some results, maybe none.
struct RandomStep {
  DTypeSet dtypes;
  std::vector<Var> (*apply)(RandomProgram& p, const Var& x);
};
absl::Span<const RandomStep> ElementwiseSteps();
absl::Span<const RandomStep> StructuralSteps();
absl::Span<const RandomStep> ReducingSteps();  // and products
absl::Span<const RandomStep> IndexingSteps();  // and orders, cumulative operations, convolutions

}  // namespace tenferro

#endif  // TENFERRO_CPU_RANDOM_PROGRAM_H_
