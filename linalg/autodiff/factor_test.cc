// Derivatives of the triangular factorisations and of what is solved with them, against differences.
#include <cmath>
#include <complex>

#include "gtest/gtest.h"
#include "tenferro/ad/check_grads.h"
#include "tenferro/ad/grad.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/linalg/autodiff/check_rule.h"
#include "tenferro/linalg/cholesky.h"
#include "tenferro/linalg/least_squares.h"
#include "tenferro/linalg/lu.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/qr.h"
#include "tenferro/linalg/solve.h"
#include "tenferro/linalg/triangular_solve.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/matrix_parts.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::linalg {
namespace {

// Well conditioned, and no element is 0: the sign of R's diagonal changes where a column is zero below it. `which`
// tells the operands apart.
Tensor Numbers(DType dtype, const Shape& shape, int which) {
  return FromEntries(dtype, shape, [which](double i, double j, double batch) {
    const double b = batch + 3 * which + 0.4;
    return std::complex<double>(std::sin(1.3 * i * j + 0.7 * i - j + b) + (i == j ? 2.5 : 0),
                                0.5 * std::cos(2.1 * i + 0.3 * j * j - b));
  });
}

// Positive definite, and its derivative is not Hermitian: only the lower triangle may count.
Var Positive(const Var& x) { return Matmul(x, Adjoint(x)) + Tril(x) * 0.1 + Adjoint(Tril(x)) * 0.1; }

std::vector<RuleCase> Cases() {
  std::vector<RuleCase> cases;
  for (const Shape& shape : {Shape{3, 3}, Shape{2, 2, 2}}) {
    cases.push_back({"cholesky", {shape}, [](In x) -> Out { return {Cholesky(Positive(x[0]))}; }});
    cases.push_back({"cholesky_of_a_triangle", {shape}, [](In x) -> Out {
                       return {Cholesky(Positive(x[0]) + Triu(x[0], 1) * 0.2)};
                     }});
    cases.push_back({"inv", {shape}, [](In x) -> Out { return {Inv(x[0])}; }});
    cases.push_back({"det", {shape}, [](In x) -> Out { return {Det(x[0])}; }});
    cases.push_back({"slogdet", {shape}, [](In x) -> Out {
                       const SlogDetResult d = SlogDet(x[0]);
                       return {d.sign, d.log_abs};
                     }});
    cases.push_back({"power", {shape}, [](In x) -> Out { return {MatrixPower(x[0], -3), MatrixPower(x[0], 5)}; }});
  }
  struct Sides {
    Shape a, b;
  };
  for (const Sides& s :
       {Sides{{3, 3}, {3, 2}}, Sides{{3, 3}, {3}}, Sides{{2, 2, 2}, {2, 3, 2}}, Sides{{2, 2, 3}, {2, 3}}}) {
    cases.push_back({"solve", {s.a, s.b}, [](In x) -> Out { return {Solve(x[0], x[1])}; }});
    cases.push_back(
        {"cholesky_solve", {s.a, s.b}, [](In x) -> Out { return {CholeskySolve(Cholesky(Positive(x[0])), x[1])}; }});
    cases.push_back({"lu_solve", {s.a, s.b}, [](In x) -> Out {
                       const LuFactors factors = LuFactor(x[0]);
                       return {LuSolve(factors, x[1], {.transpose = true}), LuSolve(factors, x[1], {.conjugate = true}),
                               LuSolve(factors, x[1], {.transpose = true, .conjugate = true})};
                     }});
    cases.push_back({"triangular_solve", {s.a, s.b}, [](In x) -> Out {
                       Out out;
                       for (int bits = 0; bits < 16; ++bits) {
                         out.push_back(TriangularSolve(x[0], x[1],
                                                       {.lower = (bits & 1) != 0,
                                                        .transpose = (bits & 2) != 0,
                                                        .conjugate = (bits & 4) != 0,
                                                        .unit_diagonal = (bits & 8) != 0}));
                       }
                       return out;
                     }});
  }
  cases.push_back({"triangular_solve_right", {{3, 3}, {2, 3}}, [](In x) -> Out {
                     Out out;
                     for (int bits = 0; bits < 16; ++bits) {
                       out.push_back(TriangularSolve(x[0], x[1],
                                                     {.right = true,
                                                      .lower = (bits & 1) != 0,
                                                      .transpose = (bits & 2) != 0,
                                                      .conjugate = (bits & 4) != 0,
                                                      .unit_diagonal = (bits & 8) != 0}));
                     }
                     return out;
                   }});
  for (const Shape& shape : {Shape{3, 3}, Shape{4, 2}, Shape{2, 4}, Shape{3, 2, 2}}) {
    cases.push_back({"lu", {shape}, [](In x) -> Out {
                       const LuResult f = Lu(x[0]);
                       return {f.l, f.u};
                     }});
    cases.push_back({"full_pivot_lu", {shape}, [](In x) -> Out {
                       const FullPivotLuResult f = FullPivotLu(x[0]);
                       return {f.l, f.u};
                     }});
    cases.push_back({"qr", {shape}, [](In x) -> Out {
                       const QrResult f = Qr(x[0]), g = Qr(x[0], {.positive = true});
                       return {f.q, f.r, g.q, g.r};
                     }});
    cases.push_back({"lq", {shape}, [](In x) -> Out {
                       const LqResult f = Lq(x[0]);
                       return {f.l, f.q};
                     }});
    // The columns that complete q have no derivative of their own, the space that they span has.
    cases.push_back({"qr_complete", {shape}, [](In x) -> Out {
                       const QrResult f = Qr(x[0], {.complete = true});
                       const int64_t k = std::min(x[0].dim(0), x[0].dim(1));
                       const Var rest =
                           Matmul(f.q, Adjoint(f.q)) - Matmul(FirstColumns(f.q, k), Adjoint(FirstColumns(f.q, k)));
                       return {FirstColumns(f.q, k), f.r, rest};
                     }});
    cases.push_back({"rank_revealing_qr", {shape}, [](In x) -> Out {
                       const RankRevealingQrResult f = RankRevealingQr(x[0]);
                       return {f.q, f.r};
                     }});
    cases.push_back({"pinv", {shape}, [](In x) -> Out { return {Pinv(x[0])}; }});
    // Of rank 1 and of constant rank.
    cases.push_back({"pinv_of_rank_one", {shape}, [](In x) -> Out {
                       const Var column = FirstColumns(x[0], 1), row = FirstRows(x[0], 1);
                       return {Pinv(Matmul(column, row), {.tolerance = 1e-6})};
                     }});
  }
  cases.push_back({"lstsq", {{4, 2}, {4, 3}}, [](In x) -> Out { return {Lstsq(x[0], x[1])}; }});
  cases.push_back({"lstsq", {{2, 4}, {2}}, [](In x) -> Out { return {Lstsq(x[0], x[1])}; }});
  cases.push_back({"lstsq", {{3, 2, 2}, {3, 2}}, [](In x) -> Out { return {Lstsq(x[0], x[1])}; }});
  return cases;
}

class FactorRuleTest : public testing::TestWithParam<std::tuple<RuleCase, DType>> {};

TEST_P(FactorRuleTest, AgreesWithDifferencesToSecondOrder) {
  const auto& [c, dtype] = GetParam();
  std::vector<Tensor> inputs;
  for (const Shape& shape : c.shapes) inputs.push_back(Numbers(dtype, shape, static_cast<int>(inputs.size())));
  ExpectDerivatives(c.function, inputs, 2e-7);
}

INSTANTIATE_TEST_SUITE_P(Rules, FactorRuleTest,
                         testing::Combine(testing::ValuesIn(Cases()), testing::Values(DType::kF64, DType::kC128)),
                         NameOf);

// The gradient of `loss` at `at`, times `at`'s scale.
std::vector<double> ScaledGradient(const TracedFunction& loss, const Tensor& plain, double scale) {
  std::vector<double> numbers;
  const absl::Span<const double> data = *plain.Data<double>();
  for (double x : data) numbers.push_back(x * scale);
  const Tensor at = *Tensor::FromColMajor<double>(plain.shape(), numbers);
  Graph graph;
  const Var x = graph.Input(at.dtype(), at.shape());
  const Program program = *Compile({ad::Grad(loss({x})[0], x)}, {x});
  const absl::StatusOr<Prepared> prepared = CpuEngine::Serial().Prepare(program);
  const absl::StatusOr<std::vector<Tensor>> out = prepared->Run({at});
  EXPECT_TRUE(out.ok()) << out.status();
  std::vector<double> gradient;
  const absl::Span<const double> elements = *(*out)[0].Data<double>();
  for (double g : elements) gradient.push_back(g * scale);
  return gradient;
}

TEST(Factor, ScalesDoNotMatter) {
  struct Loss {
    const char* name;
    TracedFunction function;
  };
  const Loss losses[] = {
      {"cholesky",
       [](In x) -> Out {
         const Var l = Cholesky(x[0] + Adjoint(x[0]));
         return {ReduceSum(TriangularSolve(l, l + Adjoint(l), {.lower = true}))};
       }},
      {"solve", [](In x) -> Out { return {ReduceSum(Solve(x[0], Adjoint(x[0])))}; }},
      {"slogdet", [](In x) -> Out { return {SlogDet(x[0]).log_abs}; }},
      {"qr", [](In x) -> Out { return {ReduceSum(Qr(x[0]).q * 3.0)}; }},
      {"lu", [](In x) -> Out { return {ReduceSum(Lu(x[0]).l)}; }},
      {"pinv", [](In x) -> Out { return {ReduceSum(Matmul(Pinv(x[0]), Adjoint(x[0])))}; }},
  };
  const Tensor a = Numbers(DType::kF64, {3, 3}, 0);
  for (const Loss& loss : losses) {
    const std::vector<double> plain = ScaledGradient(loss.function, a, 1);
    for (double scale : {1e150, 1e-150}) {
      const std::vector<double> scaled = ScaledGradient(loss.function, a, scale);
      for (size_t i = 0; i < plain.size(); ++i) EXPECT_NEAR(scaled[i], plain[i], 1e-12) << loss.name << " " << scale;
    }
  }
}

TEST(Factor, DerivativesWithoutElements) {
  const TracedFunction functions[] = {
      [](In x) -> Out {
        return {Lu(x[0]).l, Lu(x[0]).u};
      },
      [](In x) -> Out {
        return {FullPivotLu(x[0]).l, FullPivotLu(x[0]).u};
      },
      [](In x) -> Out {
        return {RankRevealingQr(x[0]).q, RankRevealingQr(x[0]).r};
      },
  };
  for (const TracedFunction& function : functions) {
    for (const Shape& shape : {Shape{0, 0}, Shape{0, 2}, Shape{2, 0}, Shape{2, 2, 0}, Shape{0, 2, 3}}) {
      const absl::Status status =
          ad::CheckGrads(CpuEngine::Serial(), function, {*Tensor::Zeros(DType::kF64, shape)}, {.order = 2});
      EXPECT_TRUE(status.ok()) << shape.ToString() << ": " << status;
    }
  }
}

TEST(Factor, CholeskysCotangentLiesInTheLowerTriangle) {
  const std::vector<double> gradient =
      ScaledGradient([](In x) -> Out { return {ReduceSum(Cholesky(x[0]))}; },
                     *Tensor::FromColMajor<double>({2, 2}, std::vector<double>{4, 2, 77, 5}), 1);
  // l = [2, 1; 2] for a = [4, 2; 5]: l11 = √a11, l21 = a21/l11, l22 = √(a22 − l21²).
  EXPECT_NEAR(gradient[0], 0.25 - 0.125 + 0.0625, 1e-15);
  EXPECT_NEAR(gradient[1], 0.5 - 0.25, 1e-15);
  EXPECT_EQ(gradient[2], 0);
  EXPECT_NEAR(gradient[3], 0.25, 1e-15);
}

TEST(Pinv, IsExactAtEqualSingularValues) {
  // At the identity d(A⁺) = −dA.
  const std::vector<double> gradient =
      ScaledGradient([](In x) -> Out { return {ReduceSum(Pinv(x[0]) * x[0])}; },
                     *Tensor::FromColMajor<double>({2, 2}, std::vector<double>{1, 0, 0, 1}), 1);
  for (double g : {gradient[0], gradient[3]}) EXPECT_NEAR(g, 0, 1e-15);
  for (double g : {gradient[1], gradient[2]}) EXPECT_NEAR(g, 0, 1e-15);
}

}  // namespace
}  // namespace tenferro::linalg
