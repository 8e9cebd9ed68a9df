#ifndef TENFERRO_CPU_RANDOM_PROGRAM_H_
#define TENFERRO_CPU_RANDOM_PROGRAM_H_

#include <memory>
#include <random>
#include <vector>

#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/program.h"

namespace tenferro {

struct RandomStep;

// For tests: a program of random operations on random numbers, the same for the same seed.
class RandomProgram {
 public:
  // No value will have more than `largest` elements, but for small ones.
  RandomProgram(uint32_t seed, int64_t largest);
  // A function of `values`, f64 or c128, that is differentiable where their moduli are below kTame: only smooth steps,
  // those of `more` among them, whose results are brought back below that.
  RandomProgram(uint32_t seed, int64_t largest, absl::Span<const Var> values, absl::Span<const RandomStep> more);
  static constexpr double kTame = 0.7;

  // One more operation on some of the values.
  void Step();
  // Of all values some, the last ones among them. Errors: those of the operations.
  absl::StatusOr<Program> Finish();
  const std::vector<Tensor>& arguments() const { return arguments_; }
  const std::vector<Var>& values() const { return values_; }

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
  bool tame() const { return graph_ == nullptr; }
  // An argument or a constant.
  Var Fresh(const Tensor& tensor);
  Var Fresh(DType dtype, const Shape& shape);
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
  std::unique_ptr<Graph> graph_;  // null: a function of somebody else's values
  absl::Span<const RandomStep> more_;
  std::vector<Var> inputs_, values_;
  std::vector<Tensor> arguments_;
};

// A tensor of numbers, its elements dense or those of a view: any order of axes, strides of 2, backwards, or 0. Among
// them are at times zeros of both signs, infinities, NaN and the extreme integers; tame ones have moduli below kTame.
Tensor RandomTensor(DType dtype, const Shape& shape, std::mt19937& random, bool tame = false);

// One kind of operation: x, whose dtype is one of `dtypes`, and what else it takes to some results, maybe none.
struct RandomStep {
  DTypeSet dtypes;
  std::vector<Var> (*apply)(RandomProgram& p, const Var& x);
  bool smooth = false;  // differentiable, many times, with no singularity near numbers below kTame
};
absl::Span<const RandomStep> ElementwiseSteps();
absl::Span<const RandomStep> StructuralSteps();
absl::Span<const RandomStep> ReducingSteps();  // and products
absl::Span<const RandomStep> IndexingSteps();  // and orders, cumulative operations, convolutions

}  // namespace tenferro

#endif  // TENFERRO_CPU_RANDOM_PROGRAM_H_
