// Every record that LAPACK serves beside the same one of "//linalg:cpu".
#include <algorithm>

#include "gtest/gtest.h"
#include "tenferro/linalg/cholesky.h"
#include "tenferro/linalg/eig.h"
#include "tenferro/linalg/eigh.h"
#include "tenferro/linalg/incremental_qr.h"
#include "tenferro/linalg/lapack/for_tests.h"
#include "tenferro/linalg/lapack/fortran.h"
#include "tenferro/linalg/lu.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/qr.h"
#include "tenferro/linalg/solve.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/linalg/triangular_solve.h"
#include "tenferro/runtime/ops/check_batching.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/matrix_parts.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::linalg::lapack {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

std::string NameOf(DType dtype, const Shape& shape) {
  std::string name = Name(dtype);
  for (int64_t extent : shape.extents()) name += "_" + std::to_string(extent);
  return name;
}

class LapackTest : public testing::TestWithParam<std::tuple<DType, Shape>> {
 protected:
  DType dtype() const { return std::get<0>(GetParam()); }
  const Shape& shape() const { return std::get<1>(GetParam()); }
  // [rows, columns, batch…] with the batch of the parameter.
  Shape With(int64_t rows, int64_t columns) const {
    Shape result{rows, columns};
    for (int i = 2; i < shape().rank(); ++i) result.push_back(shape()[i]);
    return result;
  }
  int64_t m() const { return shape().extent(0); }
  int64_t n() const { return shape().extent(1); }
  Tensor General(uint64_t seed = 0) const { return Random(dtype(), shape(), seed); }
  Tensor Square(uint64_t seed = 0, double diagonal = 0) const {
    return Random(dtype(), With(n(), n()), seed, diagonal);
  }

  // Both results of the function agree within `tolerance`·eps, whole numbers are equal, and several threads give
  // LAPACK's bits again.
  void Compare(const TracedFunction& function, const std::vector<Tensor>& arguments, double tolerance = 1000) {
    const absl::StatusOr<std::vector<Tensor>> theirs = RunFunction(CpuEngine::Serial(), function, arguments);
    ASSERT_TRUE(theirs.ok()) << theirs.status();
    const absl::StatusOr<std::vector<Tensor>> again = RunFunction(CpuEngine::WithThreads(3), function, arguments);
    ASSERT_TRUE(again.ok()) << again.status();
    const WithoutLapack without;
    const absl::StatusOr<std::vector<Tensor>> ours = RunFunction(CpuEngine::Serial(), function, arguments);
    ASSERT_TRUE(ours.ok()) << ours.status();
    for (size_t i = 0; i < ours->size(); ++i) {
      const std::vector<std::complex<double>> a = Numbers((*theirs)[i]), b = Numbers((*ours)[i]);
      EXPECT_EQ(a, Numbers((*again)[i])) << "output " << i;
      const double bound = (*ours)[i].dtype() == DType::kI64 ? 0 : tolerance * Epsilon(dtype());
      for (size_t j = 0; j < a.size(); ++j) {
        ASSERT_TRUE(std::abs(a[j] - b[j]) <= bound * std::max(1.0, std::abs(b[j])))
            << "output " << i << ", element " << j << ": " << a[j] << " and " << b[j];
      }
    }
  }
  // All that the function returns is 0 within `tolerance`·eps.
  void ExpectZero(const TracedFunction& function, const std::vector<Tensor>& arguments, double tolerance = 100) {
    const absl::StatusOr<std::vector<Tensor>> results = RunFunction(CpuEngine::Serial(), function, arguments);
    ASSERT_TRUE(results.ok()) << results.status();
    for (size_t i = 0; i < results->size(); ++i) {
      for (const std::complex<double>& x : Numbers((*results)[i])) {
        ASSERT_TRUE(std::abs(x) <= tolerance * Epsilon(dtype())) << "output " << i << ": " << x;
      }
    }
  }
};

Var UnitLike(const Var& a) { return BroadcastInDim(Eye(a, a.dtype(), a.dim(0), a.dim(1)), a.shape(), {0, 1}); }
Var Defect(const Var& q) {
  const Var product = Matmul(Adjoint(q), q);
  return product - UnitLike(product);
}

TEST_P(LapackTest, Svd) {
  const auto thin = [](In x) -> Out {
    const SvdResult f = Svd(x[0]);
    return {f.s, Matmul(ScaleColumns(f.u, Sin(f.s)), f.vh), Svd(x[0], {.derivative_eps = 1e-9}).s, SvdVals(x[0])};
  };
  Compare(thin, {General()}, 1e4);
  const auto rebuilt = [](In x) -> Out {
    const SvdResult f = Svd(x[0]);
    return {Defect(f.u), Defect(Adjoint(f.vh)), Matmul(ScaleColumns(f.u, f.s), f.vh) - x[0]};
  };
  ExpectZero(rebuilt, {General()});
  const auto pivot = [](In x) -> Out {
    const SvdResult f = Svd(x[0], {.gauge = Gauge::kPivot});
    return {f.u, f.vh};
  };
  // Of larger matrices some vector has two entries that are the largest but for rounding.
  if (shape().size() <= 30) Compare(pivot, {General()}, 1e4);
  const auto full = [](In x) -> Out {
    const SvdResult full = Svd(x[0], {.full = true});
    const int64_t k = full.s.dim(0);
    const Var rebuilt =
        Matmul(ScaleColumns(FirstColumns(full.u, k), Convert(full.s, x[0].dtype())), FirstRows(full.vh, k));
    return {Defect(full.u), Defect(full.vh), rebuilt - x[0]};
  };
  ExpectZero(full, {General()});
}

TEST_P(LapackTest, Qr) {
  for (const QrOptions options : {QrOptions{}, QrOptions{.positive = true}}) {
    Compare([&](In x) -> Out { return {Qr(x[0], options).q, Qr(x[0], options).r}; }, {General()}, 1e4);
  }
  const auto complete = [](In x) -> Out {
    const QrResult f = Qr(x[0], {.complete = true, .positive = true});
    return {Defect(f.q), Matmul(f.q, f.r) - x[0], Tril(f.r, -1)};
  };
  ExpectZero(complete, {General()});
  Compare([](In x) -> Out { return {Lq(x[0]).l, Lq(x[0]).q}; }, {General()}, 1e4);
  const auto pivoted = [](In x) -> Out {
    const RankRevealingQrResult f = RankRevealingQr(x[0]);
    return {f.q, f.r, f.permutation, f.rank};
  };
  Compare(pivoted, {General()}, 1e4);
  const auto deficient = [](In x) -> Out { return {RankRevealingQr(Matmul(x[0], x[1])).rank}; };
  Compare(deficient, {Random(dtype(), With(m(), 2), 5), Random(dtype(), With(2, n()), 6)});
}

TEST_P(LapackTest, IncrementalQr) {
  const auto factors = [](In x) -> Out {
    const IncrementalQr grown = IncrementalQr(x[0]).AppendColumns(x[1]);
    return {grown.Q(), grown.R()};
  };
  Compare(factors, {General(1), Random(dtype(), With(m(), 3), 2)}, 1e4);
  if (m() < n()) return;
  const auto solved = [](In x) -> Out { return {IncrementalQr(x[0]).Solve(x[1])}; };
  Compare(solved, {Random(dtype(), shape(), 1, 3), Random(dtype(), With(m(), 2), 2)}, 1e4);
  const auto adjoint = [](In x) -> Out {
    Shape no_factors{0};
    for (int i = 2; i < x[0].rank(); ++i) no_factors.push_back(x[0].shape()[i]);
    const Vars packed =
        Emit(kAppendReflectors, {}, {FirstColumns(x[0], 0), Full(x[0], x[0].dtype(), no_factors, 0), x[0]},
             Location::current(), 2);
    return {EmitOne(kReflectedSolve, Encode(ReflectedSolveAttributes{.adjoint = true}),
                    {x[0], packed[0], packed[1], x[1]}, Location::current())};
  };
  Compare(adjoint, {Random(dtype(), shape(), 1, 3), Random(dtype(), With(n(), 2), 2)}, 1e4);
}

TEST_P(LapackTest, Lu) {
  const auto factors = [](In x) -> Out {
    const LuResult f = Lu(x[0]);
    return {f.permutation, f.l, f.u, f.parity, f.pivots};
  };
  Compare(factors, {General()}, 1e4);
  // A column of zeros is no error.
  const auto singular = [](In x) -> Out {
    const Var twice = Concatenate({ZerosLike(x[0]), x[0]}, 1);
    const LuResult f = Lu(twice);
    return {f.permutation, f.l, f.u, f.parity, f.pivots};
  };
  Compare(singular, {General()}, 1e4);
  const auto determinants = [](In x) -> Out {
    // Scaled, or that of order 70 would overflow.
    return {Det(x[0] * 0.25), SlogDet(x[0]).sign, SlogDet(x[0]).log_abs};
  };
  Compare(determinants, {Square(3, 1)}, 1e4);
}

TEST_P(LapackTest, Solutions) {
  const Tensor a = Square(1, 3), b = Random(dtype(), With(n(), 3), 2), c = Random(dtype(), With(3, n()), 2);
  for (int options = 0; options < 32; ++options) {
    const TriangularSolveOptions chosen = {.right = (options & 1) != 0,
                                           .lower = (options & 2) != 0,
                                           .transpose = (options & 4) != 0,
                                           .conjugate = (options & 8) != 0,
                                           .unit_diagonal = (options & 16) != 0};
    // Small beside the diagonal, or solutions would grow with the order.
    const auto solved = [&](In x) -> Out {
      const Var t = UnitLike(x[0]) * 3.0 + x[0] * 0.1;
      return {TriangularSolve(t, x[1], chosen)};
    };
    Compare(solved, {Square(1), chosen.right ? c : b});
  }
  for (int options = 0; options < 4; ++options) {
    const LuSolveOptions chosen = {.transpose = (options & 1) != 0, .conjugate = (options & 2) != 0};
    const auto solved = [&](In x) -> Out { return {LuSolve(LuFactor(x[0]), x[1], chosen)}; };
    Compare(solved, {a, b}, 1e4);
  }
  Compare([](In x) -> Out { return {Inv(x[0])}; }, {a}, 1e4);
  const auto positive = [](In x) -> Out {
    const Var a = Matmul(x[0], Adjoint(x[0]));
    const Var l = Cholesky(a);
    return {l, Cholesky(a + Triu(a, 1)), CholeskySolve(l, x[1])};
  };
  Compare(positive, {a, b}, 1e5);
}

TEST_P(LapackTest, Eigh) {
  const auto hermitian = [](In x) -> Out {
    const EighResult f = Eigh(x[0]);
    return {f.values, Matmul(ScaleColumns(f.vectors, Sin(f.values)), Adjoint(f.vectors)), Eigvalsh(x[0])};
  };
  Compare(hermitian, {Square()}, 1e4);
  const auto checks = [](In x) -> Out {
    const EighResult f = Eigh(x[0]);
    return {Defect(f.vectors), Matmul(HermitianFromLower(x[0]), f.vectors) - ScaleColumns(f.vectors, f.values)};
  };
  ExpectZero(checks, {Square()});
  const auto pivot = [](In x) -> Out { return {Eigh(x[0], {.gauge = Gauge::kPivot}).vectors}; };
  if (shape().size() <= 30) Compare(pivot, {Square()}, 1e4);
  const auto generalized = [](In x) -> Out {
    const EighResult f = GeneralizedEigh(x[0], Matmul(x[1], Adjoint(x[1])) + UnitLike(x[1]) * 5.0);
    return {f.values, Matmul(ScaleColumns(f.vectors, Sin(f.values)), Adjoint(f.vectors))};
  };
  Compare(generalized, {Square(1), Square(2)}, 1e4);
}

TEST_P(LapackTest, Eig) {
  const auto checks = [](In x) -> Out {
    const EigWithInverse f = EigAndInverse(x[0]);
    const Var a = Convert(x[0], f.vectors.dtype());
    const Var lengths = Diagonal(Matmul(Adjoint(f.vectors), f.vectors));
    const Var values = Eigvals(x[0]);
    return {Matmul(a, f.vectors) - ScaleColumns(f.vectors, f.values), Matmul(f.inverse, f.vectors) - UnitLike(a),
            lengths - OnesLike(lengths), values - f.values};
  };
  ExpectZero(checks, {Square()}, 1e4);
  const auto pivot = [](In x) -> Out {
    const EigResult f = Eig(x[0], {.gauge = Gauge::kPivot});
    const Var a = Convert(x[0], f.vectors.dtype());
    return {Matmul(a, f.vectors) - ScaleColumns(f.vectors, f.values)};
  };
  ExpectZero(pivot, {Square()}, 1e4);
}

TEST_P(LapackTest, EigenvaluesOfRealMatricesComeInConjugatePairs) {
  if (dtype() != DType::kF64) return;
  const absl::StatusOr<std::vector<Tensor>> out = RunFunction(CpuEngine::Serial(),
                                                              [](In x) -> Out {
                                                                return {Eig(x[0]).values, Eig(x[0]).vectors};
                                                              },
                                                              {Square(7)});
  ASSERT_TRUE(out.ok()) << out.status();
  const std::vector<std::complex<double>> values = Numbers((*out)[0]), vectors = Numbers((*out)[1]);
  for (size_t j = 0; j < values.size(); ++j) {
    if (values[j].imag() == 0) continue;
    ASSERT_LT(j + 1, values.size());
    EXPECT_GT(values[j].imag(), 0);
    EXPECT_EQ(values[j + 1], std::conj(values[j]));
    const size_t rows = static_cast<size_t>(n());
    for (size_t i = 0; i < rows; ++i) EXPECT_EQ(vectors[i + (j + 1) * rows], std::conj(vectors[i + j * rows]));
    ++j;
  }
}

TEST_P(LapackTest, Schur) {
  const auto checks = [](In x) -> Out {
    const SchurResult f = Schur(x[0]);
    return {Matmul(Matmul(f.z, f.t), Adjoint(f.z)) - x[0], Defect(f.z)};
  };
  ExpectZero(checks, {Square()});
  const absl::StatusOr<std::vector<Tensor>> out =
      RunFunction(CpuEngine::Serial(), [](In x) -> Out { return {Schur(x[0]).t}; }, {Square()});
  ASSERT_TRUE(out.ok()) << out.status();
  const std::vector<std::complex<double>> t = Numbers((*out)[0]);
  const int64_t rows = n();
  for (int64_t p = 0; p < static_cast<int64_t>(t.size()); ++p) {
    const int64_t i = p % rows, j = p / rows % rows;
    if (i <= j || t[static_cast<size_t>(p)] == 0.0) continue;
    ASSERT_TRUE(!IsComplex(dtype()) && i == j + 1) << i << ", " << j;
    // A block of a pair: equal diagonal entries, off-diagonal ones of opposite signs.
    const size_t low = static_cast<size_t>(p), up = static_cast<size_t>(p + rows - 1);
    EXPECT_EQ(t[low - 1], t[up + 1]);
    EXPECT_LT(t[low].real() * t[up].real(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(All, LapackTest,
                         testing::Combine(testing::Values(DType::kF32, DType::kF64, DType::kC64, DType::kC128),
                                          testing::Values(Shape{1, 1}, Shape{5, 5}, Shape{7, 4}, Shape{4, 7},
                                                          Shape{40, 40}, Shape{70, 9}, Shape{9, 70}, Shape{3, 3, 2, 40},
                                                          Shape{2, 3, 5}, Shape{0, 0}, Shape{0, 3}, Shape{3, 0},
                                                          Shape{2, 2, 0}, Shape{0, 2, 2})),
                         [](const auto& info) { return NameOf(std::get<0>(info.param), std::get<1>(info.param)); });

TEST(Lapack, ServesWhatItHasWhereBothAreLinked) {
  constexpr int64_t kOrder = 90;
  const Tensor a = Random(DType::kF64, {kOrder, kOrder}, 3);
  const std::vector<Tensor> out = *RunFunction(CpuEngine::Serial(),
                                               [](In x) -> Out {
                                                 return {LuFactor(x[0]).lu, Svd(x[0]).s};
                                               },
                                               {a});
  std::vector<double> lu((*a.Data<double>()).begin(), (*a.Data<double>()).end()), rest = lu;
  std::vector<Int> pivots(kOrder);
  const Int n = kOrder;
  Int info = 0;
  TENFERRO_LAPACK_SYMBOL(dgetrf)(&n, &n, lu.data(), &n, pivots.data(), &info);
  EXPECT_TRUE(std::equal(lu.begin(), lu.end(), (*out[0].Data<double>()).begin()));
  // What LAPACK has no routine for is run by "//linalg:cpu".
  const auto others = [](In x) -> Out { return {FullPivotLu(x[0]).u, SvdTruncated(x[0], 3).s}; };
  const absl::StatusOr<std::vector<Tensor>> both = RunFunction(CpuEngine::Serial(), others, {a});
  ASSERT_TRUE(both.ok()) << both.status();
  const WithoutLapack without;
  const std::vector<Tensor> ours = *RunFunction(CpuEngine::Serial(), others, {a});
  for (size_t i = 0; i < 2; ++i) EXPECT_EQ(Numbers((*both)[i]), Numbers(ours[i]));
}

TEST(Lapack, BatchesAreTheirSlices) {
  const CpuEngine engine = CpuEngine::Serial();
  for (const DType dtype : {DType::kF32, DType::kC128}) {
    const std::vector<ValueType> a{{dtype, {4, 4}}};
    EXPECT_TRUE(CheckBatching(engine, kSvd, {}, a).ok());
    EXPECT_TRUE(CheckBatching(engine, kSvdFull, {}, a).ok());
    EXPECT_TRUE(CheckBatching(engine, kSvdVals, {}, a).ok());
    EXPECT_TRUE(CheckBatching(engine, kEigh, Encode(EighAttributes{}), a).ok());
    EXPECT_TRUE(CheckBatching(engine, kEigvalsh, {}, a).ok());
    EXPECT_TRUE(CheckBatching(engine, kEig, {}, a).ok());
    EXPECT_TRUE(CheckBatching(engine, kSchur, {}, a).ok());
    EXPECT_TRUE(CheckBatching(engine, kLu, {}, a).ok());
    EXPECT_TRUE(CheckBatching(engine, kQr, Encode(QrOptions{}), a).ok());
    EXPECT_TRUE(CheckBatching(engine, kPivotedQr, Encode(RankRevealingQrOptions{}), a).ok());
  }
}

}  // namespace
}  // namespace tenferro::linalg::lapack
