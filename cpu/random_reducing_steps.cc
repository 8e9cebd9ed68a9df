#include <algorithm>
#include <limits>

#include "tenferro/cpu/random_program.h"
#include "tenferro/runtime/ops/activations.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/matrix_parts.h"
#include "tenferro/runtime/ops/products.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/reductions.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

using Out = std::vector<Var>;

template <Var (*kFunction)(const Arg&, const Ints&)>
Out Over(RandomProgram& p, const Var& x) {
  return {kFunction(x, p.OneIn(4) ? FirstAxes(x.rank()) : p.SomeAxes(x.rank()))};
}
template <Var (*kFunction)(const Arg&, const Ints&, KeepDims)>
Out Over(RandomProgram& p, const Var& x) {
  return {kFunction(x, p.SomeAxes(x.rank()), p.OneIn(2) ? KeepDims::kYes : KeepDims::kNo)};
}
template <Var (*kFunction)(const Arg&, const Ints&, const VarianceOptions&)>
Out Over(RandomProgram& p, const Var& x) {
  return {kFunction(x, p.SomeAxes(x.rank()), {.ddof = p.OneIn(2) ? 1.0 : 0.0})};
}
template <Var (*kFunction)(const Arg&, int)>
Out Along(RandomProgram& p, const Var& x) {
  if (x.rank() == 0) return {};
  return {kFunction(x, p.Below(x.rank()))};
}

// Axes of equal extents are summed together, walked together or free, as long as the result stays small.
Out Contracted(RandomProgram& p, const Var& x) {
  const Var y = p.OneIn(2) ? p.Same(x) : p.AnyOf(SetOf(x.dtype()));
  DotGeneralAttributes a;
  int64_t size = x.shape().size() * y.shape().size(), work = size;
  for (int64_t i : p.RandomPermutation(x.rank())) {
    for (int64_t k : p.RandomPermutation(y.rank())) {
      const int64_t extent = x.dim(static_cast<int>(i));
      if (extent != y.dim(static_cast<int>(k)) || ContainsAxis(a.rhs_contract, k) || ContainsAxis(a.rhs_batch, k)) {
        continue;
      }
      const bool sums = !p.OneIn(3);
      (sums ? a.lhs_contract : a.lhs_batch).push_back(i);
      (sums ? a.rhs_contract : a.rhs_batch).push_back(k);
      size /= std::max<int64_t>(1, sums ? extent * extent : extent);
      work /= std::max<int64_t>(1, extent);
      break;
    }
  }
  if (size > p.largest() || work > 20 * p.largest() + 20000) return {};
  return {DotGeneral(x, y, a)};
}

Out Multiplied(RandomProgram& p, const Var& x) {
  const Var y = p.OneIn(2) ? p.Same(x) : p.AnyOf(SetOf(x.dtype()));
  if (p.OneIn(4)) return x.dtype() == DType::kBool ? Out{} : Out{VDot(x, p.Same(x))};
  if (x.shape().size() * y.shape().size() > p.largest()) return {};
  if (x.rank() == y.rank() && p.OneIn(2)) return {Kron(x, y)};
  if (x.rank() == 2 && x.shape() == y.shape() && p.OneIn(2)) return {Matmul(x, Transpose(y))};
  if (x.rank() > 0 && y.rank() > 0 && x.dim(x.rank() - 1) == y.dim(y.rank() - 1)) return {Inner(x, y)};
  return {Outer(x, y)};
}

// A product of matrices as large as may be, of few terms, and what a loop does with it.
Out Affine(RandomProgram& p, const Var& x) {
  const int64_t most = std::max<int64_t>(1, std::min<int64_t>(2000, p.largest() / 8));
  const int64_t rows = p.OneIn(3) ? 512 / (1 + p.Below(8)) : 1 + p.Below(most);
  const int64_t columns = p.largest() / rows, terms = p.Below(4);
  if (columns == 0) return {};
  const Var product = Matmul(p.Reshaped(x, {rows, terms}), p.Fresh(x.dtype(), {terms, columns}));
  const Var bias = p.Fresh(x.dtype(), p.OneIn(2) ? Shape({columns}) : Shape({rows, 1}));
  const Var y = p.OneIn(2) ? product * bias + p.Reshaped(p.Same(x), {rows, columns}) : Square(product + bias);
  switch (p.Below(4)) {
    case 0: return {y};
    case 1: return {ReduceSum(y)};
    case 2: return {ReduceSum(y, {0}), y};
    default: return {y, product};
  }
}

constexpr RandomStep kSteps[] = {
    {kNumberSet, Over<ReduceSum>, true},
    {kNumberSet, Over<ReduceSum>, true},
    {kNumberSet, Over<ReduceProd>, true},
    {kRealSet, Over<ReduceMax>},
    {kRealSet, Over<ReduceMin>},
    {kNumberSet, Over<ReduceSumSquares>, true},
    {kFloatOrComplexSet, Over<Mean>},
    {kFloatOrComplexSet, Over<LogSumExp>},
    {kAnySet, Over<Any>},
    {kAnySet, Over<All>},
    {kFloatOrComplexSet, Over<Variance>},
    {kFloatOrComplexSet, Over<StandardDeviation>},
    {kFloatOrComplexSet,
     [](RandomProgram& p, const Var& x) -> Out {
       static constexpr double kOrders[] = {1, 2, 3.5, std::numeric_limits<double>::infinity()};
       return {Norm(x, p.SomeAxes(x.rank()), {.order = kOrders[p.Below(4)]})};
     }},
    {kFloatSet, Along<Softmax>, true},
    {kFloatSet, Along<LogSoftmax>, true},
    {kFloatSet,
     [](RandomProgram& p, const Var& x) -> Out {
       if (x.rank() == 0) return {};
       return {MaskedSoftmax(x, p.SameShape(x, kBoolSet), p.Below(x.rank()))};
     }},
    {kFloatSet,
     [](RandomProgram& p, const Var& x) -> Out {
       return {p.OneIn(2) ? LayerNorm(x, p.SomeAxes(x.rank())) : RmsNorm(x, p.SomeAxes(x.rank()))};
     }},
    {kNumberSet,
     [](RandomProgram& p, const Var& x) -> Out {
       if (x.rank() < 2) return {};
       return {Trace(x, p.Below(5) - 2, x.rank() - 1, 0)};
     },
     true},
    {kAnySet, Contracted, true},
    {kFloatOrComplexSet, Contracted, true},
    {kFloatOrComplexSet, Contracted, true},
    {kAnySet, Multiplied, true},
    {kNumberSet, Affine, true},
};

}  // namespace

absl::Span<const RandomStep> ReducingSteps() { return kSteps; }

}  // namespace tenferro
