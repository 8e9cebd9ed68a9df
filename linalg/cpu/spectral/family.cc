#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "absl/strings/str_cat.h"
#include "tenferro/linalg/cpu/spectral/batch_kernel.h"
#include "tenferro/linalg/cpu/spectral/general_function.h"
#include "tenferro/linalg/cpu/spectral/hermitian_function.h"
#include "tenferro/linalg/eig.h"
#include "tenferro/linalg/eigh.h"
#include "tenferro/linalg/matrix_function.h"
#include "tenferro/linalg/spectral_slots.h"

namespace tenferro::linalg {
namespace {

template <class T>
Outcome RunEigh(const SpectralProblem& problem, const MatrixArguments& m) {
  const int64_t n = problem.rows;
  return Eigh<T>(problem.isa, n, m.Input<T>(0, n * n), m.Output<RealOf<T>>(0, n), m.Output<T>(1, n * n));
}

template <class T>
Outcome RunEigvalsh(const SpectralProblem& problem, const MatrixArguments& m) {
  const int64_t n = problem.rows;
  return Eigh<T>(problem.isa, n, m.Input<T>(0, n * n), m.Output<RealOf<T>>(0, n), nullptr);
}

template <class T>
Outcome RunGeneralizedEigh(const SpectralProblem& problem, const MatrixArguments& m) {
  const int64_t n = problem.rows;
  return GeneralizedEigh<T>(problem.isa, n, m.Input<T>(0, n * n), m.Input<T>(1, n * n), m.Output<RealOf<T>>(0, n),
                            m.Output<T>(1, n * n));
}

const ScalarFunction& FunctionOf(const SpectralProblem& problem) {
  return Decode<HermitianFunctionAttributes>(problem.attributes).get();
}

template <class T>
Outcome RunHermitianFunction(const SpectralProblem& problem, const MatrixArguments& m) {
  const int64_t n = problem.rows;
  return HermitianFunctionOf<T>(problem.isa, FunctionOf(problem), n, m.Input<T>(0, n * n), m.Output<T>(0, n * n));
}

template <class T>
Outcome RunHermitianFunctionDerivative(const SpectralProblem& problem, const MatrixArguments& m) {
  const int64_t n = problem.rows;
  return HermitianFunctionDerivativeOf<T>(problem.isa, FunctionOf(problem), n, m.Input<T>(0, n * n),
                                          m.Input<T>(1, n * n), m.Output<T>(0, n * n));
}

template <class T>
Outcome RunHermitianFunctionSecond(const SpectralProblem& problem, const MatrixArguments& m) {
  const int64_t n = problem.rows;
  return HermitianFunctionSecondOf<T>(problem.isa, FunctionOf(problem), n, m.Input<T>(0, n * n),
                                      m.Input<T>(1, n * n), m.Input<T>(2, n * n), m.Output<T>(0, n * n));
}

template <class T>
using Double = std::conditional_t<std::is_floating_point_v<T>, double, std::complex<double>>;

// An operand in double precision, and a result back.
template <class T>
DenseMatrix<Double<T>> Widened(const MatrixArguments& m, int operand, int64_t n) {
  DenseMatrix<Double<T>> a(n, n);
  const T* from = m.Input<T>(operand, n * n);
  std::copy(from, from + n * n, a.data.begin());
  return a;
}
template <class To, class From>
void Narrow(const From* from, int64_t count, To* to) {
  for (int64_t i = 0; i < count; ++i) to[i] = static_cast<To>(from[i]);
}

template <class T>
using GeneralFunction = Outcome (*)(Isa, const DenseMatrix<Double<T>>&, DenseMatrix<Double<T>>&);
template <class T>
using GeneralDerivative = Outcome (*)(Isa, const DenseMatrix<Double<T>>&, const DenseMatrix<Double<T>>&,
                                      DenseMatrix<Double<T>>&);

template <class T>
Outcome RunFunction(GeneralFunction<T> function, const SpectralProblem& problem, const MatrixArguments& m) {
  const int64_t n = problem.rows;
  if (n == 0) return Outcome::kOk;
  DenseMatrix<Double<T>> out;
  const Outcome outcome = function(problem.isa, Widened<T>(m, 0, n), out);
  if (outcome == Outcome::kOk) Narrow(out.data.data(), n * n, m.Output<T>(0, n * n));
  return outcome;
}
template <class T>
Outcome RunDerivative(GeneralDerivative<T> function, const SpectralProblem& problem, const MatrixArguments& m) {
  const int64_t n = problem.rows;
  if (n == 0) return Outcome::kOk;
  DenseMatrix<Double<T>> out;
  const Outcome outcome = function(problem.isa, Widened<T>(m, 0, n), Widened<T>(m, 1, n), out);
  if (outcome == Outcome::kOk) Narrow(out.data.data(), n * n, m.Output<T>(0, n * n));
  return outcome;
}

#define TENFERRO_FUNCTION(name)                                                          \
  template <class T>                                                                     \
  Outcome Run##name(const SpectralProblem& problem, const MatrixArguments& m) {          \
    return RunFunction<T>(name<Double<T>>, problem, m);                                  \
  }                                                                                      \
  template <class T>                                                                     \
  Outcome Run##name##Derivative(const SpectralProblem& problem, const MatrixArguments& m) { \
    return RunDerivative<T>(name##Derivative<Double<T>>, problem, m);                    \
  }
TENFERRO_FUNCTION(Expm)
TENFERRO_FUNCTION(Sqrtm)
TENFERRO_FUNCTION(Logm)
#undef TENFERRO_FUNCTION

template <class T>
Outcome RunEig(const SpectralProblem& problem, const MatrixArguments& m) {
  using Result = std::complex<RealOf<T>>;
  const int64_t n = problem.rows;
  std::vector<std::complex<double>> values(static_cast<size_t>(n));
  DenseMatrix<std::complex<double>> vectors, inverse;
  const Outcome outcome = Eig(problem.isa, Widened<T>(m, 0, n), values.data(), &vectors, &inverse);
  if (outcome != Outcome::kOk) return outcome;
  Narrow(values.data(), n, m.Output<Result>(0, n));
  Narrow(vectors.data.data(), n * n, m.Output<Result>(1, n * n));
  Narrow(inverse.data.data(), n * n, m.Output<Result>(2, n * n));
  return Outcome::kOk;
}

template <class T>
Outcome RunEigvals(const SpectralProblem& problem, const MatrixArguments& m) {
  const int64_t n = problem.rows;
  std::vector<std::complex<double>> values(static_cast<size_t>(n));
  const Outcome outcome = Eig(problem.isa, Widened<T>(m, 0, n), values.data(), nullptr, nullptr);
  if (outcome == Outcome::kOk) Narrow(values.data(), n, m.Output<std::complex<RealOf<T>>>(0, n));
  return outcome;
}

template <class T>
Outcome RunSchur(const SpectralProblem& problem, const MatrixArguments& m) {
  const int64_t n = problem.rows;
  DenseMatrix<Double<T>> t(n, n), z(n, n);
  const Outcome outcome = Schur(problem.isa, n, Widened<T>(m, 0, n).data.data(), t.data.data(), z.data.data());
  if (outcome != Outcome::kOk) return outcome;
  Narrow(t.data.data(), n * n, m.Output<T>(0, n * n));
  Narrow(z.data.data(), n * n, m.Output<T>(1, n * n));
  return Outcome::kOk;
}

template <class T>
T Conjugate(const T& x) {
  if constexpr (std::is_floating_point_v<T>) {
    return x;
  } else {
    return std::conj(x);
  }
}

// With a = W·diag(s)·Vᴴ, u = W·Vᴴ and p = V·diag(s)·Vᴴ.
template <class T>
Outcome RunPolar(const SpectralProblem& problem, const MatrixArguments& m) {
  const int64_t rows = problem.rows, n = problem.columns;
  if (n == 0) return Outcome::kOk;
  DenseMatrix<T> w(rows, n), vt(n, n);
  std::vector<RealOf<T>> s(static_cast<size_t>(n));
  const Outcome outcome =
      Svd(problem.isa, rows, n, m.Input<T>(0, rows * n), w.data.data(), s.data(), vt.data.data());
  if (outcome != Outcome::kOk) return outcome;
  MultiplyView(problem.isa, Turn::kNone, w.data.data(), rows, Turn::kNone, vt.data.data(), n, rows, n, n, false,
               m.Output<T>(0, rows * n), rows);
  DenseMatrix<T> scaled = vt;
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < n; ++i) scaled(i, j) *= s[i];
  }
  T* p = m.Output<T>(1, n * n);
  MultiplyView(problem.isa, Turn::kAdjoint, vt.data.data(), n, Turn::kNone, scaled.data.data(), n, n, n, n, false, p,
               n);
  // Hermitian in every bit.
  for (int64_t j = 0; j < n; ++j) {
    p[j + j * n] = std::real(p[j + j * n]);
    for (int64_t i = 0; i < j; ++i) p[i + j * n] = Conjugate(p[j + i * n]);
  }
  return Outcome::kOk;
}

template <class T>
Outcome RunHermitianSylvester(const SpectralProblem& problem, const MatrixArguments& m) {
  const int64_t n = problem.rows;
  if (n == 0) return Outcome::kOk;
  DenseMatrix<T> v(n, n), right(n, n);
  std::vector<RealOf<T>> w(static_cast<size_t>(n));
  const Outcome outcome = Eigh(problem.isa, n, m.Input<T>(0, n * n), w.data(), v.data.data());
  if (outcome != Outcome::kOk) return outcome;
  const RealOf<T> tau = static_cast<RealOf<T>>(n) * std::numeric_limits<RealOf<T>>::epsilon() *
                        std::max(std::abs(w.front()), std::abs(w.back()));
  MultiplyView(problem.isa, Turn::kNone, m.Input<T>(1, n * n), n, Turn::kNone, v.data.data(), n, n, n, n, false,
               right.data.data(), n);
  DenseMatrix<T> core = Multiply(problem.isa, Turn::kAdjoint, v, Turn::kNone, right);
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < n; ++i) {
      const RealOf<T> sum = w[i] + w[j];
      core(i, j) = sum <= tau ? T(0) : core(i, j) / sum;
    }
  }
  const DenseMatrix<T> left = Multiply(problem.isa, v, core);
  MultiplyView(problem.isa, Turn::kNone, left.data.data(), n, Turn::kAdjoint, v.data.data(), n, n, n, n, false,
               m.Output<T>(0, n * n), n);
  return Outcome::kOk;
}

struct Row {
  const OpDef* op;
  BatchKernel::Function of[4];  // f32, f64, c64, c128
  double cost;                  // see BatchKernel
};

#define TENFERRO_ROW(op, function, cost) \
  {&op, {function<float>, function<double>, function<std::complex<float>>, function<std::complex<double>>}, cost}

constexpr Row kRows[] = {
    TENFERRO_ROW(kEigh, RunEigh, 0.3),
    TENFERRO_ROW(kEigvalsh, RunEigvalsh, 0.15),
    TENFERRO_ROW(kGeneralizedEigh, RunGeneralizedEigh, 0.8),
    TENFERRO_ROW(kHermitianFunction, RunHermitianFunction, 0.4),
    TENFERRO_ROW(kHermitianFunctionDerivative, RunHermitianFunctionDerivative, 0.5),
    TENFERRO_ROW(kHermitianFunctionSecond, RunHermitianFunctionSecond, 10),
    TENFERRO_ROW(kExpm, RunExpm, 0.5),
    TENFERRO_ROW(kExpmDerivative, RunExpmDerivative, 4),
    TENFERRO_ROW(kSqrtm, RunSqrtm, 6),
    TENFERRO_ROW(kSqrtmDerivative, RunSqrtmDerivative, 7),
    TENFERRO_ROW(kLogm, RunLogm, 8),
    TENFERRO_ROW(kLogmDerivative, RunLogmDerivative, 30),
    TENFERRO_ROW(kEig, RunEig, 6),
    TENFERRO_ROW(kEigvals, RunEigvals, 4),
    TENFERRO_ROW(kSchur, RunSchur, 5),
    TENFERRO_ROW(kPolar, RunPolar, 1),
    TENFERRO_ROW(kHermitianSylvester, RunHermitianSylvester, 0.5),
};

absl::StatusOr<std::unique_ptr<Kernel>> MakeKernel(const KernelRequest& request) {
  const int index = static_cast<int>(request.inputs[0].dtype) - static_cast<int>(DType::kF32);
  for (const Row& row : kRows) {
    if (row.op == &request.op && index >= 0) {
      return std::make_unique<BatchKernel>(request, row.of[index], row.cost);
    }
  }
  return absl::UnimplementedError(absl::StrCat("has no kernel for ", Name(request.inputs[0].dtype)));
}

constexpr CpuFamily kFamily{.make = MakeKernel};
[[maybe_unused]] const bool filled = FillSlot(spectral_slots, &FamilySlots::cpu, &kFamily);

}  // namespace
}  // namespace tenferro::linalg
