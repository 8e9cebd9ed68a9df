#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "tenferro/linalg/cpu/batch_kernel.h"
#include "tenferro/linalg/cpu/spectral/general_function.h"
#include "tenferro/linalg/cpu/spectral/hermitian_function.h"
#include "tenferro/linalg/cpu/spectral/kernels.h"
#include "tenferro/linalg/eig.h"
#include "tenferro/linalg/eigh.h"
#include "tenferro/linalg/matrix_function.h"
#include "tenferro/linalg/spectral_slots.h"

namespace tenferro::linalg {
namespace {

// What is the same for all matrices [rows, columns] of a batch.
struct SpectralProblem {
  Isa isa;
  Words attributes;
  int64_t rows, columns;
};

template <class T>
Outcome RunEigh(const SpectralProblem& problem, const MatrixArguments& m) {
  const int64_t n = problem.rows;
  return Eigh<T>(problem.isa, n, m.Input<T>(0, n * n), m.Output<RealOf<T>>(0, n), m.Output<T>(1, n * n), m.memory);
}

template <class T>
Outcome RunEigvalsh(const SpectralProblem& problem, const MatrixArguments& m) {
  const int64_t n = problem.rows;
  return Eigh<T>(problem.isa, n, m.Input<T>(0, n * n), m.Output<RealOf<T>>(0, n), nullptr, m.memory);
}

template <class T>
Outcome RunGeneralizedEigh(const SpectralProblem& problem, const MatrixArguments& m) {
  const int64_t n = problem.rows;
  return GeneralizedEigh<T>(problem.isa, n, m.Input<T>(0, n * n), m.Input<T>(1, n * n), m.Output<RealOf<T>>(0, n),
                            m.Output<T>(1, n * n), m.memory);
}

const ScalarFunction& FunctionOf(const SpectralProblem& problem) {
  return Decode<HermitianFunctionAttributes>(problem.attributes).get();
}

template <class T>
Outcome RunHermitianFunction(const SpectralProblem& problem, const MatrixArguments& m) {
  Pool pool(m.memory);
  const int64_t n = problem.rows;
  return HermitianFunctionOf<T>(problem.isa, FunctionOf(problem), n, m.Input<T>(0, n * n), m.Output<T>(0, n * n),
                                &pool);
}

template <class T>
Outcome RunHermitianFunctionDerivative(const SpectralProblem& problem, const MatrixArguments& m) {
  Pool pool(m.memory);
  const int64_t n = problem.rows;
  return HermitianFunctionDerivativeOf<T>(problem.isa, FunctionOf(problem), n, m.Input<T>(0, n * n),
                                          m.Input<T>(1, n * n), m.Output<T>(0, n * n), &pool);
}

template <class T>
Outcome RunHermitianFunctionSecond(const SpectralProblem& problem, const MatrixArguments& m) {
  Pool pool(m.memory);
  const int64_t n = problem.rows;
  return HermitianFunctionSecondOf<T>(problem.isa, FunctionOf(problem), n, m.Input<T>(0, n * n), m.Input<T>(1, n * n),
                                      m.Input<T>(2, n * n), m.Output<T>(0, n * n), &pool);
}

template <class T>
using Double = std::conditional_t<std::is_floating_point_v<T>, double, std::complex<double>>;

// An operand in double precision, and a result back.
template <class T>
DenseMatrix<Double<T>> Widened(const MatrixArguments& m, int operand, int64_t n, Pool& pool) {
  DenseMatrix<Double<T>> a(n, n, &pool);
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
  Pool pool(m.memory);
  DenseMatrix<Double<T>> out;
  const Outcome outcome = function(problem.isa, Widened<T>(m, 0, n, pool), out);
  if (outcome == Outcome::kOk) Narrow(out.data.data(), n * n, m.Output<T>(0, n * n));
  return outcome;
}
template <class T>
Outcome RunDerivative(GeneralDerivative<T> function, const SpectralProblem& problem, const MatrixArguments& m) {
  const int64_t n = problem.rows;
  if (n == 0) return Outcome::kOk;
  Pool pool(m.memory);
  DenseMatrix<Double<T>> out;
  const Outcome outcome = function(problem.isa, Widened<T>(m, 0, n, pool), Widened<T>(m, 1, n, pool), out);
  if (outcome == Outcome::kOk) Narrow(out.data.data(), n * n, m.Output<T>(0, n * n));
  return outcome;
}

#define TENFERRO_FUNCTION(name)                                                             \
  template <class T>                                                                        \
  Outcome Run##name(const SpectralProblem& problem, const MatrixArguments& m) {             \
    return RunFunction<T>(name<Double<T>>, problem, m);                                     \
  }                                                                                         \
  template <class T>                                                                        \
  Outcome Run##name##Derivative(const SpectralProblem& problem, const MatrixArguments& m) { \
    return RunDerivative<T>(name##Derivative<Double<T>>, problem, m);                       \
  }
TENFERRO_FUNCTION(Expm)
TENFERRO_FUNCTION(Sqrtm)
TENFERRO_FUNCTION(Logm)
#undef TENFERRO_FUNCTION

template <class T>
Outcome RunEig(const SpectralProblem& problem, const MatrixArguments& m) {
  using Result = std::complex<RealOf<T>>;
  const int64_t n = problem.rows;
  Pool pool(m.memory);
  PoolVector<std::complex<double>> values(static_cast<size_t>(n), &pool);
  DenseMatrix<std::complex<double>> vectors, inverse;
  const Outcome outcome = Eig(problem.isa, Widened<T>(m, 0, n, pool), values.data(), &vectors, &inverse);
  if (outcome != Outcome::kOk) return outcome;
  Narrow(values.data(), n, m.Output<Result>(0, n));
  Narrow(vectors.data.data(), n * n, m.Output<Result>(1, n * n));
  Narrow(inverse.data.data(), n * n, m.Output<Result>(2, n * n));
  return Outcome::kOk;
}

template <class T>
Outcome RunEigvals(const SpectralProblem& problem, const MatrixArguments& m) {
  const int64_t n = problem.rows;
  Pool pool(m.memory);
  PoolVector<std::complex<double>> values(static_cast<size_t>(n), &pool);
  const Outcome outcome = Eig(problem.isa, Widened<T>(m, 0, n, pool), values.data(), nullptr, nullptr);
  if (outcome == Outcome::kOk) Narrow(values.data(), n, m.Output<std::complex<RealOf<T>>>(0, n));
  return outcome;
}

template <class T>
Outcome RunSchur(const SpectralProblem& problem, const MatrixArguments& m) {
  const int64_t n = problem.rows;
  Pool pool(m.memory);
  DenseMatrix<Double<T>> t(n, n, &pool), z(n, n, &pool);
  const Piece scratch(&pool, SchurBytes<Double<T>>(n));
  const Outcome outcome =
      Schur(problem.isa, n, Widened<T>(m, 0, n, pool).data.data(), t.data.data(), z.data.data(), scratch.memory());
  if (outcome != Outcome::kOk) return outcome;
  Narrow(t.data.data(), n * n, m.Output<T>(0, n * n));
  Narrow(z.data.data(), n * n, m.Output<T>(1, n * n));
  return Outcome::kOk;
}

// With a = W·diag(s)·Vᴴ, u = W·Vᴴ and p = V·diag(s)·Vᴴ.
template <class T>
Outcome RunPolar(const SpectralProblem& problem, const MatrixArguments& m) {
  const int64_t rows = problem.rows, n = problem.columns;
  if (n == 0) return Outcome::kOk;
  Pool pool(m.memory);
  DenseMatrix<T> w(rows, n, &pool), vt(n, n, &pool);
  PoolVector<RealOf<T>> s(static_cast<size_t>(n), &pool);
  const Piece scratch(&pool, SvdBytes<T>(rows, n));
  const Outcome outcome =
      Svd(problem.isa, rows, n, m.Input<T>(0, rows * n), w.data.data(), s.data(), vt.data.data(), scratch.memory());
  if (outcome != Outcome::kOk) return outcome;
  MultiplyView(problem.isa, Turn::kNone, w.data.data(), rows, Turn::kNone, vt.data.data(), n, rows, n, n, false,
               m.Output<T>(0, rows * n), rows, &pool);
  DenseMatrix<T> scaled = vt;
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < n; ++i) scaled(i, j) *= s[i];
  }
  T* p = m.Output<T>(1, n * n);
  MultiplyView(problem.isa, Turn::kAdjoint, vt.data.data(), n, Turn::kNone, scaled.data.data(), n, n, n, n, false, p, n,
               &pool);
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
  Pool pool(m.memory);
  DenseMatrix<T> v(n, n, &pool), right(n, n, &pool);
  PoolVector<RealOf<T>> w(static_cast<size_t>(n), &pool);
  const Piece scratch(&pool, EighBytes<T>(problem.isa, n));
  const Outcome outcome = Eigh(problem.isa, n, m.Input<T>(0, n * n), w.data(), v.data.data(), scratch.memory());
  if (outcome != Outcome::kOk) return outcome;
  const RealOf<T> tau = static_cast<RealOf<T>>(n) * std::numeric_limits<RealOf<T>>::epsilon() *
                        std::max(std::abs(w.front()), std::abs(w.back()));
  MultiplyView(problem.isa, Turn::kNone, m.Input<T>(1, n * n), n, Turn::kNone, v.data.data(), n, n, n, n, false,
               right.data.data(), n, &pool);
  DenseMatrix<T> core = Multiply(problem.isa, Turn::kAdjoint, v, Turn::kNone, right);
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < n; ++i) {
      const RealOf<T> sum = w[i] + w[j];
      core(i, j) = sum <= tau ? T(0) : core(i, j) / sum;
    }
  }
  const DenseMatrix<T> left = Multiply(problem.isa, v, core);
  MultiplyView(problem.isa, Turn::kNone, left.data.data(), n, Turn::kAdjoint, v.data.data(), n, n, n, n, false,
               m.Output<T>(0, n * n), n, &pool);
  return Outcome::kOk;
}

// Bytes of a function that works in a pool with up to kMatrices complex matrices of kOrder times the problem's order,
// and what its products, its Schur form and its decompositions need.
template <int kMatrices, int kOrder = 1>
int64_t PoolBytes(const SpectralProblem& problem) {
  using Complex = std::complex<double>;
  const int64_t n = kOrder * std::max(problem.rows, problem.columns);
  GemmArgs product = {};
  product.dtype = static_cast<uint8_t>(DType::kC128);
  product.c_rows.extent = product.c_cols.extent = product.a_cols.extent = n;
  return kMatrices * (n * n * int64_t{sizeof(Complex)} + 64) + 4 * (n * int64_t{sizeof(Complex)} + 64) +
         GemmWorkspaceBytes(problem.isa, product) + 64;
}
template <class T>
int64_t EighProblemBytes(const SpectralProblem& problem) {
  return EighBytes<T>(problem.isa, problem.rows);
}
template <class T>
int64_t GeneralizedEighProblemBytes(const SpectralProblem& problem) {
  return GeneralizedEighBytes<T>(problem.isa, problem.rows);
}
template <class T>
int64_t HermitianFunctionBytes(const SpectralProblem& problem) {
  return PoolBytes<6>(problem) + EighBytes<T>(problem.isa, problem.rows);
}
template <class T>
int64_t ExpmBytes(const SpectralProblem& problem) {
  return PoolBytes<23>(problem);
}
template <class T>
int64_t ExpmDerivativeBytes(const SpectralProblem& problem) {
  return PoolBytes<23, 2>(problem);
}
template <class T>
int64_t SchurProblemBytes(const SpectralProblem& problem) {
  return PoolBytes<12>(problem) + SchurBytes<std::complex<double>>(problem.rows);
}
template <class T>
int64_t LogmDerivativeBytes(const SpectralProblem& problem) {
  return PoolBytes<12, 2>(problem) + SchurBytes<std::complex<double>>(problem.rows);
}
template <class T>
int64_t PolarBytes(const SpectralProblem& problem) {
  return PoolBytes<4>(problem) + SvdBytes<T>(problem.rows, problem.columns);
}

using Function = Outcome (*)(const SpectralProblem& problem, const MatrixArguments& matrix);
using Bytes = int64_t (*)(const SpectralProblem& problem);

// Runs a function on every matrix of a batch.
class SpectralKernel final : public BatchKernel {
 public:
  // `cost` times rows·columns² is about the time in nanoseconds.
  SpectralKernel(const KernelRequest& request, Function function, Bytes bytes, double cost)
      : BatchKernel(request, 0, cost * Volume(request.inputs[0], request.inputs[0].shape.extent(1))),
        problem_{isa_, Words(request.attributes.begin(), request.attributes.end()), m_, n_},
        function_(function),
        bytes_(bytes(problem_)) {}

  int64_t scratch_bytes() const override { return bytes_; }
  Ending One(const MatrixArguments& matrix) const override { return {function_(problem_, matrix)}; }

 private:
  SpectralProblem problem_;
  Function function_;
  int64_t bytes_;
};

struct Row {
  const OpDef* op;
  Function of[4];  // f32, f64, c64, c128
  Bytes bytes[4];
  double cost;  // see SpectralKernel
};

#define TENFERRO_FOR_DTYPES(function) \
  { function<float>, function<double>, function<std::complex<float>>, function<std::complex<double>> }
#define TENFERRO_ROW(op, function, bytes, cost) \
  { &op, TENFERRO_FOR_DTYPES(function), TENFERRO_FOR_DTYPES(bytes), cost }

constexpr Row kRows[] = {
    TENFERRO_ROW(kEigh, RunEigh, EighProblemBytes, 0.3),
    TENFERRO_ROW(kEigvalsh, RunEigvalsh, EighProblemBytes, 0.15),
    TENFERRO_ROW(kGeneralizedEigh, RunGeneralizedEigh, GeneralizedEighProblemBytes, 0.8),
    TENFERRO_ROW(kHermitianFunction, RunHermitianFunction, HermitianFunctionBytes, 0.4),
    TENFERRO_ROW(kHermitianFunctionDerivative, RunHermitianFunctionDerivative, HermitianFunctionBytes, 0.5),
    TENFERRO_ROW(kHermitianFunctionSecond, RunHermitianFunctionSecond, HermitianFunctionBytes, 10),
    TENFERRO_ROW(kExpm, RunExpm, ExpmBytes, 0.5),
    TENFERRO_ROW(kExpmDerivative, RunExpmDerivative, ExpmDerivativeBytes, 4),
    TENFERRO_ROW(kSqrtm, RunSqrtm, SchurProblemBytes, 6),
    TENFERRO_ROW(kSqrtmDerivative, RunSqrtmDerivative, SchurProblemBytes, 7),
    TENFERRO_ROW(kLogm, RunLogm, SchurProblemBytes, 8),
    TENFERRO_ROW(kLogmDerivative, RunLogmDerivative, LogmDerivativeBytes, 30),
    TENFERRO_ROW(kEig, RunEig, SchurProblemBytes, 6),
    TENFERRO_ROW(kEigvals, RunEigvals, SchurProblemBytes, 4),
    TENFERRO_ROW(kSchur, RunSchur, SchurProblemBytes, 5),
    TENFERRO_ROW(kPolar, RunPolar, PolarBytes, 1),
    TENFERRO_ROW(kHermitianSylvester, RunHermitianSylvester, HermitianFunctionBytes, 0.5),
};

absl::StatusOr<std::unique_ptr<Kernel>> MakeKernel(const KernelRequest& request) {
  const DType dtype = request.inputs[0].dtype;
  const int index = ScalarIndex(dtype);
  for (const Row& row : kRows) {
    if (row.op == &request.op && index >= 0) {
      return std::make_unique<SpectralKernel>(request, row.of[index], row.bytes[index], row.cost);
    }
  }
  return KernelOrError(nullptr, dtype);
}

constexpr CpuFamily kFamily{.make = MakeKernel};
[[maybe_unused]] const bool filled = FillSlot(spectral_slots, &FamilySlots::cpu, &kFamily);

}  // namespace
}  // namespace tenferro::linalg
