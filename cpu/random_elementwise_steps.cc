#include "tenferro/cpu/random_program.h"
#include "tenferro/runtime/ops/activations.h"
#include "tenferro/runtime/ops/arithmetic.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/math.h"

namespace tenferro {
namespace {

using Out = std::vector<Var>;

constexpr DTypeSet kBits = kBoolSet | kIntegerSet;
constexpr DTypeSet kScale = kIntegerSet | kFloatSet;

template <Var (*kFunction)(const Arg&)>
Out One(RandomProgram&, const Var& x) {
  return {kFunction(x)};
}
template <Var (*kFunction)(const Arg&, const Arg&), DTypeSet kDTypes>
Out Two(RandomProgram& p, const Var& x) {
  const Var y = p.Partner(x, kDTypes);
  return {p.OneIn(2) ? kFunction(x, y) : kFunction(y, x)};
}

constexpr RandomStep kSteps[] = {
    {kNumberSet, Two<Add, kNumberSet>, true},
    {kNumberSet, Two<Sub, kNumberSet>, true},
    {kNumberSet, Two<Mul, kNumberSet>, true},
    {kNumberSet, Two<Div, kNumberSet>},
    {kNumberSet, Two<Pow, kNumberSet>},
    {kRealSet, Two<Max, kRealSet>},
    {kRealSet, Two<Min, kRealSet>},
    {kBits, Two<And, kBits>},
    {kBits, Two<Or, kBits>},
    {kAnySet, Two<Eq, kAnySet>},
    {kAnySet, Two<Ne, kAnySet>},
    {kRealSet, Two<Lt, kRealSet>},
    {kRealSet, Two<Le, kRealSet>},
    {kRealSet, Two<Gt, kRealSet>},
    {kRealSet, Two<Ge, kRealSet>},
    {kFloatSet, Two<MakeComplex, kFloatSet>, true},
    {kScale, Two<Rem, kScale>},
    {kScale, Two<FloorDivide, kScale>},
    {kScale, Two<Mod, kScale>},
    {kBits, Two<Xor, kBits>},
    {kIntegerSet, Two<ShiftLeft, kIntegerSet>},
    {kIntegerSet, Two<ShiftRightLogical, kIntegerSet>},
    {kIntegerSet, Two<ShiftRightArithmetic, kIntegerSet>},
    {kAnySet, Two<LogicalAnd, kAnySet>},
    {kAnySet, Two<LogicalOr, kAnySet>},
    {kAnySet, Two<LogicalXor, kAnySet>},
    {kFloatSet, Two<Hypot, kFloatSet>},
    {kFloatSet, Two<LogAddExp, kFloatSet>, true},
    {kFloatSet, Two<Atan2, kFloatSet>},
    {kFloatSet, Two<NextAfter, kFloatSet>},

    {kNumberSet, One<Neg>, true},
    {kNumberSet, One<Abs>},
    {kNumberSet, One<Sign>},
    {kNumberSet, One<Square>, true},
    {kFloatOrComplexSet, One<Sqrt>},
    {kFloatOrComplexSet, One<Rsqrt>},
    {kFloatOrComplexSet, One<Exp>, true},
    {kFloatOrComplexSet, One<Expm1>, true},
    {kFloatOrComplexSet, One<Log>},
    {kFloatOrComplexSet, One<Log1p>, true},
    {kFloatOrComplexSet, One<Sin>, true},
    {kFloatOrComplexSet, One<Cos>, true},
    {kFloatOrComplexSet, One<Tanh>, true},
    {kFloatOrComplexSet, One<Sinh>, true},
    {kFloatOrComplexSet, One<Cosh>, true},
    {kComplexSet, One<Conj>, true},
    {kComplexSet, One<Real>, true},
    {kComplexSet, One<Imag>, true},
    {kBits, One<Not>},
    {kFloatOrComplexSet, One<Reciprocal>},
    {kFloatOrComplexSet, One<Exp2>, true},
    {kFloatOrComplexSet, One<Log2>},
    {kFloatOrComplexSet, One<Log10>},
    {kFloatSet, One<Cbrt>},
    {kFloatOrComplexSet, One<Logistic>, true},
    {kFloatOrComplexSet, One<Tan>, true},
    {kFloatOrComplexSet, One<Asin>, true},
    {kFloatOrComplexSet, One<Acos>, true},
    {kFloatOrComplexSet, One<Atan>, true},
    {kFloatOrComplexSet, One<Asinh>, true},
    {kFloatOrComplexSet, One<Acosh>},
    {kFloatOrComplexSet, One<Atanh>, true},
    {kFloatOrComplexSet, One<Angle>},
    {kFloatSet, One<Erf>, true},
    {kFloatSet, One<Erfc>, true},
    {kFloatSet, One<ErfInv>, true},
    {kFloatSet, One<Lgamma>},
    {kFloatSet, One<Digamma>},
    {kScale, One<Floor>},
    {kScale, One<Ceil>},
    {kScale, One<Trunc>},
    {kScale, One<Round>},
    {kScale, One<RoundHalfAway>},
    {kScale, One<SignBit>},
    {kNumberSet, One<IsFinite>},
    {kNumberSet, One<IsNan>},
    {kNumberSet, One<IsInf>},
    {kIntegerSet, One<PopulationCount>},
    {kIntegerSet, One<CountLeadingZeros>},
    {kAnySet, One<LogicalNot>},
    {kFloatSet, One<Silu>, true},
    {kFloatSet, One<Softplus>, true},
    {kFloatSet, One<Gelu>, true},
    {kFloatSet, One<GeluTanh>, true},

    {kNumberSet,
     [](RandomProgram& p, const Var& x) -> Out {
       return {IntegerPow(x, p.Below(6) - (IsInteger(x.dtype()) ? 0 : 3))};
     }},
    {kFloatSet,
     [](RandomProgram& p, const Var& x) -> Out {
       return {x.shape().size() > 4000 ? x + 1 : Polygamma(p.Below(3), x)};
     }},
    {kScale,
     [](RandomProgram& p, const Var& x) -> Out {
       const Var low = p.Same(x);
       return {Clamp(x, low, p.Same(x))};
     }},
    {kAnySet,
     [](RandomProgram& p, const Var& x) -> Out {
       const Var condition = p.SameShape(x, kBoolSet);
       return {Select(condition, x, p.Same(x))};
     }},
    {kAnySet,
     [](RandomProgram& p, const Var& x) -> Out {
       const Var y = p.Same(x);
       return {Select(Ne(x, y), p.Same(x), y)};
     }},
    {kNumberSet, [](RandomProgram& p, const Var& x) -> Out { return {p.OneIn(2) ? x * 3 : 1 - x}; }, true},
    {kFloatOrComplexSet, [](RandomProgram&, const Var& x) -> Out { return {x * 0.5 + 1.0}; }, true},
    {kAnySet, [](RandomProgram& p, const Var& x) -> Out { return {Cast(x, p.OneOf(kAnySet))}; }},
    {kAnySet,
     [](RandomProgram& p, const Var& x) -> Out {
       const DType dtype = p.OneOf(kAnySet);
       const absl::StatusOr<DType> promoted = Promote(x.dtype(), dtype);
       return {promoted.ok() ? Convert(x, *promoted) : x};
     },
     true},
};

}  // namespace

absl::Span<const RandomStep> ElementwiseSteps() { return kSteps; }

}  // namespace tenferro
