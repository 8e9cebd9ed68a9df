#include "tenferro/linalg/hermitian_function.h"

#include <cmath>

#include "tenferro/linalg/spectral_slots.h"
#include "tenferro/runtime/ops/emit.h"

namespace tenferro::linalg {
namespace {

using spectral_internal::InferAlike;

std::string PrintFunction(WordSpan words) {
  return absl::StrCat("function=", Decode<HermitianFunctionAttributes>(words).get().name);
}

Words WordsOf(const ScalarFunction& f) {
  return Encode(HermitianFunctionAttributes{reinterpret_cast<int64_t>(&f)});
}

// Divided differences of √x are quotients of sums.
constexpr ScalarFunction kRoot = {
    .name = "sqrt",
    .value = [](double x) { return std::sqrt(x); },
    .derivative = [](double x) { return 0.5 / std::sqrt(x); },
    .second = [](double x) { return -0.25 / (x * std::sqrt(x)); },
    .divided = [](double x, double y) { return 1 / (std::sqrt(x) + std::sqrt(y)); },
    .divided_twice =
        [](double x, double y, double z) {
          const double a = std::sqrt(x), b = std::sqrt(y), c = std::sqrt(z);
          return -1 / (a + b) / (b + c) / (a + c);
        },
    .nonnegative = true};

constexpr ScalarFunction kInverseRoot = {
    .name = "inverse_sqrt",
    .value = [](double x) { return 1 / std::sqrt(x); },
    .derivative = [](double x) { return -0.5 / (x * std::sqrt(x)); },
    .second = [](double x) { return 0.75 / (x * x * std::sqrt(x)); },
    .divided =
        [](double x, double y) {
          const double a = std::sqrt(x), b = std::sqrt(y);
          return -1 / a / b / (a + b);
        },
    .divided_twice =
        [](double x, double y, double z) {
          const double a = std::sqrt(x), b = std::sqrt(y), c = std::sqrt(z);
          return (a + b + c) / (a + b) / (b + c) / (a + c) / a / b / c;
        },
    .nonnegative = true};

constexpr ScalarFunction kExponential = {
    .name = "exp",
    .value = [](double x) { return std::exp(x); },
    .derivative = [](double x) { return std::exp(x); },
    .second = [](double x) { return std::exp(x); },
    .divided = [](double x, double y) { return x == y ? std::exp(x) : std::exp(y) * (std::expm1(x - y) / (x - y)); }};

constexpr ScalarFunction kLogarithm = {
    .name = "log",
    .value = [](double x) { return std::log(x); },
    .derivative = [](double x) { return 1 / x; },
    .second = [](double x) { return -1 / (x * x); },
    .divided = [](double x, double y) { return x == y ? 1 / x : std::log1p((x - y) / y) / (x - y); },
    .divided_twice = nullptr,
    .nonnegative = true};

}  // namespace

constexpr OpDef kHermitianFunction{.name = "linalg.hermitian_function",
                                   .infer = InferAlike,
                                   .dtypes = kFloatOrComplexSet,
                                   .batch = BatchAllOperands,
                                   .print = PrintFunction,
                                   .slots = &spectral_slots};
constexpr OpDef kHermitianFunctionDerivative{.name = "linalg.hermitian_function_derivative",
                                             .infer = InferAlike,
                                             .dtypes = kFloatOrComplexSet,
                                             .linear = 0b10,
                                             .batch = BatchAllOperands,
                                             .print = PrintFunction,
                                             .slots = &spectral_slots};
constexpr OpDef kHermitianFunctionSecond{.name = "linalg.hermitian_function_second",
                                         .infer = InferAlike,
                                         .dtypes = kFloatOrComplexSet,
                                         .linear = 0b110,
                                         .multilinear = true,
                                         .batch = BatchAllOperands,
                                         .print = PrintFunction,
                                         .slots = &spectral_slots};

Var HermitianFunction(const Arg& a, const ScalarFunction& f) {
  return EmitOne(kHermitianFunction, WordsOf(f), {a.Tensor(kHermitianFunction.name)}, a.location());
}

Var HermitianSqrt(const Arg& a) { return HermitianFunction(a, kRoot); }
Var HermitianInverseSqrt(const Arg& a) { return HermitianFunction(a, kInverseRoot); }
Var HermitianExp(const Arg& a) { return HermitianFunction(a, kExponential); }
Var HermitianLog(const Arg& a) { return HermitianFunction(a, kLogarithm); }

Var HermitianFunctionDerivative(const ScalarFunction& f, const Var& a, const Var& e) {
  return EmitOne(kHermitianFunctionDerivative, WordsOf(f), {a, e}, Location::current());
}

Var HermitianFunctionSecond(const ScalarFunction& f, const Var& a, const Var& e1, const Var& e2) {
  return EmitOne(kHermitianFunctionSecond, WordsOf(f), {a, e1, e2}, Location::current());
}

}  // namespace tenferro::linalg
