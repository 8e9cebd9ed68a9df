// The largest error of every real function of the library, over all ranges of its arguments, against MPFR. Prints the
// table of docs/accuracy.md.

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include "gtest/gtest.h"
#include "tenferro/cpu/kernels/accuracy_samples.h"
#include "tenferro/cpu/kernels/accuracy_table.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/every_kernel.h"
#include "tenferro/cpu/kernels/high_precision.h"

namespace tenferro {
namespace {

using Exact = HighPrecision<128>;
constexpr double kFar = std::numeric_limits<double>::infinity();

// The unit that an error is measured in: one in the last place of the exact result, or of the size of what cancels.
enum class Unit { kResult, kResultOrLog, kResultOrOperands };

using UnaryReference = std::function<Exact(const Exact&)>;
using BinaryReference = std::function<Exact(const Exact&, const Exact&)>;

struct Function {
  const char* name;
  const char* op;  // in ElementwiseOps()
  UnaryReference unary;
  BinaryReference binary;
  double bound_f32, bound_f64;
  Places first, second;
  bool everywhere = true;  // sample all numbers too
  bool positive = false;   // take the arguments' absolute values
  int64_t samples = 200000;
  Unit unit = Unit::kResult;
};

void PrintTo(const Function& function, std::ostream* out) { *out << function.name; }

UnaryReference Mpfr(int (*f)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)) {
  return [f](const Exact& x) { return Exact::Apply(f, x); };
}
BinaryReference Mpfr2(int (*f)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t)) {
  return [f](const Exact& x, const Exact& y) { return Exact::Apply(f, x, y); };
}

Exact Lgamma(const Exact& x) {
  Exact y;
  int sign;
  mpfr_lgamma(y.get(), &sign, x.get(), MPFR_RNDN);
  return y;
}

Exact LogAddExp(const Exact& a, const Exact& b) {
  const bool ordered = a < b;
  const Exact& larger = ordered ? b : a;
  const Exact& smaller = ordered ? a : b;
  const Exact difference = a == b ? Exact(0) : smaller - larger;
  return larger + Exact::Apply(mpfr_log1p, Exact::Apply(mpfr_exp, difference));
}

// Σ 1/(x + k)², by Euler and Maclaurin's sum from x + k > 30 on.
Exact Trigamma(const Exact& argument) {
  static const double kBernoulli[][2] = {{1, 6}, {-1, 30},     {1, 42},      {-1, 30},       {5, 66},      {-691, 2730},
                                         {7, 6}, {-3617, 510}, {43867, 798}, {-174611, 330}, {854513, 138}};
  Exact x = argument, sum = 0;
  if (x < Exact(0) || x == Exact(0)) {
    // ψ'(x) + ψ'(1 − x) = π²/sin²(πx)
    if (x.IsInteger()) return Exact(INFINITY);
    Exact pi;
    mpfr_const_pi(pi.get(), MPFR_RNDN);
    HighPrecision<1200> angle = 0;
    mpfr_const_pi(angle.get(), MPFR_RNDN);
    mpfr_mul(angle.get(), angle.get(), x.get(), MPFR_RNDN);
    mpfr_sin(angle.get(), angle.get(), MPFR_RNDN);
    Exact sine;
    mpfr_set(sine.get(), angle.get(), MPFR_RNDN);
    return (pi / sine) * (pi / sine) - Trigamma(Exact(1) - x);
  }
  for (; x < Exact(30); x = x + Exact(1)) sum = sum + Exact(1) / (x * x);
  const Exact inverse = Exact(1) / x, square = inverse * inverse;
  Exact tail = 0;
  for (int j = 10; j >= 0; --j) tail = tail * square + Exact(kBernoulli[j][0]) / Exact(kBernoulli[j][1]);
  return sum + inverse + square / Exact(2) + tail * square * inverse;
}

// By Halley's method, from an approximation of 2e-3 (Winitzki): the second step leaves 1e-20.
Exact ErfInv(const Exact& argument) {
  Exact size = argument < Exact(0) ? -argument : argument;
  if (argument.IsZero() || argument.IsNaN() || Exact(1) < size) return argument.IsZero() ? argument : Exact(NAN);
  if (size == Exact(1)) return argument / Exact(0);
  const double x = size.ToDouble(), w = std::log1p(-x) + std::log1p(x), a = 0.147;
  const double b = 2 / (3.141592653589793 * a) + w / 2;
  Exact y = x < 1e-8 ? 0.8862 * x : std::sqrt(std::sqrt(b * b - w / a) - b);
  const Exact complement = Exact(1) - size;
  const Exact two_over_root_pi = Exact(2) / Exact::Apply(mpfr_sqrt, Exact::Apply(mpfr_atan2, Exact(0), Exact(-1)));
  for (int step = 0; step < 3; ++step) {
    const Exact residual = x < 0.5 ? Exact::Apply(mpfr_erf, y) - size : complement - Exact::Apply(mpfr_erfc, y);
    const Exact newton = residual / (two_over_root_pi * Exact::Apply(mpfr_exp, -(y * y)));
    y = y - newton / (Exact(1) + y * newton);
  }
  return argument < Exact(0) ? -y : y;
}

std::vector<Function> Functions() {
  const Places log_like = {{{0, 2}, {0, 1000}}, {1, 0}};
  const Places trigonometric = {{{-8, 8}, {-1000, 1000}, {-1e5, 1e5}, {1e13, 3e14}},
                                {0, 1.5707963267948966, 3.141592653589793, 15, 125, 39000, 1e14}};
  const Places bounded = {{{-1, 1}}, {0, 1, -1, 0.5, -0.5}};
  const Places wide = {{{-2, 2}, {-30, 30}}, {0, 1, -1}};
  const Places exponents = {{{-1, 1}, {-120, 100}, {-760, 720}}, {0, 88.7228, 709.7827, -87.3, -103.9, -708.4, -745.1}};
  const Places positive = {{{0, 3}, {0, 100}}, {1}};
  const Places gamma = {{{0, 3}, {0, 20}, {0, 1e4}}, {0, 1, 2, 1.4616321449683622}};
  const Places gamma_left = {{{-10, 0}, {-3, -2}, {-200, 0}}, {-2.4570247382208006, -2.747682646727413}};
  return {
      {"exp", "exp", Mpfr(mpfr_exp), {}, 1, 1, exponents, {}},
      {"exp2", "exp2", Mpfr(mpfr_exp2), {}, 1, 1, {{{-1, 1}, {-160, 140}, {-1100, 1030}}, {0, 128, 1024}}, {}},
      {"expm1", "expm1", Mpfr(mpfr_expm1), {}, 1, 1, exponents, {}},
      {"log", "log", Mpfr(mpfr_log), {}, 1, 1, log_like, {}},
      {"log2", "log2", Mpfr(mpfr_log2), {}, 1, 1, log_like, {}},
      {"log10", "log10", Mpfr(mpfr_log10), {}, 1, 1, log_like, {}},
      {"log1p", "log1p", Mpfr(mpfr_log1p), {}, 1, 1, {{{-1, 1}, {0, 1000}}, {0, -1}}, {}},
      {"sqrt", "sqrt", Mpfr(mpfr_sqrt), {}, 0.5, 0.5, positive, {}},
      {"rsqrt",
       "rsqrt",
       [](const Exact& x) { return Exact(1) / Exact::Apply(mpfr_sqrt, x); },
       {},
       1.5,
       1.5,
       positive,
       {}},
      {"cbrt", "cbrt", Mpfr(mpfr_cbrt), {}, 1, 1, wide, {}},
      {"sin", "sin", Mpfr(mpfr_sin), {}, 1, 1, trigonometric, {}},
      {"cos", "cos", Mpfr(mpfr_cos), {}, 1, 1, trigonometric, {}},
      {"tan", "tan", Mpfr(mpfr_tan), {}, 1, 1, trigonometric, {}},
      {"asin", "asin", Mpfr(mpfr_asin), {}, 1, 1, bounded, {}},
      {"acos", "acos", Mpfr(mpfr_acos), {}, 1, 1, bounded, {}},
      {"atan", "atan", Mpfr(mpfr_atan), {}, 1, 1, wide, {}},
      {"sinh",
       "sinh",
       Mpfr(mpfr_sinh),
       {},
       1,
       1,
       {{{-2, 2}, {-720, 720}, {-95, 95}, {709, 710.5}, {88, 89.5}}, {0}},
       {}},
      {"cosh",
       "cosh",
       Mpfr(mpfr_cosh),
       {},
       1,
       1,
       {{{-2, 2}, {-720, 720}, {-95, 95}, {709, 710.5}, {88, 89.5}}, {0}},
       {}},
      {"tanh", "tanh", Mpfr(mpfr_tanh), {}, 1, 1.9, wide, {}},
      {"asinh", "asinh", Mpfr(mpfr_asinh), {}, 1, 1, wide, {}},
      {"acosh", "acosh", Mpfr(mpfr_acosh), {}, 1, 1, {{{1, 3}, {1, 1000}}, {1}}, {}},
      {"atanh", "atanh", Mpfr(mpfr_atanh), {}, 1, 1, bounded, {}},
      {"logistic",
       "logistic",
       [](const Exact& x) { return Exact(1) / (Exact(1) + Exact::Apply(mpfr_exp, -x)); },
       {},
       2.1,
       2,
       exponents,
       {}},
      {"erf", "erf", Mpfr(mpfr_erf), {}, 1, 1, {{{-1, 1}, {-6.5, 6.5}}, {0}}, {}},
      {"erfc", "erfc", Mpfr(mpfr_erfc), {}, 1.5, 1.5, {{{-6, 6}, {0, 30}}, {0}}, {}, true, false, 60000},
      {"erf_inv", "erf_inv", ErfInv, {}, 1, 2, {{{-1, 1}, {0.8, 0.9}}, {0, 1, -1}}, {}, true, false, 30000},
      {"lgamma, x > 0", "lgamma", Lgamma, {}, 1, 1.2, gamma, {}, true, true, 20000},
      {"lgamma, x < 0", "lgamma", Lgamma, {}, 1, 4, gamma_left, {}, false, false, 10000},
      {"digamma, x > 0", "digamma", Mpfr(mpfr_digamma), {}, 1, 4, gamma, {}, false, true, 20000},
      {"digamma, x < 0",
       "digamma",
       Mpfr(mpfr_digamma),
       {},
       2,
       3,
       gamma_left,
       {},
       false,
       false,
       10000,
       Unit::kResultOrLog},
      {"polygamma(1, x)",
       "polygamma 1",
       Trigamma,
       {},
       1,
       1,
       {{{0, 3}, {0, 100}, {-10, 0}}, {0, 1}},
       {},
       false,
       false,
       20000},
      {"reciprocal", "reciprocal", [](const Exact& x) { return Exact(1) / x; }, {}, 0.5, 0.5, wide, {}},
      {"integer_pow(x, 3)", "integer_pow 3", [](const Exact& x) { return x * x * x; }, {}, 1.5, 1.5, wide, {}},
      {"integer_pow(x, -2)", "integer_pow -2", [](const Exact& x) { return Exact(1) / (x * x); }, {}, 2, 2, wide, {}},
      {"pow", "pow", {}, Mpfr2(mpfr_pow), 1, 1, {{{0, 2}, {0, 100}}, {1, 0}}, {{{-3, 3}, {-200, 200}}, {0, 1}}},
      {"atan2", "atan2", {}, Mpfr2(mpfr_atan2), 1, 1, wide, wide},
      {"hypot", "hypot", {}, Mpfr2(mpfr_hypot), 1, 1, wide, wide},
      {"log_add_exp",
       "log_add_exp",
       {},
       LogAddExp,
       2,
       2,
       {{{-2, 2}, {-100, 100}}, {0}},
       {{{-2, 2}, {-100, 100}}, {0}},
       true,
       false,
       200000,
       Unit::kResultOrOperands},
  };
}

// |got − exact| in units in the last place of T at `scale` or, where that is larger, at `exact`. An infinity counts as
// the power of two at which T overflows.
template <class T>
double Ulps(T got, const Exact& exact, double scale) {
  using Limits = std::numeric_limits<T>;
  if (exact.IsNaN() || std::isnan(got)) return exact.IsNaN() && std::isnan(got) ? 0 : kFar;
  const auto clamped = [](const Exact& x) {
    Exact overflow = std::ldexp(1.0, Limits::max_exponent - 1);
    overflow = overflow + overflow;
    return overflow < x ? overflow : x < -overflow ? -overflow : x;
  };
  const Exact value = clamped(exact);
  if (got == 0 && value.IsZero() && std::signbit(got) != value.SignBit()) return kFar;
  const Exact difference = clamped(Exact(static_cast<double>(got))) - value;
  if (difference.IsZero()) return 0;
  long exponent = Limits::min_exponent;
  if (!value.IsZero()) exponent = std::max(exponent, value.Exponent());
  if (scale > 0) exponent = std::max<long>(exponent, std::ilogb(scale) + 1);
  return std::abs(difference.TimesPowerOfTwo(Limits::digits - exponent).ToDouble());
}

class AccuracyTest : public testing::TestWithParam<Function> {
 protected:
  struct Worst {
    double error;
    double x = 0, y = 0;
  };

  static Exact ExactValue(const Function& function, double x, double y) {
    return function.unary ? function.unary(Exact(x)) : function.binary(Exact(x), Exact(y));
  }

  static double ScaleOf(const Function& function, double x, double y) {
    if (function.unit == Unit::kResultOrLog) return 1 + std::log1p(std::abs(x));
    return function.unit == Unit::kResultOrOperands ? std::max(std::abs(x), std::abs(y)) : 0;
  }

  template <class T>
  static std::vector<T> Apply(TileFn fn, const NamedOp& op, const std::vector<T>& x, const std::vector<T>& y) {
    std::vector<T> out(x.size());
    const void* const in[] = {x.data(), y.data(), nullptr, &op.attribute};
    fn(out.data(), in, static_cast<int64_t>(x.size()));
    return out;
  }

  template <class T>
  static void MakeArguments(const Function& function, int64_t count, std::vector<T>& x, std::vector<T>& y) {
    Samples samples(3);
    for (T a : SpecialArguments<T>()) {
      for (T b : function.unary ? std::vector<T>{0} : SpecialArguments<T>()) {
        x.push_back(a);
        y.push_back(b);
      }
    }
    if (function.positive) {
      for (T& a : x) a = std::abs(a);
    }
    for (int64_t i = 0; i < count; ++i) {
      const bool anywhere = function.everywhere && i % 3 == 0;
      x.push_back(anywhere ? samples.Anywhere<T>() : samples.In<T>(function.first));
      if (function.positive) x.back() = std::abs(x.back());
      if (function.unary) {
        y.push_back(0);
      } else {
        y.push_back(anywhere && i % 2 ? samples.Anywhere<T>() : samples.In<T>(function.second));
        if (i % 16 == 0) std::swap(x.back(), y.back());
      }
    }
  }

  static void Report(const Function& function, const char* dtype, double bound, const Worst& worst, Isa isa,
                     AccuracyRow& row) {
    row.Add(worst.error, Text("%.9g", worst.x) + (function.unary ? "" : Text(", %.9g", worst.y)));
    EXPECT_LE(worst.error, bound) << function.name << ' ' << dtype << ' ' << Name(isa) << " at " << std::hexfloat
                                  << worst.x << ' ' << worst.y;
  }

  static const NamedOp& OpOf(const Function& function) {
    return *std::find_if(ElementwiseOps().begin(), ElementwiseOps().end(),
                         [&](const NamedOp& op) { return std::string(op.name) == function.op; });
  }
};

TEST_P(AccuracyTest, F64) {
  const Function& function = GetParam();
  const NamedOp& op = OpOf(function);
  std::vector<double> x, y;
  MakeArguments(function, function.samples, x, y);
  std::vector<Exact> exact;
  exact.reserve(x.size());
  for (size_t i = 0; i < x.size(); ++i) exact.push_back(ExactValue(function, x[i], y[i]));
  AccuracyRow row(function.name, "f64");
  TileFn before = nullptr;
  for (Isa isa : SupportedIsas()) {
    const TileFn fn = FindTile(isa, op.op, kCodeF64, kCodeF64);
    if (fn == std::exchange(before, fn)) {
      row.Repeat();
      continue;
    }
    const std::vector<double> got = Apply(fn, op, x, y);
    Worst worst{0};
    for (size_t i = 0; i < x.size(); ++i) {
      const double error = Ulps(got[i], exact[i], ScaleOf(function, x[i], y[i]));
      if (error > worst.error) worst = {error, x[i], y[i]};
    }
    Report(function, "f64", function.bound_f64, worst, isa, row);
  }
  row.Print();
}

// Every 4099th f32. The kernel in f64 says where to look, MPFR how large the error is there.
TEST_P(AccuracyTest, F32) {
  const Function& function = GetParam();
  const NamedOp& op = OpOf(function);
  std::vector<float> x, y;
  MakeArguments(function, 200000, x, y);
  if (function.unary) {
    for (uint64_t bits = 0; bits < uint64_t{1} << 32; bits += 4099) {
      const float value = std::bit_cast<float>(static_cast<uint32_t>(bits));
      if (std::isfinite(value)) x.push_back(function.positive ? std::abs(value) : value);
    }
    y.resize(x.size());
  }
  const std::vector<double> wide =
      Apply(FindTile(SupportedIsas().back(), op.op, kCodeF64, kCodeF64), op, std::vector<double>(x.begin(), x.end()),
            std::vector<double>(y.begin(), y.end()));
  AccuracyRow row(function.name, "f32");
  TileFn before = nullptr;
  for (Isa isa : SupportedIsas()) {
    const TileFn fn = FindTile(isa, op.op, kCodeF32, kCodeF32);
    if (fn == std::exchange(before, fn)) {
      row.Repeat();
      continue;
    }
    const std::vector<float> got = Apply(fn, op, x, y);
    Worst worst{0.5};
    double about = 0.5;
    for (size_t i = 0; i < x.size(); ++i) {
      if (std::isnan(wide[i]) && std::isnan(got[i])) continue;
      if (std::isinf(got[i]) && static_cast<float>(wide[i]) == got[i]) continue;
      const double size = std::max(std::abs(wide[i]), ScaleOf(function, x[i], y[i]));
      const int exponent = std::max(size > 0 ? std::min(std::ilogb(size), 1023) + 1 : -125, -125);
      const double guess = std::abs(got[i] - wide[i]) * std::ldexp(1.0, 24 - exponent);
      if (guess <= about * 0.999) continue;
      about = std::max(about, std::min(guess, 1e9));
      const double error = Ulps(got[i], ExactValue(function, x[i], y[i]), ScaleOf(function, x[i], y[i]));
      if (error > worst.error) worst = {error, x[i], y[i]};
    }
    Report(function, "f32", function.bound_f32, worst, isa, row);
  }
  row.Print();
}

INSTANTIATE_TEST_SUITE_P(Real, AccuracyTest, testing::ValuesIn(Functions()), [](const auto& info) {
  std::string name;
  for (const char* c = info.param.name; *c != 0; ++c) {
    if (std::isalnum(static_cast<unsigned char>(*c))) name += *c;
    if (*c == '<' || *c == '-') name += "Negative";
  }
  return name;
});

}  // namespace
}  // namespace tenferro
