// A factorisation that grows, and norms: values, derivatives and the texts of errors.
#include "tenferro/linalg/incremental_qr.h"

#include <cmath>

#include "gtest/gtest.h"
#include "tenferro/ad/check_grads.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/linalg/least_squares.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/norm.h"
#include "tenferro/linalg/qr.h"
#include "tenferro/linalg/test_tensors.h"
#include "tenferro/runtime/ops/check_batching.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::linalg {
namespace {

using In = absl::Span<const Var>;
using Out = std::vector<Var>;

const Engine& TestEngine() {
  static const CpuEngine& engine = *new CpuEngine(CpuEngine::Serial());
  return engine;
}

Tensor Numbers(DType dtype, const Shape& shape, int which) {
  std::vector<std::complex<double>> z;
  for (int64_t p = 0; p < shape.size(); ++p) {
    const double x = static_cast<double>(p + 17 * which);
    z.emplace_back(std::sin(1.3 * x * x + 0.4), std::cos(2.1 * x * x));
  }
  return FromNumbers(dtype, shape, z);
}

double LargestDifference(const Var& a, const Var& b) {
  const absl::StatusOr<Tensor> tensor = ReduceMax(Abs(a - b)).ToTensor();
  EXPECT_TRUE(tensor.ok()) << tensor.status();
  return tensor.ok() ? (*tensor->Data<double>())[0] : INFINITY;
}

class IncrementalQrTest : public testing::TestWithParam<DType> {};

TEST_P(IncrementalQrTest, EqualsTheFactorisationOfAllColumns) {
  struct Step {
    int64_t m, first, second, third;
  };
  for (const Step& s : {Step{6, 2, 1, 2}, Step{5, 0, 3, 2}, Step{4, 3, 3, 2}, Step{90, 40, 33, 1}}) {
    const Var a = Immediate(TestEngine(), Numbers(GetParam(), {s.m, s.first}, 0)),
              b = Immediate(TestEngine(), Numbers(GetParam(), {s.m, s.second}, 1)),
              c = Immediate(TestEngine(), Numbers(GetParam(), {s.m, s.third}, 2));
    const IncrementalQr qr = IncrementalQr(a).AppendColumns(b).AppendColumns(c);
    const Var all = Concatenate({a, b, c}, 1);
    const QrResult whole = Qr(all);
    EXPECT_LE(LargestDifference(qr.Q(), whole.q), 1e-12) << s.m;
    EXPECT_LE(LargestDifference(qr.R(), whole.r), 1e-12) << s.m;
    EXPECT_EQ(LargestDifference(qr.matrix(), all), 0);
    if (s.m < all.dim(1)) continue;
    const Var rhs = Immediate(TestEngine(), Numbers(GetParam(), {s.m, 2}, 3));
    EXPECT_LE(LargestDifference(qr.Solve(rhs), Lstsq(all, rhs)), 1e-10) << s.m;
  }
}

TEST_P(IncrementalQrTest, DerivativesToSecondOrder) {
  const TracedFunction function = [](In x) -> Out {
    const IncrementalQr qr = IncrementalQr(x[0]).AppendColumns(x[1]);
    return {qr.Q(), qr.R(), qr.Solve(x[2])};
  };
  const absl::Status status =
      ad::CheckGrads(TestEngine(), function,
                     {Numbers(GetParam(), {4, 2}, 0), Numbers(GetParam(), {4, 1}, 1), Numbers(GetParam(), {4}, 2)},
                     {.order = 2, .tolerance = 1e-6, .dot_tolerance = 1e-10});
  EXPECT_TRUE(status.ok()) << status;
}

TEST_P(IncrementalQrTest, Batching) {
  BatchSlices a, packed, tau;
  for (const Tensor& slice : SlicesOf({GetParam(), {4, 2}}, 3, 0)) {
    a.push_back(slice);
    const Var x = Immediate(TestEngine(), slice);
    const Vars out =
        Emit(kAppendReflectors, {}, {FirstColumns(x, 0), FirstRows(Reshape(x, {8}), 0), x}, Location::current(), 2);
    packed.push_back(*out[0].ToTensor());
    tau.push_back(*out[1].ToTensor());
  }
  const BatchSlices more = SlicesOf({GetParam(), {4, 3}}, 3, 1), flat = SlicesOf({GetParam(), {2, 3}}, 3, 1);
  const auto check = [&](const OpDef& op, WordSpan attributes, absl::Span<const BatchSlices> operands) {
    const absl::Status status = CheckBatching(TestEngine(), op, attributes, operands);
    EXPECT_TRUE(status.ok()) << status;
  };
  check(kAppendReflectors, {}, {packed, tau, more});
  check(kReflectedQr, {}, {packed, tau, a});
  check(kReflectedSolve, Encode(ReflectedSolveAttributes{}), {a, packed, tau, more});
  check(kReflectedSolve, Encode(ReflectedSolveAttributes{.adjoint = true}), {a, packed, tau, flat});
}

INSTANTIATE_TEST_SUITE_P(DTypes, IncrementalQrTest, testing::Values(DType::kF64, DType::kC128),
                         [](const auto& info) { return Name(info.param); });

Var F64(const Shape& shape, std::vector<double> numbers) {
  return Immediate(TestEngine(), *Tensor::FromColMajor<double>(shape, numbers));
}
double Number(const Var& x) {
  const absl::StatusOr<Tensor> tensor = x.ToTensor();
  EXPECT_TRUE(tensor.ok()) << tensor.status();
  return tensor.ok() ? (*tensor->Data<double>())[0] : NAN;
}

TEST(MatrixNorm, OfEveryOrder) {
  // [3, 0; −4, 5]: singular values √45 and √5.
  const Var a = F64({2, 2}, {3, -4, 0, 5});
  EXPECT_NEAR(Number(MatrixNorm(a)), std::sqrt(50), 1e-14);
  EXPECT_NEAR(Number(MatrixNorm(a, MatrixNormOrder::kNuclear)), std::sqrt(45) + std::sqrt(5), 1e-14);
  EXPECT_EQ(Number(MatrixNorm(a, MatrixNormOrder::kOne)), 7);
  EXPECT_EQ(Number(MatrixNorm(a, MatrixNormOrder::kMinusOne)), 5);
  EXPECT_NEAR(Number(MatrixNorm(a, MatrixNormOrder::kTwo)), std::sqrt(45), 1e-14);
  EXPECT_NEAR(Number(MatrixNorm(a, MatrixNormOrder::kMinusTwo)), std::sqrt(5), 1e-14);
  EXPECT_EQ(Number(MatrixNorm(a, MatrixNormOrder::kInfinity)), 9);
  EXPECT_EQ(Number(MatrixNorm(a, MatrixNormOrder::kMinusInfinity)), 3);
  EXPECT_NEAR(Number(Cond(a)), 3, 1e-14);
  EXPECT_NEAR(Number(Cond(a, MatrixNormOrder::kMinusTwo)), 1.0 / 3, 1e-15);
  EXPECT_NEAR(Number(Cond(a, MatrixNormOrder::kOne)), 7 * 0.6, 1e-14);
  EXPECT_EQ(Number(Cond(F64({2, 2}, {1, 0, 0, 0}))), INFINITY);
}

TEST(MatrixNorm, DerivativesToSecondOrder) {
  for (DType dtype : {DType::kF64, DType::kC128}) {
    const TracedFunction function = [](In x) -> Out {
      Out out{Cond(x[0]), Cond(x[0], MatrixNormOrder::kFrobenius), Cross(x[0], x[1])};
      for (MatrixNormOrder order : {MatrixNormOrder::kFrobenius, MatrixNormOrder::kNuclear, MatrixNormOrder::kOne,
                                    MatrixNormOrder::kTwo, MatrixNormOrder::kMinusTwo, MatrixNormOrder::kInfinity}) {
        out.push_back(MatrixNorm(x[0], order));
      }
      return out;
    };
    const absl::Status status =
        ad::CheckGrads(TestEngine(), function, {Numbers(dtype, {3, 3}, 0), Numbers(dtype, {3, 3}, 1)},
                       {.order = 2, .tolerance = 1e-5, .dot_tolerance = 1e-10});
    EXPECT_TRUE(status.ok()) << status;
  }
}

TEST(Cross, AlongAnyAxis) {
  const Var a = F64({3}, {1, 2, 3}), b = F64({3}, {4, 5, 6});
  EXPECT_EQ(LargestDifference(Cross(a, b), F64({3}, {-3, 6, -3})), 0);
  const Var rows = Reshape(a, {1, 3});
  EXPECT_EQ(LargestDifference(Cross(rows, Reshape(b, {1, 3}), 1), F64({1, 3}, {-3, 6, -3})), 0);
}

// The message behind "file:line: ".
std::string Message(const Var& var) {
  const std::string text(var.status().message());
  const std::string here = "incremental_qr_test.cc:";
  const size_t at = text.find(here);
  EXPECT_NE(at, std::string::npos) << text;
  return at == std::string::npos ? text : text.substr(text.find(": ", at) + 2);
}

TEST(Errors, OfTypesAndNumbers) {
  Graph graph;
  const Var vector = graph.Input(DType::kF64, {3}), matrix = graph.Input(DType::kF64, {3, 2}),
            wide = graph.Input(DType::kF64, {2, 3}), empty = graph.Input(DType::kF64, {0, 2});
  EXPECT_EQ(Message(IncrementalQr(vector).Q()), "linalg.incremental_qr: needs a matrix [m, n, batch…], got f64[3]");
  EXPECT_EQ(Message(IncrementalQr(matrix).AppendColumns(wide).R()),
            "linalg.append_reflectors: columns must be f64[3,3], got f64[2,3]");
  EXPECT_EQ(Message(IncrementalQr(wide).Solve(wide)),
            "linalg.reflected_solve: needs at least as many rows as columns, got f64[2,3]");
  EXPECT_EQ(Message(IncrementalQr(matrix).Solve(wide)), "linalg.reflected_solve: b must be f64[3,3], got f64[2,3]");
  EXPECT_EQ(Message(IncrementalQr(F64({2, 1}, {NAN, 1})).R()),
            "linalg.append_reflectors: the matrix has an element that is not finite");
  EXPECT_EQ(Message(IncrementalQr(F64({2, 1}, {0, 0})).Solve(F64({2}, {1, 1}))),
            "linalg.reflected_solve: the matrix is singular: element 0 of the triangle's diagonal is zero");
  EXPECT_EQ(Message(MatrixNorm(vector)), "linalg.matrix_norm: needs a matrix [m, n, batch…], got f64[3]");
  EXPECT_EQ(Message(MatrixNorm(empty, MatrixNormOrder::kOne)),
            "linalg.matrix_norm: the norm 1 needs a row and a column, got f64[0,2]");
  EXPECT_EQ(Message(Cond(wide, MatrixNormOrder::kOne)),
            "linalg.cond: needs a square matrix [n, n, batch…], got f64[2,3]");
  EXPECT_EQ(Message(Cross(vector, matrix)),
            "linalg.cross: needs two tensors of one type with extent 3 on axis 0, got f64[3] and f64[3,2]");
}

}  // namespace
}  // namespace tenferro::linalg
