// Truncations of matrices of order 256, where the iteration and its complement solver run, beside the rule of the full
// decomposition and the exact derivative of the best approximation.
#include <cmath>
#include <limits>

#include "gtest/gtest.h"
#include "tenferro/ad/grad.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/linalg/cpu/test_matrices.h"
#include "tenferro/linalg/matrix_algebra.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/function.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/matrix_parts.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::linalg {
namespace {

using testing::Dense;

struct Case {
  const char* name;
  int64_t m, n, k;
  std::vector<double> spectrum;  // empty: a Gaussian matrix
  double scale = 1;
  // The rules of svd and svd_truncated lose what rotates among equal kept values: what remains depends on their basis.
  bool multiplets = false;
};

std::vector<double> Spectrum(int count, double (*f)(double i)) {
  std::vector<double> s;
  for (int i = 0; i < count; ++i) s.push_back(f(i));
  return s;
}

std::vector<Case> Cases() {
  constexpr auto kDecay = [](double i) { return std::exp(-.3 * i); };
  constexpr auto kTenth = [](double i) { return std::pow(10, -i); };
  return {
      {"flat", 256, 256, 16, {}},
      {"fast decay", 256, 256, 16, Spectrum(256, kDecay)},
      {"slow decay", 256, 256, 16, Spectrum(256, [](double i) { return std::exp(-.1 * i); })},
      {"harmonic", 256, 256, 16, Spectrum(256, [](double i) { return 1 / (i + 1); })},
      {"pairs, cut between", 256, 256, 16,
       Spectrum(256, [](double i) { return std::exp(-.3 * std::floor(i / 2)); }), 1, true},
      {"four equal across the cut", 256, 256, 16,
       Spectrum(256, [](double i) { return std::exp(-.2 * (i >= 14 && i < 18 ? 14 : i)); })},
      {"gap 1e-9 across the cut", 256, 256, 16,
       Spectrum(256, [](double i) { return std::exp(-.2 * (i == 16 ? 15 : i)) * (i == 16 ? 1 - 1e-9 : 1); })},
      {"forty equal", 256, 256, 16, Spectrum(256, [](double i) { return i < 40 ? 1 : std::exp(-.3 * (i - 39)); })},
      {"orthogonal", 256, 256, 16, std::vector<double>(256, 1.0)},
      {"rank 5, kept", 256, 256, 5, {5, 4, 3, 2, 1}},
      {"rank 5", 256, 256, 16, {5, 4, 3, 2, 1}},
      {"rank 1", 256, 256, 16, {1}},
      {"zero", 256, 256, 16, {}, 0},
      {"graded", 256, 256, 4, Spectrum(256, kTenth)},
      {"graded, half of the digits", 256, 256, 8, Spectrum(256, kTenth)},
      {"graded, noise at the cut", 256, 256, 16, Spectrum(256, kTenth)},
      {"tall", 300, 120, 16, Spectrum(120, kDecay)},
      {"wide", 120, 300, 16, Spectrum(120, kDecay)},
      {"small", 40, 40, 16, {}},
      {"small tall", 60, 33, 16, {}},
      {"huge", 256, 256, 16, Spectrum(256, kDecay), 1e100},
      {"tiny", 256, 256, 16, Spectrum(256, kDecay), 1e-100},
  };
}

template <class T>
Tensor ToTensor(const Dense<T>& a) {
  return *Tensor::FromColMajor<T>({a.rows, a.columns}, a.data);
}

template <class T>
class LargeTruncationTest : public ::testing::Test {
 protected:
  using R = RealOf<T>;
  static constexpr double kEps = std::numeric_limits<R>::epsilon();

  // ∑ Re conj(a)·b.
  static Var Inner(const Var& a, const Var& b) { return ReduceSum(Real(Conj(a) * b)); }

  // The matrix of rank k, the gradient of a loss of it (unless there are multiplets), of the values and of both
  // projectors, and the matrix's and the values' derivative along the loss's weight.
  struct Derivatives {
    Var approximation, gradient, motion, values, values_motion;
    Vars outputs() const { return {approximation, gradient, motion, values, values_motion}; }
  };

  static Derivatives OfTriplets(const Var& a, const SvdResult& d, const Var& weight, const Var& left_weight,
                                const Var& right_weight, double unit, bool multiplets) {
    const Var y = Matmul(ScaleColumns(d.u, d.s), d.vh), v = Adjoint(d.vh);
    const Var projectors = Inner(d.u, Matmul(left_weight, d.u)) + Inner(v, Matmul(right_weight, v));
    const Var invariant = projectors * unit + ReduceSum(d.s);
    const Var loss = multiplets ? invariant : Inner(weight, y) + invariant;
    const std::vector<Var> moved = ad::Jvp({y, d.s}, {a}, {weight});
    return {y, ad::Grad(loss, a), moved[0], d.s, moved[1]};
  }

  static Dense<T> Isometry(int64_t m, int64_t k, uint64_t seed) {
    static std::vector<std::pair<uint64_t, Dense<T>>> known;
    for (const auto& [of, q] : known) {
      if (of == seed && q.rows == m && q.columns >= k) {
        Dense<T> part(m, k);
        std::copy_n(q.data.begin(), part.data.size(), part.data.begin());
        return part;
      }
    }
    known.emplace_back(seed, testing::RandomIsometry<T>(m, k, seed));
    return known.back().second;
  }

  static Tensor Product(const Engine& engine, const Tensor& a, const Tensor& b) {
    return *Matmul(Immediate(engine, a), Immediate(engine, b)).ToTensor();
  }

  static Tensor Make(const Engine& engine, const Case& c) {
    if (c.spectrum.empty()) {
      Dense<T> a = testing::Gaussian<T>(c.m, c.n, 17);
      for (T& x : a.data) x *= static_cast<R>(c.scale);
      return ToTensor(a);
    }
    const int64_t rank = static_cast<int64_t>(c.spectrum.size());
    Dense<T> u = Isometry(c.m, rank, 3);
    for (int64_t j = 0; j < rank; ++j) {
      for (int64_t i = 0; i < c.m; ++i) u(i, j) *= static_cast<R>(c.spectrum[j] * c.scale);
    }
    return Product(engine, ToTensor(u), ToTensor(testing::AdjointOf(Isometry(c.n, rank, 4))));
  }

  // With w = Uᴴ·weight·V the derivative of the best approximation is w_ij among the kept, 0 among the discarded, and
  // (s_i² w_il + s_i s_l conj(w_li))/(s_i² − s_l²) across the cut: a symmetric map, so the gradient and the derivative
  // along the weight are the same.
  static Tensor Exact(const Engine& engine, const Tensor& a, int64_t k, const Tensor& weight) {
    const SvdResult d = Svd(Immediate(engine, a), {.full = true});
    const int64_t m = a.shape().extent(0), n = a.shape().extent(1), rank = std::min(m, n);
    const Tensor values = *d.s.ToTensor();
    const absl::Span<const R> s = *values.Data<R>();
    const auto value = [&](int64_t i) { return i < rank ? static_cast<double>(s[i]) / s[0] : 0; };
    Dense<R> own(m, n), partner(m, n);
    for (int64_t j = 0; j < n; ++j) {
      for (int64_t i = 0; i < m; ++i) {
        if (i < k && j < k) own(i, j) = 1;
        if ((i < k) == (j < k)) continue;
        const double kept = value(std::min(i, j)), gone = value(std::max(i, j));
        const double difference = (kept - gone) * (kept + gone);
        own(i, j) = static_cast<R>(kept * kept / difference);
        partner(i, j) = static_cast<R>(kept * gone / difference);
      }
    }
    const Var w = Matmul(Adjoint(d.u), Matmul(Immediate(engine, weight), Adjoint(d.vh)));
    const Var square = FirstRows(FirstColumns(Adjoint(w), rank), rank);
    const Var turned = Pad(square, Full(w, w.dtype(), {}, false), {0, 0}, {m - rank, n - rank});
    const auto constant = [&](const Dense<R>& x) {
      return Convert(Immediate(engine, *Tensor::FromColMajor<R>({m, n}, x.data)), w.dtype());
    };
    return *Matmul(d.u, Matmul(constant(own) * w + constant(partner) * turned, d.vh)).ToTensor();
  }

  template <class S>
  static void ExpectNear(const char* what, const Tensor& got, const Tensor& want, double bound, double least = 0) {
    const absl::Span<const S> x = *got.Data<S>(), y = *want.Data<S>();
    ASSERT_EQ(x.size(), y.size());
    double largest = least, worst = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      largest = std::fmax(largest, std::abs(y[i]));
      const double difference = std::abs(x[i] - y[i]);
      worst = difference <= worst ? worst : difference;
    }
    EXPECT_LE(worst, bound * largest) << what;
  }
  static void ExpectFinite(const char* what, const Tensor& t) {
    const absl::Span<const T> data = *t.Data<T>();
    for (const T& x : data) ASSERT_TRUE(std::isfinite(std::abs(x))) << what;
  }

  static void Check(const Engine& engine, const Case& c, const Tensor& a) {
    SCOPED_TRACE(c.name);
    const int64_t k = c.k;
    const double unit = c.scale * (c.spectrum.empty() ? 2 * std::sqrt(c.m) : c.spectrum[0]);
    Graph graph;
    const Var x = graph.Input(a.dtype(), a.shape());
    const Tensor weight = ToTensor(testing::Gaussian<T>(c.m, c.n, 11));
    const Var w = ConstantLike(x, weight);
    const Var left = ConstantLike(x, ToTensor(testing::Gaussian<T>(c.m, c.m, 12)));
    const Var right = ConstantLike(x, ToTensor(testing::Gaussian<T>(c.n, c.n, 13)));
    const SvdResult d = SvdTruncated(x, k), all = Svd(x);
    const SplitResult split = SplitSvd(x, k);
    const Var product = Matmul(split.left, split.right);
    Vars outputs = OfTriplets(x, d, w, left, right, unit, c.multiplets).outputs();
    for (const Var& var :
         OfTriplets(x, {FirstColumns(all.u, k), FirstRows(all.s, k), FirstRows(all.vh, k)}, w, left, right, unit,
                    c.multiplets)
             .outputs()) {
      outputs.push_back(var);
    }
    const Var one = Eye(x, x.dtype(), k, k);
    for (const Var& var :
         {product, ad::Grad(Inner(w, product), x), ad::Jvp(product, x, w), all.s, Matmul(Adjoint(d.u), d.u) - one,
          Matmul(d.vh, Adjoint(d.vh)) - one, Matmul(x, Adjoint(d.vh)) - ScaleColumns(d.u, d.s)}) {
      outputs.push_back(var);
    }
    const absl::StatusOr<Program> program = Compile(outputs, {x});
    ASSERT_TRUE(program.ok()) << program.status();
    const absl::StatusOr<std::vector<Tensor>> out = engine.Prepare(*program)->Run({a});
    ASSERT_TRUE(out.ok()) << out.status();
    const auto& t = *out;
    const absl::Span<const R> s = *t[13].Data<R>();
    const double largest = s[0], next = k < static_cast<int64_t>(s.size()) ? s[k] : 0;
    const Tensor zero = ToTensor(Dense<T>(k, k)), no_residual = ToTensor(Dense<T>(c.m, k));
    ExpectNear<R>("values", t[3], t[8], 20 * kEps, largest);
    ExpectNear<T>("left vectors", t[14], zero, 200 * kEps, 1);
    ExpectNear<T>("right vectors", t[15], zero, 200 * kEps, 1);
    ExpectNear<T>("residual", t[16], no_residual, 200 * kEps, largest);
    for (int i : {1, 2, 6, 7, 11, 12}) ExpectFinite("derivatives", t[i]);
    // Rounding of the matrix moves the kept space by eps·s_1/gap. Below a hundred times τ derivatives are noise.
    const double gap = s[k - 1] - next;
    if (!(gap > 100 * 256 * kEps * largest)) return;
    const double bound = 200 * kEps * largest / gap;
    ExpectNear<T>("matrix of svd_truncated", t[0], t[5], bound, largest);
    ExpectNear<T>("matrix of split_svd", t[10], t[5], bound, largest);
    ExpectNear<T>("gradient of svd_truncated", t[1], t[6], bound);
    const Tensor exact = Exact(engine, a, k, weight);
    ExpectNear<T>("gradient of split_svd", t[11], exact, bound);
    ExpectNear<T>("motion of split_svd", t[12], exact, bound);
    if (c.multiplets) return;
    ExpectNear<T>("motion of svd_truncated", t[2], t[7], bound);
    ExpectNear<T>("motion of svd_truncated, exact", t[2], exact, bound);
    ExpectNear<R>("motion of the values", t[4], t[9], bound);
  }
};

using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(LargeTruncationTest, Scalars);

TYPED_TEST(LargeTruncationTest, OfEverySpectrum) {
  const CpuEngine engine = CpuEngine::Serial();
  for (Case c : Cases()) {
    const bool single = sizeof(RealOf<TypeParam>) == sizeof(float);
    if (single && c.scale != 0) c.scale = std::pow(c.scale, 0.15);
    this->Check(engine, c, this->Make(engine, c));
  }
}

TYPED_TEST(LargeTruncationTest, ExactBlocksWithCotangentsOutsideThem) {
  const CpuEngine engine = CpuEngine::Serial();
  std::vector<double> first, second;
  for (int i = 0; i < 128; ++i) {
    first.push_back(std::exp(-0.4 * i));
    second.push_back(0.9 * std::exp(-0.5 * i));
  }
  const Dense<TypeParam> p = testing::WithSpectrum<TypeParam>(128, 128, first, 1),
                         q = testing::WithSpectrum<TypeParam>(128, 128, second, 2);
  Dense<TypeParam> a(256, 256);
  for (int64_t j = 0; j < 128; ++j) {
    for (int64_t i = 0; i < 128; ++i) {
      a(2 * i, 2 * j + 1) = p(i, j);
      a(2 * i + 1, 2 * j) = q(i, j);
    }
  }
  this->Check(engine, {"two blocks", 256, 256, 15, {1}}, ToTensor(a));
}

TYPED_TEST(LargeTruncationTest, Identity) {
  Dense<TypeParam> a(256, 256);
  for (int64_t i = 0; i < 256; ++i) a(i, i) = 1;
  const CpuEngine engine = CpuEngine::Serial();
  this->Check(engine, {"cut through equal values", 256, 256, 16, {1}, 1, true}, ToTensor(a));
  for (int64_t i = 0; i < 16; ++i) a(i, i) = 2;
  this->Check(engine, {"two multiplets", 256, 256, 16, {2}, 1, true}, ToTensor(a));
}

TYPED_TEST(LargeTruncationTest, FewerTripletsThanKept) {
  const CpuEngine engine = CpuEngine::Serial();
  // Rows as blocks of their own, all others zero.
  Dense<TypeParam> a(256, 256);
  for (int64_t j = 0; j < 250; ++j) a(40 * (j % 5), j) = static_cast<RealOf<TypeParam>>(1 + std::sin(j));
  this->Check(engine, {"five rows", 256, 256, 16, {1}}, ToTensor(a));
  this->Check(engine, {"five rows, kept", 256, 256, 5, {1}}, ToTensor(a));
}

TYPED_TEST(LargeTruncationTest, NumbersThatAreNotFinite) {
  Dense<TypeParam> a = testing::Gaussian<TypeParam>(256, 256, 1);
  a(200, 255) = std::numeric_limits<RealOf<TypeParam>>::quiet_NaN();
  Graph graph;
  const Var x = graph.Input(ToTensor(a).dtype(), {256, 256});
  for (const Var& y : {SvdTruncated(x, 16).s, SplitSvd(x, 16).left}) {
    const Program program = *Compile({y}, {x});
    const std::string error(CpuEngine::Serial().Prepare(program)->Run({ToTensor(a)}).status().message());
    EXPECT_NE(error.find("the matrix has an element that is not finite"), std::string::npos) << error;
  }
}

}  // namespace
}  // namespace tenferro::linalg
