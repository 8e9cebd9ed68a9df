#include "tenferro/ad/random_function.h"

#include <algorithm>
#include <limits>

#include "tenferro/ad/checkpoint.h"
#include "tenferro/cpu/random_program.h"
#include "tenferro/runtime/ops/activations.h"
#include "tenferro/runtime/ops/arithmetic.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/cumulative.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/indexing.h"
#include "tenferro/runtime/ops/indexing_shapes.h"
#include "tenferro/runtime/ops/math.h"
#include "tenferro/runtime/ops/random_gather.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/reductions.h"
#include "tenferro/runtime/ops/sort.h"

namespace tenferro::ad {
namespace {

using Out = std::vector<Var>;

constexpr DTypeSet kReal = SetOf(DType::kF64);
constexpr DTypeSet kBoth = kReal | SetOf(DType::kC128);
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// x moved by numbers `start`, start + 3, … in random order: no two of the results are closer than 1.
Var Spread(RandomProgram& p, const Var& x, double start = 0) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < x.shape().size(); ++i) numbers.push_back(start + 3.0 * static_cast<double>(i));
  std::shuffle(numbers.begin(), numbers.end(), p.random());
  return x + p.Fresh(*Tensor::FromColMajor<double>(x.shape(), numbers));
}

// A function of x plus a number, far from its singularity.
template <Var (*kFunction)(const Arg&), int kTenths>
Out Moved(RandomProgram&, const Var& x) {
  return {kFunction(x + kTenths / 10.0)};
}
template <Var (*kFunction)(const Arg&, const Arg&), int kLeft, int kRight>
Out MovedTwo(RandomProgram& p, const Var& x) {
  const Var y = p.Partner(x, Contains(kReal, x.dtype()) ? kReal : kBoth);
  return {kFunction(x + kLeft / 10.0, y + kRight / 10.0)};
}
// A function of numbers apart from each other, along an axis.
template <Var (*kFunction)(const Arg&, int, bool)>
Out Along(RandomProgram& p, const Var& x) {
  if (x.rank() == 0) return {};
  return {kFunction(Spread(p, x), p.Below(x.rank()), p.OneIn(2))};
}
template <Var (*kFunction)(const Arg&, const Ints&)>
Out Extreme(RandomProgram& p, const Var& x) {
  const Ints axes = p.SomeAxes(x.rank());
  return x.shape().size() == 0 ? Out{} : Out{kFunction(Spread(p, x), axes)};
}
// Of numbers apart from each other; for products of numbers other than 0, as the second derivative asks for.
template <ScatterKind kKind>
Out Scattered(RandomProgram& p, const Var& x) {
  const RandomGather gather = MakeRandomGather(x.shape(), p.random());
  if (gather.windows.size() > p.largest() || gather.indices.size() > p.largest()) return {};
  const Var indices = p.Indices(gather.indices, 4), updates = p.Reshaped(p.Same(x), gather.windows);
  if (kKind == ScatterKind::kMul)
    return {Scatter(x + 1.5, indices, updates - 1.5, kKind, ScatterOf(gather.attributes))};
  return {Scatter(Spread(p, x), indices, Spread(p, updates, 1.5), kKind, ScatterOf(gather.attributes))};
}
// The larger or smaller of two numbers that differ.
template <Var (*kFunction)(const Arg&, const Arg&)>
Out OfTwo(RandomProgram& p, const Var& x) {
  return {kFunction(Spread(p, x), p.Same(x) + (p.Below(8) * 3 + 1.5))};
}

constexpr RandomStep kSteps[] = {
    {kBoth, MovedTwo<Div, 0, 15>, true},
    {kBoth, MovedTwo<Pow, 20, 0>, true},
    {kReal, MovedTwo<Hypot, 15, 0>, true},
    {kReal, MovedTwo<Atan2, 0, 15>, true},
    {kReal, MovedTwo<Atan2, -15, 0>, true},
    {kBoth, Moved<Sqrt, 15>, true},
    {kBoth, Moved<Rsqrt, 15>, true},
    {kBoth, Moved<Log, 15>, true},
    {kBoth, Moved<Log2, 15>, true},
    {kBoth, Moved<Log10, 15>, true},
    {kBoth, Moved<Reciprocal, -15>, true},
    {kReal, Moved<Cbrt, -15>, true},
    {kBoth, Moved<Acosh, 25>, true},
    {kBoth, Moved<Abs, -20>, true},
    {kBoth, Moved<Sign, 20>, true},
    {kBoth, Moved<Angle, 20>, true},
    {kReal, Moved<Lgamma, 20>, true},
    {kReal, Moved<Digamma, 20>, true},
    {kReal, Moved<Relu, 10>, true},
    {kReal, OfTwo<Max>, true},
    {kReal, OfTwo<Min>, true},
    {kReal, Extreme<ReduceMax>, true},
    {kReal, Extreme<ReduceMin>, true},
    {kReal, Along<Sort>, true},
    {kReal, Along<CumMax>, true},
    {kReal, Along<CumMin>, true},
    {kBoth, Scattered<ScatterKind::kMul>, true},
    {kReal, Scattered<ScatterKind::kMin>, true},
    {kReal, Scattered<ScatterKind::kMax>, true},
    {kBoth, [](RandomProgram& p, const Var& x) -> Out { return {IntegerPow(x + 1.5, p.Below(7) - 3)}; }, true},
    {kReal, [](RandomProgram& p, const Var& x) -> Out { return {Polygamma(p.Below(3), x + 2)}; }, true},
    {kReal,
     [](RandomProgram& p, const Var& x) -> Out { return {Clamp(Spread(p, x), p.Same(x) + 4.5, p.Same(x) + 13.5)}; },
     true},
    {kReal,
     [](RandomProgram& p, const Var& x) -> Out {
       const Var a = Spread(p, x, -5 * 3 + 1.5);
       return {p.OneIn(2) ? Rem(a, 3.0) : Mod(a, p.OneIn(2) ? 3.0 : -3.0)};
     },
     true},
    {kBoth,
     [](RandomProgram& p, const Var& x) -> Out { return {Select(p.Fresh(DType::kBool, x.shape()), x, p.Same(x))}; },
     true},
    {kReal,
     [](RandomProgram& p, const Var& x) -> Out {
       if (x.rank() == 0) return {};
       const SortedPairs sorted = SortByKey(Spread(p, x), {p.SameShape(x, kBoth)}, p.Below(x.rank()), p.OneIn(2));
       return {sorted.keys, sorted.values[0]};
     },
     true},
    {kReal,
     [](RandomProgram& p, const Var& x) -> Out {
       if (x.rank() == 0) return {};
       const int axis = p.Below(x.rank());
       return {TopK(Spread(p, x), p.Below(x.dim(axis) + 1), axis).values};
     },
     true},
    {kBoth,
     [](RandomProgram& p, const Var& x) -> Out {
       const Ints axes = p.SomeAxes(x.rank());
       if (x.shape().size() == 0) return {};
       return {Mean(x, axes), LogSumExp(x, axes, KeepDims::kYes), Variance(x, axes)};
     },
     true},
    {kReal,
     [](RandomProgram& p, const Var& x) -> Out {
       if (x.shape().size() < 2) return {};
       return {StandardDeviation(Spread(p, x), FirstAxes(x.rank()), {.ddof = 1}),
               LayerNorm(Spread(p, x), FirstAxes(x.rank()))};
     },
     true},
    {kBoth,
     [](RandomProgram& p, const Var& x) -> Out {
       static constexpr double kOrders[] = {1, 2, 3.5, kInfinity};
       const double order = kOrders[p.Below(4)];
       // The largest modulus is a kink where it is not that of one element alone.
       if (order == kInfinity && (IsComplex(x.dtype()) || x.shape().size() == 0)) return {RmsNorm(Real(x) + 1.5, {})};
       return {Norm(order == kInfinity ? Spread(p, x, 2) : x + 1.5, p.SomeAxes(x.rank()), {.order = order})};
     },
     true},
    {kReal,
     [](RandomProgram& p, const Var& x) -> Out {
       if (x.rank() == 0) return {};
       return {MaskedSoftmax(x, p.Fresh(DType::kBool, x.shape()), p.Below(x.rank()))};
     },
     true},
    {kBoth,
     [](RandomProgram& p, const Var& x) -> Out {
       const Var y = p.AnyOf(kBoth);
       return Checkpoint({x, y}, [&](absl::Span<const Var> in) {
         Out results = p.StepsOn(in, 3);
         results.push_back(Sin(in[0]));
         return results;
       });
     },
     true},
};

}  // namespace

RandomFunction::RandomFunction(uint32_t seed) : seed(seed) {
  RandomProgram shapes(seed, 24);
  const Shape shape = shapes.RandomShape();
  for (int i = 0; i < 3; ++i) {
    inputs.push_back(
        RandomTensor(shapes.OneOf(kBoth), shapes.OneIn(3) ? shapes.RandomShape() : shape, shapes.random(), true));
  }
}

std::vector<Var> RandomFunction::operator()(absl::Span<const Var> in) const {
  RandomProgram program(seed, 24, in, kSteps);
  const size_t steps = 3 + seed % 4;
  for (size_t tries = 0; program.values().size() < in.size() + steps && tries < 200; ++tries) program.Step();
  std::vector<Var> outputs = {Sin(in[0])};  // the first input has an influence always
  const size_t count = program.values().size();
  for (size_t i = std::max(in.size(), count - 2); i < count; ++i) outputs.push_back(program.values()[i]);
  return outputs;
}

}  // namespace tenferro::ad
