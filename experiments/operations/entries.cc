#include "tenferro/experiments/operations/entries.h"

#include <cmath>

#include "tenferro/ad/checkpoint.h"
#include "tenferro/ad/custom_rule.h"
#include "tenferro/ad/stop_gradient.h"
#include "tenferro/fft/records.h"
#include "tenferro/linalg/cholesky.h"
#include "tenferro/linalg/eig.h"
#include "tenferro/linalg/eigh.h"
#include "tenferro/linalg/hermitian_function.h"
#include "tenferro/linalg/incremental_qr.h"
#include "tenferro/linalg/least_squares.h"
#include "tenferro/linalg/lu.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/matrix_function.h"
#include "tenferro/linalg/qr.h"
#include "tenferro/linalg/solve.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/linalg/triangular_solve.h"
#include "tenferro/runtime/ops/arithmetic.h"
#include "tenferro/runtime/ops/barrier.h"
#include "tenferro/runtime/ops/call.h"
#include "tenferro/runtime/ops/convolution.h"
#include "tenferro/runtime/ops/cumulative.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/indexing.h"
#include "tenferro/runtime/ops/math.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/sort.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

template <auto kFunction>
Out One(Operands& x) {
  return {kFunction(x({5, 3}))};
}
template <auto kFunction>
Out Two(Operands& x) {
  const Var a = x({5, 3});
  return {kFunction(a, x({5, 3}))};
}
template <Var (*kFunction)(const Arg&, const Ints&)>
Out Reduced(Operands& x) {
  return {kFunction(x({5, 3}), {0})};
}
template <Var (*kFunction)(const Arg&, int, bool)>
Out Along(Operands& x) {
  return {kFunction(x({5, 3}), 0, true)};
}
template <Var (*kFunction)(const Arg&, int)>
Out Place(Operands& x) {
  return {kFunction(x({5, 3}), 0)};
}
template <ScatterKind kKind>
Out Scattered(Operands& x) {
  const Var operand = x({5, 3}), indices = x.Indices({4});
  return {Scatter(operand, indices, x({4, 3}), kKind,
                  {.update_window_dims = {1},
                   .inserted_window_dims = {0},
                   .scatter_dims_to_operand_dims = {0},
                   .index_vector_dim = 1})};
}
// A matrix near 4 and a positive definite one, for what asks for eigenvalues in the right half plane.
Var NearFour(Operands& x) {
  const Var a = x({3, 3});
  return a * 0.2 + Convert(EmbedDiag(Full(a, RealOf(a.dtype()), {3}, 4)), a.dtype());
}
Var PositiveDefinite(Operands& x) {
  const Var a = NearFour(x);
  return Matmul(a, Conj(Transpose(a)));
}
// Symmetric and without an operand.
Var Products(const Var& like) {
  const Var row = Iota(like, RealOf(like.dtype()), {3, 3}, 0), column = Iota(like, RealOf(like.dtype()), {3, 3}, 1);
  return Convert(row * column, like.dtype());
}
// With eigenvalues near 0, 1 and 2.
Var Apart(Operands& x) {
  const Var a = x({3, 3});
  return a * 0.2 + Convert(EmbedDiag(Iota(a, RealOf(a.dtype()), {3}, 0)), a.dtype());
}
template <Var (*kFunction)(const Arg&)>
Out OfNearFour(Operands& x) {
  return {kFunction(NearFour(x))};
}
template <Var (*kDerivative)(const Var&, const Var&)>
Out DerivativeNearFour(Operands& x) {
  const Var a = NearFour(x);
  return {kDerivative(a, x({3, 3}))};
}
constexpr linalg::ScalarFunction kSine = {.name = "sin",
                                          .value = [](double x) { return std::sin(x); },
                                          .derivative = [](double x) { return std::cos(x); },
                                          .second = [](double x) { return -std::sin(x); }};
// Twice the unit matrix: what makes a matrix of small numbers regular.
Var MatrixOfTwos(const Var& a) { return EmbedDiag(Full(a, a.dtype(), {a.shape()[0]}, 2)); }
// Four rows of three, independent.
Var TallMatrix(Operands& x) {
  const Var a = x({3, 3});
  return Concatenate({a + MatrixOfTwos(a), x({1, 3})}, 0);
}
Out SvdOf(linalg::SvdResult result) { return {result.u, result.s, result.vh}; }

constexpr OpEntry kEntries[] = {
    {&kAdd, "add", Two<Add>},
    {&kSub, "subtract", Two<Sub>},
    {&kMul, "multiply", Two<Mul>},
    {&kDiv, "divide", Two<Div>},
    {&kNeg, "negate", One<Neg>},
    {&kPow, "power", Two<Pow>},
    {&kMax, "maximum", Two<Max>},
    {&kMin, "minimum", Two<Min>},
    {&kAbs, "abs", One<Abs>},
    {&kSign, "sign", One<Sign>},
    {&kSqrt, "sqrt", One<Sqrt>},
    {&kRsqrt, "rsqrt", One<Rsqrt>},
    {&kSquare, nullptr, One<Square>},
    {&kExp, "exponential", One<Exp>},
    {&kExpm1, "exponential_minus_one", One<Expm1>},
    {&kLog, "log", One<Log>},
    {&kLog1p, "log_plus_one", One<Log1p>},
    {&kSin, "sine", One<Sin>},
    {&kCos, "cosine", One<Cos>},
    {&kTanh, "tanh", One<Tanh>},
    {&kSinh, nullptr, One<Sinh>},
    {&kCosh, nullptr, One<Cosh>},
    {&kConj, nullptr,
     [](Operands& x) -> Out {
       return {EmitOne(kConj, {}, {x({5, 3})}, Location::current())};
     }},
    {&kReal, "real",
     [](Operands& x) -> Out {
       return {EmitOne(kReal, {}, {x({5, 3})}, Location::current())};
     }},
    {&kImag, "imag",
     [](Operands& x) -> Out {
       return {EmitOne(kImag, {}, {x({5, 3})}, Location::current())};
     }},
    {&kMakeComplex, "complex", Two<MakeComplex>},
    {&kAnd, "and", Two<And>},
    {&kOr, "or", Two<Or>},
    {&kNot, "not", One<Not>},
    {&kEq, "compare", Two<Eq>},
    {&kNe, "compare", Two<Ne>},
    {&kLt, "compare", Two<Lt>},
    {&kLe, "compare", Two<Le>},
    {&kGt, "compare", Two<Gt>},
    {&kGe, "compare", Two<Ge>},
    {&kSelect, "select",
     [](Operands& x) -> Out {
       const Var condition = x.Bools({5, 3}), a = x({5, 3});
       return {Select(condition, a, x({5, 3}))};
     }},
    {&kConvert, "convert",
     [](Operands& x) -> Out {
       return {EmitOne(kConvert, {static_cast<int64_t>(DType::kC128)}, {x({5, 3})}, Location::current())};
     }},
    {&kCast, "convert",
     [](Operands& x) -> Out {
       return {EmitOne(kCast, {static_cast<int64_t>(DType::kC128)}, {x({5, 3})}, Location::current())};
     }},

    {&kReciprocal, nullptr, One<Reciprocal>},
    {&kIntegerPow, nullptr,
     [](Operands& x) -> Out {
       return {IntegerPow(x({5, 3}), 3)};
     }},
    {&kExp2, nullptr, One<Exp2>},
    {&kLog2, nullptr, One<Log2>},
    {&kLog10, nullptr, One<Log10>},
    {&kCbrt, "cbrt", One<Cbrt>},
    {&kHypot, nullptr, Two<Hypot>},
    {&kLogistic, "logistic", One<Logistic>},
    {&kLogAddExp, nullptr, Two<LogAddExp>},
    {&kTan, "tan", One<Tan>},
    {&kAsin, nullptr, One<Asin>},
    {&kAcos, nullptr, One<Acos>},
    {&kAtan, nullptr, One<Atan>},
    {&kAtan2, "atan2", Two<Atan2>},
    {&kAsinh, nullptr, One<Asinh>},
    {&kAcosh, nullptr,
     [](Operands& x) -> Out {
       return {Acosh(x({5, 3}) + 1)};
     }},
    {&kAtanh, nullptr, One<Atanh>},
    {&kAngle, nullptr, One<Angle>},
    {&kNextAfter, nullptr, Two<NextAfter>},
    {&kErf, nullptr, One<Erf>},
    {&kErfc, nullptr, One<Erfc>},
    {&kErfInv, nullptr, One<ErfInv>},
    {&kLgamma, nullptr, One<Lgamma>},
    {&kDigamma, nullptr, One<Digamma>},
    {&kPolygamma, nullptr,
     [](Operands& x) -> Out {
       return {Polygamma(1, x({5, 3}))};
     }},

    {&kRem, "remainder", Two<Rem>},
    {&kFloorDivide, nullptr, Two<FloorDivide>},
    {&kMod, nullptr, Two<Mod>},
    {&kFloor, "floor", One<Floor>},
    {&kCeil, "ceil", One<Ceil>},
    {&kRound, "round_nearest_even", One<Round>},
    {&kRoundHalfAway, "round_nearest_afz", One<RoundHalfAway>},
    {&kTrunc, nullptr, One<Trunc>},
    {&kSignBit, nullptr, One<SignBit>},
    {&kClamp, "clamp",
     [](Operands& x) -> Out {
       const Var a = x({5, 3}), low = x({5, 3});
       return {Clamp(a, low, x({5, 3}))};
     }},
    {&kXor, "xor", Two<Xor>},
    {&kShiftLeft, "shift_left", Two<ShiftLeft>},
    {&kShiftRightArithmetic, "shift_right_arithmetic", Two<ShiftRightArithmetic>},
    {&kShiftRightLogical, "shift_right_logical", Two<ShiftRightLogical>},
    {&kPopulationCount, "popcnt", One<PopulationCount>},
    {&kCountLeadingZeros, "count_leading_zeros", One<CountLeadingZeros>},

    {&kReduceSum, "reduce", Reduced<ReduceSum>},
    {&kReduceProd, "reduce", Reduced<ReduceProd>},
    {&kReduceMax, "reduce", Reduced<ReduceMax>},
    {&kReduceMin, "reduce", Reduced<ReduceMin>},

    {&kTranspose, "transpose",
     [](Operands& x) -> Out {
       return {Transpose(x({5, 3, 2}), {2, 0, 1})};
     }},
    {&kReshape, "reshape",
     [](Operands& x) -> Out {
       return {Reshape(x({5, 3, 2}), {6, 5})};
     }},
    {&kBroadcastInDim, "broadcast_in_dim",
     [](Operands& x) -> Out {
       return {BroadcastInDim(x({5, 1}), {2, 3, 5}, {2, 1})};
     }},
    {&kSlice, "slice",
     [](Operands& x) -> Out {
       return {Slice(x({5, 3}), {1, 0}, {5, 2}, {2, 1})};
     }},
    {&kPad, "pad",
     [](Operands& x) -> Out {
       const Var a = x({5, 3});
       return {Pad(a, x({}), {1, -1}, {-2, 2}, {1, 0})};
     }},
    {&kConcatenate, "concatenate",
     [](Operands& x) -> Out {
       const Var a = x({5, 3});
       return {Concatenate({a, x({5, 2})}, 1)};
     }},
    {&kReverse, "reverse",
     [](Operands& x) -> Out {
       return {Reverse(x({5, 3}), {0})};
     }},
    {&kExtractDiag, nullptr,
     [](Operands& x) -> Out {
       return {ExtractDiag(x({3, 5, 3}), 0, 2)};
     }},
    {&kEmbedDiag, nullptr,
     [](Operands& x) -> Out {
       return {EmbedDiag(x({5, 3}), 0, 2)};
     }},

    {&kGather, "gather",
     [](Operands& x) -> Out {
       const Var a = x({5, 3});
       return {Gather(a, x.Indices({4}),
                      {.offset_dims = {1},
                       .collapsed_slice_dims = {0},
                       .start_index_map = {0},
                       .index_vector_dim = 1,
                       .slice_sizes = {1, 3}})};
     }},
    {&kScatterSet, "scatter", Scattered<ScatterKind::kSet>},
    {&kScatterAdd, "scatter", Scattered<ScatterKind::kAdd>},
    {&kScatterMul, "scatter", Scattered<ScatterKind::kMul>},
    {&kScatterMin, "scatter", Scattered<ScatterKind::kMin>},
    {&kScatterMax, "scatter", Scattered<ScatterKind::kMax>},
    {&kDynamicSlice, "dynamic_slice",
     [](Operands& x) -> Out {
       const Var a = x({5, 3});
       return {DynamicSlice(a, x.Indices({2}), {2, 1})};
     }},
    {&kDynamicUpdateSlice, "dynamic_update_slice",
     [](Operands& x) -> Out {
       const Var a = x({5, 3}), update = x({2, 1});
       return {DynamicUpdateSlice(a, update, x.Indices({2}))};
     }},

    {&kSort, "sort", Along<Sort>},
    {&kArgSort, "sort", Along<ArgSort>},
    {&kTopK, "top_k (CHLO)",
     [](Operands& x) -> Out {
       const TopKResult top = TopK(x({5, 3}), 2, 0);
       return {top.values, top.indices};
     }},
    {&kArgMax, nullptr, Place<ArgMax>},
    {&kArgMin, nullptr, Place<ArgMin>},

    {&kCumSum, "reduce_window", Along<CumSum>},
    {&kCumProd, "reduce_window", Along<CumProd>},
    {&kCumMax, "reduce_window", Along<CumMax>},
    {&kCumMin, "reduce_window", Along<CumMin>},
    {&kCumLogSumExp, "reduce_window", Along<CumLogSumExp>},
    {&kLinearRecurrence, nullptr,
     [](Operands& x) -> Out {
       const Var a = x({5, 3});
       return {LinearRecurrence(a, x({5, 3}), 0)};
     }},

    {&kDotGeneral, "dot_general",
     [](Operands& x) -> Out {
       const Var a = x({5, 3, 2});
       return {
           DotGeneral(a, x({2, 3, 4}), {.lhs_contract = {1}, .rhs_contract = {1}, .lhs_batch = {2}, .rhs_batch = {0}})};
     }},
    {&kConvGeneral, "convolution",
     [](Operands& x) -> Out {
       const Var a = x({7, 2, 3});
       return {ConvGeneral(a, x({3, 2, 4}), {.strides = {2}, .low = {1}, .high = {1}})};
     }},

    {&kInput, "function argument",
     [](Operands& x) -> Out {
       return {x({5, 3})};
     }},
    {&kFull, "constant",
     [](Operands& x) -> Out {
       return {FullLike(x({5, 3}), true)};
     }},
    {&kIota, "iota",
     [](Operands& x) -> Out {
       const Var like = x({5, 3});
       return {Iota(like, like.dtype(), {5, 3}, 0)};
     }},
    {&kConstant, "constant",
     [](Operands& x) -> Out {
       return {x({5, 3}), ConstantLike(x({5, 3}), *Tensor::Zeros(DType::kF64, {5, 3}))};
     }},

    {&kCall, "call",
     [](Operands& x) -> Out {
       return Call({x({5, 3})}, [](In in) -> Out { return {in[0] * in[0]}; });
     }},
    {&kBarrier, "optimization_barrier",
     [](Operands& x) -> Out {
       return Barrier({x({5, 3})}, {});
     }},
    {&kStopGradient, nullptr, One<StopGradient>},
    {&ad::kCheckpoint, nullptr,
     [](Operands& x) -> Out {
       return ad::Checkpoint({x({5, 3})}, [](In in) -> Out { return {in[0] * in[0]}; });
     }},
    {&ad::kCheckpointName, nullptr,
     [](Operands& x) -> Out {
       return {ad::CheckpointName(x({5, 3}), "x")};
     }},
    {&ad::kCustomJvp, nullptr,
     [](Operands& x) -> Out {
       return ad::CustomJvp(
           {x({5, 3})}, [](In in) -> Out { return {in[0] * in[0]}; },
           [](In in, In, In t) -> Out { return {t[0] * in[0] * 2}; });
     }},
    {&ad::kCustomVjp, nullptr,
     [](Operands& x) -> Out {
       return ad::CustomVjp(
           {x({5, 3})}, [](In in) -> Out { return {in[0] * in[0]}; },
           [](In in, In, In ct) -> Out { return {ct[0] * Conj(in[0]) * 2}; });
     }},

    {&fft::kTransform, "fft",
     [](Operands& x) -> Out {
       return {fft::Transform(x({5, 3}), {.axes = {0, 1}, .inverse = true, .scale = 0.5})};
     }},
    {&fft::kRealToHalf, "fft",
     [](Operands& x) -> Out {
       return {fft::RealToHalf(x({6, 3}), {.axis = 0, .n = 6, .ends = 1, .inner = 2})};
     }},
    {&fft::kHalfToReal, "fft",
     [](Operands& x) -> Out {
       return {fft::HalfToReal(x({3, 3}), {.axis = 0, .n = 5, .ends = 1, .inner = 2})};
     }},

    {&linalg::kSvd, nullptr,
     [](Operands& x) -> Out {
       return {SvdOf(linalg::Svd(x({5, 3})))[1]};
     }},
    {&linalg::kSvdFull, nullptr,
     [](Operands& x) -> Out {
       return {SvdOf(linalg::Svd(x({5, 3}), {.full = true}))[1]};
     }},
    {&linalg::kSvdVals, nullptr,
     [](Operands& x) -> Out {
       return {linalg::SvdVals(x({5, 3}))};
     }},
    {&linalg::kIsometry, nullptr,
     [](Operands& x) -> Out {
       const Var u = linalg::Isometry(x({5, 3}), 1);
       return {Matmul(u, Conj(Transpose(u)))};
     }},
    {&linalg::kCheckGaugeInvariant, nullptr,
     [](Operands& x) -> Out {
       const Var a = x({5, 3});
       return {linalg::CheckGaugeInvariant(a, Real(x({2})), 1.0)};
     }},
    {&linalg::kSvdLorentz, nullptr,
     [](Operands& x) -> Out {
       return {SvdOf(linalg::Svd(x({5, 3}), {.derivative_eps = 1e-12}))[1]};
     }},
    {&linalg::kSvdTruncated, nullptr,
     [](Operands& x) -> Out {
       return {SvdOf(linalg::SvdTruncated(x({5, 3}), 1))[1]};
     }},
    {&linalg::kSplitSvd, nullptr,
     [](Operands& x) -> Out {
       const linalg::SplitResult split = linalg::SplitSvd(x({5, 3}), 1);
       return {Matmul(split.left, split.right)};
     }},
    {&linalg::kTruncatedComplement, nullptr,
     [](Operands& x) -> Out {
       const Var a = x({5, 3});
       const linalg::SvdResult t = linalg::SvdTruncated(a, 1);
       const Var p = x({5, 1}), q = x({3, 1});
       const linalg::ComplementResult c =
           linalg::TruncatedComplement(a, t.u, t.s, Conj(Transpose(t.vh)), Convert(EmbedDiag(t.s), a.dtype()), p, q);
       return {c.x, c.y};
     }},
    {&linalg::kRootSylvester, nullptr,
     [](Operands& x) -> Out {
       const Var roots = x({3}), root = Convert(EmbedDiag(Abs(roots)), roots.dtype());
       return {linalg::RootSylvester(root, x({3, 3}), {.power = 2, .rows = 3})};
     }},
    {&linalg::kEigh, nullptr,
     [](Operands& x) -> Out {
       return {linalg::Eigh(x({3, 3})).values};
     }},
    {&linalg::kEigvalsh, nullptr,
     [](Operands& x) -> Out {
       return {linalg::Eigvalsh(x({3, 3}))};
     }},
    {&linalg::kGeneralizedEigh, nullptr,
     [](Operands& x) -> Out {
       const Var a = x({3, 3});
       return {linalg::GeneralizedEigh(a, PositiveDefinite(x)).values};
     }},
    {&linalg::kHermitianFunction, nullptr,
     [](Operands& x) -> Out {
       return {linalg::HermitianFunction(x({3, 3}), kSine)};
     }},
    {&linalg::kHermitianFunctionDerivative, nullptr,
     [](Operands& x) -> Out {
       const Var a = x({3, 3});
       return {linalg::HermitianFunctionDerivative(kSine, a, x({3, 3}))};
     }},
    {&linalg::kHermitianFunctionSecond, nullptr,
     [](Operands& x) -> Out {
       const Var e = x({3, 3});
       return {linalg::HermitianFunctionSecond(kSine, Products(e), e, x({3, 3}))};
     }},
    {&linalg::kEig, nullptr,
     [](Operands& x) -> Out {
       return {linalg::Eig(Apart(x)).values};
     }},
    {&linalg::kEigvals, nullptr,
     [](Operands& x) -> Out {
       return {linalg::Eigvals(Apart(x))};
     }},
    {&linalg::kSchur, nullptr,
     [](Operands& x) -> Out {
       return {linalg::Schur(x({3, 3})).t};
     }},
    {&linalg::kExpm, nullptr, OfNearFour<linalg::Expm>},
    {&linalg::kSqrtm, nullptr, OfNearFour<linalg::Sqrtm>},
    {&linalg::kLogm, nullptr, OfNearFour<linalg::Logm>},
    {&linalg::kExpmDerivative, nullptr, DerivativeNearFour<linalg::ExpmDerivative>},
    {&linalg::kSqrtmDerivative, nullptr, DerivativeNearFour<linalg::SqrtmDerivative>},
    {&linalg::kLogmDerivative, nullptr, DerivativeNearFour<linalg::LogmDerivative>},
    {&linalg::kPolar, nullptr,
     [](Operands& x) -> Out {
       const linalg::PolarResult d = linalg::Polar(x({5, 3}));
       return {d.u, d.p};
     }},
    {&linalg::kHermitianSylvester, nullptr,
     [](Operands& x) -> Out {
       const Var p = PositiveDefinite(x);
       return {linalg::HermitianSylvester(p, x({3, 3}))};
     }},

    {&linalg::kCholesky, "cholesky",
     [](Operands& x) -> Out {
       const Var a = x({3, 3});
       return {linalg::Cholesky(Matmul(a, linalg::Adjoint(a)) + MatrixOfTwos(a))};
     }},
    {&linalg::kTriangularSolve, "triangular_solve",
     [](Operands& x) -> Out {
       const Var a = x({3, 3});
       return {linalg::TriangularSolve(a + MatrixOfTwos(a), x({3, 2}), {.lower = true})};
     }},
    {&linalg::kLu, nullptr,
     [](Operands& x) -> Out {
       const linalg::LuResult f = linalg::Lu(TallMatrix(x));
       return {f.l, f.u};
     }},
    {&linalg::kFullPivotLu, nullptr,
     [](Operands& x) -> Out {
       const linalg::FullPivotLuResult f = linalg::FullPivotLu(TallMatrix(x));
       return {f.l, f.u};
     }},
    {&linalg::kLuSolve, nullptr,
     [](Operands& x) -> Out {
       const Var a = x({3, 3});
       return {linalg::Solve(a + MatrixOfTwos(a), x({3, 2}))};
     }},
    {&linalg::kDet, nullptr,
     [](Operands& x) -> Out {
       const Var a = x({3, 3});
       return {linalg::Det(a + MatrixOfTwos(a))};
     }},
    {&linalg::kSlogdet, nullptr,
     [](Operands& x) -> Out {
       const Var a = x({3, 3});
       const linalg::SlogDetResult d = linalg::SlogDet(a + MatrixOfTwos(a));
       return {d.sign, d.log_abs};
     }},
    {&linalg::kQr, nullptr,
     [](Operands& x) -> Out {
       const linalg::QrResult f = linalg::Qr(TallMatrix(x));
       return {f.q, f.r};
     }},
    {&linalg::kPivotedQr, nullptr,
     [](Operands& x) -> Out {
       const linalg::RankRevealingQrResult f = linalg::RankRevealingQr(TallMatrix(x));
       return {f.q, f.r};
     }},
    {&linalg::kPinvSolve, nullptr,
     [](Operands& x) -> Out {
       const Var a = TallMatrix(x);
       return {linalg::Lstsq(a, x({4, 2}))};
     }},
    {&linalg::kAppendReflectors, nullptr,
     [](Operands& x) -> Out {
       const Var packed = x({4, 2}), tau = x({2}), columns = x({4, 1});
       const ::tenferro::Vars out =
           Emit(linalg::kAppendReflectors, {}, {packed, tau, columns}, Location::current(), 2);
       return {out[0], out[1]};
     }},
    {&linalg::kReflectedQr, nullptr,
     [](Operands& x) -> Out {
       const linalg::IncrementalQr qr(TallMatrix(x));
       return {qr.Q(), qr.R()};
     }},
    {&linalg::kReflectedSolve, nullptr,
     [](Operands& x) -> Out {
       const linalg::IncrementalQr qr(TallMatrix(x));
       return {qr.Solve(x({4, 2}))};
     }},
};

}  // namespace

absl::Span<const OpEntry> OpEntries() { return kEntries; }

}  // namespace tenferro
