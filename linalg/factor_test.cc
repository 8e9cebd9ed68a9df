// The triangular factorisations as operations: values, batches, threads and the texts of errors.
#include <cmath>
#include <cstring>
#include <limits>

#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/linalg/cholesky.h"
#include "tenferro/linalg/least_squares.h"
#include "tenferro/linalg/lu.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/qr.h"
#include "tenferro/linalg/solve.h"
#include "tenferro/linalg/triangular_solve.h"
#include "tenferro/runtime/ops/check_batching.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/matrix_parts.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::linalg {
namespace {

const Engine& TestEngine() {
  static const CpuEngine& engine = *new CpuEngine(CpuEngine::Serial());
  return engine;
}

Var Number(const Tensor& tensor) { return Immediate(TestEngine(), tensor); }
Var F64(const Shape& shape, std::vector<double> numbers) {
  return Number(*Tensor::FromColMajor<double>(shape, numbers));
}

std::vector<double> Values(const Var& x) {
  const absl::StatusOr<Tensor> tensor = x.ToTensor();
  EXPECT_TRUE(tensor.ok()) << tensor.status();
  if (!tensor.ok()) return {};
  const absl::Span<const double> data = *tensor->Data<double>();
  return {data.begin(), data.end()};
}

double LargestDifference(const Var& a, const Var& b) {
  const std::vector<double> difference = Values(ReduceMax(Abs(a - b)));
  return difference.empty() ? INFINITY : difference[0];
}

void Check(const OpDef& op, WordSpan attributes, absl::Span<const BatchSlices> operands) {
  const absl::Status status = CheckBatching(TestEngine(), op, attributes, operands);
  EXPECT_TRUE(status.ok()) << status;
}

class FactorBatching : public testing::TestWithParam<DType> {};

// Slices with a diagonal that makes them regular.
BatchSlices Regular(DType dtype, const Shape& shape, int which) {
  BatchSlices slices;
  for (const Tensor& slice : SlicesOf({dtype, shape}, 3, which)) {
    const Var x = Number(slice);
    const Shape one{shape[0], shape[1]};
    slices.push_back(
        *(x + BroadcastInDim(Eye(x, dtype, shape.extent(0), shape.extent(1)) * 4.0, shape, {0, 1})).ToTensor());
  }
  return slices;
}

BatchSlices Output(const OpDef& op, const BatchSlices& slices, int count, int output) {
  BatchSlices out;
  for (const Tensor& slice : slices) {
    out.push_back(*Emit(op, {}, {Number(slice)}, Location::current(), count)[static_cast<size_t>(output)].ToTensor());
  }
  return out;
}

TEST_P(FactorBatching, OfFactorisations) {
  for (const Shape& shape : {Shape{3, 2}, Shape{2, 3}, Shape{3, 3, 2}, Shape{2, 2, 0}}) {
    const std::vector<BatchSlices> a{SlicesOf({GetParam(), shape}, 3, 0)};
    Check(kLu, {}, a);
    Check(kFullPivotLu, {}, a);
    Check(kQr, Encode(QrOptions{}), a);
    Check(kQr, Encode(QrOptions{.complete = true, .positive = true}), a);
    Check(kPivotedQr, Encode(RankRevealingQrOptions{}), a);
  }
  for (const Shape& shape : {Shape{3, 3}, Shape{2, 2, 2}}) {
    BatchSlices positive;
    for (const Tensor& slice : Regular(GetParam(), shape, 0)) {
      const Var x = Number(slice);
      positive.push_back(*Matmul(x, Adjoint(x)).ToTensor());
    }
    Check(kCholesky, {}, std::vector<BatchSlices>{positive});
  }
}

TEST_P(FactorBatching, OfSolutions) {
  const BatchSlices a = Regular(GetParam(), {3, 3}, 0), b = SlicesOf({GetParam(), {3, 2}}, 3, 1);
  const BatchSlices lu = Output(kLu, a, 4, 0), permutation = Output(kLu, a, 4, 1), parity = Output(kLu, a, 4, 2);
  Check(kTriangularSolve, Encode(TriangularSolveOptions{.lower = true}), {a, b});
  Check(kLuSolve, Encode(LuSolveOptions{.transpose = true}), {a, lu, permutation, b});
  Check(kDet, {}, {parity, permutation, lu, a});
  Check(kSlogdet, {}, {parity, permutation, lu, a});
  BatchSlices u, s, vh;
  for (const Tensor& slice : a) {
    const Var x = Number(slice);
    u.push_back(*x.ToTensor());
    vh.push_back(*Adjoint(x).ToTensor());
    s.push_back(*Abs(Reshape(FirstColumns(x, 1), {3})).ToTensor());
  }
  Check(kPinvSolve, Encode(PinvSolveAttributes{}), {a, u, s, vh, b});
}

INSTANTIATE_TEST_SUITE_P(DTypes, FactorBatching, testing::Values(DType::kF64, DType::kC128, DType::kF32, DType::kC64),
                         [](const auto& info) { return Name(info.param); });

TEST(Lu, FactorsAndPermutation) {
  const Var a = F64({3, 3}, {1, 4, 7, 2, 5, 8, 3, 6, 10});
  const LuResult f = Lu(a);
  EXPECT_LE(LargestDifference(Matmul(PermutationMatrix(f.permutation, DType::kF64), Matmul(f.l, f.u)), a), 1e-14);
  EXPECT_EQ(Values(f.parity)[0], Values(Det(PermutationMatrix(f.permutation, DType::kF64)))[0]);
  const FullPivotLuResult g = FullPivotLu(a);
  const Var rows = PermutationMatrix(g.rows, DType::kF64), columns = PermutationMatrix(g.columns, DType::kF64);
  EXPECT_LE(LargestDifference(Matmul(Matmul(rows, Matmul(g.l, g.u)), Adjoint(columns)), a), 1e-14);
  EXPECT_EQ(Values(FirstColumns(FirstRows(g.u, 1), 1))[0], 10);
}

TEST(Determinants, OfRegularAndSingularMatrices) {
  EXPECT_NEAR(Values(Det(F64({2, 2}, {1, 3, 2, 4})))[0], -2, 1e-15);
  EXPECT_EQ(Values(Det(F64({0, 0}, {})))[0], 1);
  const SlogDetResult d = SlogDet(F64({2, 2}, {1, 3, 2, 4}));
  EXPECT_EQ(Values(d.sign)[0], -1);
  EXPECT_NEAR(Values(d.log_abs)[0], std::log(2), 1e-15);
  const SlogDetResult singular = SlogDet(F64({2, 2}, {1, 2, 2, 4}));
  EXPECT_EQ(Values(singular.sign)[0], 0);
  EXPECT_EQ(Values(singular.log_abs)[0], -INFINITY);
  EXPECT_EQ(Values(Det(F64({2, 2}, {1, 2, 2, 4})))[0], 0);
  // The determinant overflows, its logarithm does not.
  EXPECT_NEAR(Values(SlogDet(F64({2, 2}, {1e200, 0, 0, 1e200})).log_abs)[0], 400 * std::log(10), 1e-10);
}

TEST(Solve, OneAndSeveralRightHandSides) {
  const Var a = F64({2, 2}, {2, 1, 1, 3});
  EXPECT_LE(LargestDifference(Matmul(a, Solve(a, F64({2, 3}, {1, 2, 3, 4, 5, 6}))), F64({2, 3}, {1, 2, 3, 4, 5, 6})),
            1e-14);
  EXPECT_LE(LargestDifference(Solve(a, F64({2}, {5, 10})), F64({2}, {1, 3})), 1e-14);
  EXPECT_LE(LargestDifference(Matmul(a, Inv(a)), F64({2, 2}, {1, 0, 0, 1})), 1e-15);
  EXPECT_LE(LargestDifference(CholeskySolve(Cholesky(a), F64({2}, {5, 10})), F64({2}, {1, 3})), 1e-14);
  EXPECT_LE(LargestDifference(TriangularSolve(a, F64({2}, {5, 9}), {.right = true, .lower = true}), F64({2}, {1, 3})),
            1e-14);
  EXPECT_EQ(Values(MatrixPower(a, 3)), (std::vector<double>{15, 20, 20, 35}));
  EXPECT_EQ(Values(MatrixPower(a, 0)), (std::vector<double>{1, 0, 0, 1}));
  EXPECT_LE(LargestDifference(Matmul(MatrixPower(a, -2), MatrixPower(a, 2)), F64({2, 2}, {1, 0, 0, 1})), 1e-14);
}

TEST(LeastSquares, OfAnyRank) {
  const Var a = F64({3, 2}, {1, 1, 1, 0, 1, 2});
  EXPECT_LE(LargestDifference(Lstsq(a, F64({3}, {1, 3, 5})), F64({2}, {1, 2})), 1e-14);
  // Of rank 1: the shortest of all solutions.
  const Var deficient = F64({2, 2}, {1, 1, 1, 1});
  EXPECT_LE(LargestDifference(Lstsq(deficient, F64({2}, {1, 3})), F64({2}, {1, 1})), 1e-14);
  EXPECT_LE(LargestDifference(Pinv(deficient), F64({2, 2}, {0.25, 0.25, 0.25, 0.25})), 1e-15);
  const absl::StatusOr<Tensor> rank = MatrixRank(deficient).ToTensor();
  EXPECT_EQ((*rank->Data<int64_t>())[0], 1);
  const RankRevealingQrResult f = RankRevealingQr(deficient);
  const absl::StatusOr<Tensor> qr_rank = f.rank.ToTensor();
  EXPECT_EQ((*qr_rank->Data<int64_t>())[0], 1);
  const RankRevealingQrResult zero = RankRevealingQr(F64({2, 2}, {0, 0, 0, 0}));
  const absl::StatusOr<Tensor> zero_rank = zero.rank.ToTensor();
  EXPECT_EQ((*zero_rank->Data<int64_t>())[0], 0);
}

TEST(LeastSquares, OfNoRowsOrColumns) {
  for (const Shape& shape : {Shape{0, 0}, Shape{0, 3}, Shape{3, 0}, Shape{0, 2, 2}}) {
    const absl::StatusOr<Tensor> rank = MatrixRank(F64(shape, {})).ToTensor();
    ASSERT_TRUE(rank.ok()) << rank.status();
    const absl::StatusOr<absl::Span<const int64_t>> data = rank->Data<int64_t>();
    for (int64_t r : *data) EXPECT_EQ(r, 0);
    EXPECT_EQ(rank->size(), shape.rank() == 3 ? 2 : 1);
  }
}

TEST(Qr, SignsAndShapes) {
  const Var a = F64({3, 2}, {3, 4, 0, 1, 2, 3});
  EXPECT_NEAR(Values(FirstRows(FirstColumns(Qr(a).r, 1), 1))[0], -5, 1e-14);
  EXPECT_NEAR(Values(FirstRows(FirstColumns(Qr(a, {.positive = true}).r, 1), 1))[0], 5, 1e-14);
  const QrResult complete = Qr(a, {.complete = true});
  EXPECT_EQ(complete.q.shape(), Shape({3, 3}));
  EXPECT_EQ(complete.r.shape(), Shape({3, 2}));
  EXPECT_LE(LargestDifference(Matmul(complete.q, complete.r), a), 1e-14);
  const LqResult lq = Lq(a);
  EXPECT_LE(LargestDifference(Matmul(lq.l, lq.q), a), 1e-14);
  EXPECT_EQ(lq.l.shape(), Shape({3, 2}));
}

// Bits do not depend on the number of threads.
TEST(Factor, AnyWidthGivesTheSameBits) {
  std::vector<double> numbers;
  for (int i = 0; i < 20 * 20 * 70; ++i) numbers.push_back(std::sin(1.7 * i) + (i % 21 == 0 ? 9 : 0));
  const Tensor a = *Tensor::FromColMajor<double>({20, 20, 70}, numbers);
  Graph graph;
  const Var x = graph.Input(DType::kF64, a.shape());
  const QrResult qr = Qr(x);
  const RankRevealingQrResult pivoted = RankRevealingQr(x);
  const Program program =
      *Compile({Cholesky(Matmul(x, Adjoint(x))), Lu(x).u, FullPivotLu(x).u, Solve(x, x + Adjoint(x)), qr.q, qr.r,
                pivoted.r, TriangularSolve(x, x), Det(x), Pinv(x)},
               {x});
  std::vector<Tensor> first;
  for (int width : {1, 2, 3, 8}) {
    const CpuEngine engine = CpuEngine::WithThreads(width);
    const absl::StatusOr<std::vector<Tensor>> out = engine.Prepare(program)->Run({a});
    ASSERT_TRUE(out.ok()) << out.status();
    if (first.empty()) first = *out;
    for (size_t i = 0; i < out->size(); ++i) {
      const absl::Span<const double> got = *(*out)[i].Data<double>(), want = *first[i].Data<double>();
      EXPECT_EQ(std::memcmp(got.data(), want.data(), got.size() * sizeof(double)), 0) << width << " " << i;
    }
  }
}

// The message behind "file:line: ".
std::string Message(const Var& var) {
  const std::string text(var.status().message());
  const std::string here = "factor_test.cc:";
  const size_t at = text.find(here);
  EXPECT_NE(at, std::string::npos) << text;
  const size_t colon = text.find(": ", at);
  return at == std::string::npos ? text : text.substr(colon + 2);
}

TEST(FactorErrors, OfTypes) {
  Graph graph;
  const auto input = [&](const Shape& shape, DType dtype = DType::kF64) { return graph.Input(dtype, shape); };
  const Var vector = input({3}), square = input({3, 3}), wide = input({2, 3}), integers = input({2, 2}, DType::kI32);
  EXPECT_EQ(Message(Cholesky(wide)), "linalg.cholesky: needs a square matrix [n, n, batch…], got f64[2,3]");
  EXPECT_EQ(Message(Cholesky(integers)), "linalg.cholesky: does not take i32");
  EXPECT_EQ(Message(Lu(vector).u), "linalg.lu: needs a matrix [m, n, batch…], got f64[3]");
  EXPECT_EQ(Message(FullPivotLu(vector).u), "linalg.full_pivot_lu: needs a matrix [m, n, batch…], got f64[3]");
  EXPECT_EQ(Message(Qr(vector).q), "linalg.qr: needs a matrix [m, n, batch…], got f64[3]");
  EXPECT_EQ(Message(Lq(vector).q), "linalg.lq: needs a matrix [m, n, batch…], got f64[3]");
  EXPECT_EQ(Message(RankRevealingQr(vector).q), "linalg.rank_revealing_qr: needs a matrix [m, n, batch…], got f64[3]");
  EXPECT_EQ(Message(Solve(wide, vector)), "linalg.solve: needs a square matrix [n, n, batch…], got f64[2,3]");
  EXPECT_EQ(Message(Solve(square, wide)), "linalg.lu_solve: b must be f64[3,3], got f64[2,3]");
  EXPECT_EQ(Message(Solve(square, input({3, 3, 2, 2}))),
            "linalg.lu_solve: needs right-hand sides [n, k, batch…] or [n, batch…] for f64[3,3], got f64[3,3,2,2]");
  EXPECT_EQ(Message(LuFactor(wide).lu), "linalg.lu_factor: needs a square matrix [n, n, batch…], got f64[2,3]");
  EXPECT_EQ(Message(TriangularSolve(square, wide)), "linalg.triangular_solve: b must be f64[3,3], got f64[2,3]");
  EXPECT_EQ(Message(TriangularSolve(square, input({3, 2}), {.right = true})),
            "linalg.triangular_solve: b must be f64[3,3], got f64[3,2]");
  EXPECT_EQ(Message(Inv(wide)), "linalg.inv: needs a square matrix [n, n, batch…], got f64[2,3]");
  EXPECT_EQ(Message(Det(wide)), "linalg.det: needs a square matrix [n, n, batch…], got f64[2,3]");
  EXPECT_EQ(Message(SlogDet(wide).sign), "linalg.slogdet: needs a square matrix [n, n, batch…], got f64[2,3]");
  EXPECT_EQ(Message(MatrixPower(wide, 2)), "linalg.matrix_power: needs a square matrix [n, n, batch…], got f64[2,3]");
  EXPECT_EQ(Message(Lstsq(wide, vector)), "linalg.pinv_solve: b must be f64[2,1], got f64[3,1]");
  EXPECT_EQ(Message(Pinv(integers)), "linalg.pinv: does not take i32");
  EXPECT_EQ(Message(MatrixRank(vector)), "linalg.matrix_rank: needs a matrix [m, n, batch…], got f64[3]");
  const std::string no_number = ": the tolerance is not a number";
  EXPECT_EQ(Message(MatrixRank(wide, {.tolerance = NAN})), "linalg.matrix_rank" + no_number);
  EXPECT_EQ(Message(Pinv(wide, {.tolerance = NAN})), "linalg.pinv_solve" + no_number);
  EXPECT_EQ(Message(RankRevealingQr(wide, {.tolerance = NAN}).q), "linalg.rank_revealing_qr" + no_number);
  EXPECT_EQ(Message(PermutationMatrix(vector, DType::kF64)),
            "linalg.permutation_matrix: needs a permutation i64[n, batch…], got f64[3]");
}

TEST(FactorErrors, OfNumbers) {
  const Var indefinite = F64({2, 2}, {1, 2, 2, 1}), singular = F64({2, 2}, {1, 1, 1, 1});
  EXPECT_EQ(Message(Cholesky(indefinite)),
            "linalg.cholesky: the matrix is not positive definite: its leading minor of order 2 is not positive");
  EXPECT_EQ(
      Message(Cholesky(F64({1, 1, 2}, {4, -1}))),
      "linalg.cholesky: the matrix is not positive definite: its leading minor of order 1 is not positive (matrix 1 "
      "of the batch)");
  EXPECT_EQ(Message(Solve(singular, F64({2}, {1, 2}))),
            "linalg.lu_solve: the matrix is singular: element 1 of the triangle's diagonal is zero");
  EXPECT_EQ(Message(TriangularSolve(F64({2, 2}, {0, 1, 1, 1}), F64({2}, {1, 2}))),
            "linalg.triangular_solve: the matrix is singular: element 0 of the triangle's diagonal is zero");
  const Var nan = F64({2, 2}, {NAN, 1, 1, 1});
  EXPECT_EQ(Message(Cholesky(nan)), "linalg.cholesky: the matrix has an element that is not finite");
  EXPECT_EQ(Message(Lu(nan).u), "linalg.lu: the matrix has an element that is not finite");
  EXPECT_EQ(Message(FullPivotLu(nan).u), "linalg.full_pivot_lu: the matrix has an element that is not finite");
  EXPECT_EQ(Message(Qr(nan).r), "linalg.qr: the matrix has an element that is not finite");
  EXPECT_EQ(Message(RankRevealingQr(nan).r), "linalg.rank_revealing_qr: the matrix has an element that is not finite");
  EXPECT_EQ(Message(TriangularSolve(nan, nan)),
            "linalg.triangular_solve: the matrix has an element that is not finite");
  EXPECT_EQ(Message(Solve(indefinite, nan)), "linalg.lu_solve: the right-hand side has an element that is not finite");
  EXPECT_EQ(Message(Lstsq(indefinite, nan)),
            "linalg.pinv_solve: the right-hand side has an element that is not finite");
}

}  // namespace
}  // namespace tenferro::linalg
