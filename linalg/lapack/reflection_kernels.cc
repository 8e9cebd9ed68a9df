// Factors by reflections and what is solved with them, by LAPACK.
#include <algorithm>
#include <cmath>

#include "tenferro/linalg/lapack/factor_kernel.h"

namespace tenferro::linalg::lapack {
namespace {

// As the length of a workspace: a question for it.
constexpr Int kQuery = -1;

// Workspace of Geqrf, Orgqr and Ormqr on matrices with leading dimension m.
template <class T>
struct QrWork {
  // q has `columns` columns and the first k reflections of an m × n matrix; `applied` columns are multiplied by them.
  void Lay(Scratch& scratch, int64_t m, int64_t n, int64_t k, int64_t columns, int64_t applied) {
    const Int rows = ToInt(m), width = ToInt(n), reflections = ToInt(k), q_columns = ToInt(columns),
              c_columns = ToInt(applied), lda = Leading(m);
    T answer = 0, none = 0;
    RealOf<T> most = 1;
    Int info = 0;
    const auto ask = [&] { most = std::max(most, std::real(answer)); };
    if (k > 0) {
      Routines<T>::Geqrf(&rows, &width, &none, &lda, &none, &answer, &kQuery, &info);
      ask();
      Routines<T>::Orgqr(&rows, &q_columns, &reflections, &none, &lda, &none, &answer, &kQuery, &info);
      ask();
    }
    if (k > 0 && applied > 0) {
      Routines<T>::Ormqr("L", kIsComplex<T> ? "C" : "T", &rows, &c_columns, &reflections, &none, &lda, &none, &none,
                         &lda, &answer, &kQuery, &info, 1, 1);
      ask();
    }
    place = scratch.AddWork(T(most), length);
  }

  void Factor(const MatrixArguments& matrix, int64_t m, int64_t n, T* a, int64_t lda, T* tau) const {
    const Int rows = ToInt(m), columns = ToInt(n), step = Leading(lda);
    Int info = 0;
    if (std::min(m, n) > 0) {
      Routines<T>::Geqrf(&rows, &columns, a, &step, tau, matrix.At<T>(place), &length, &info);
    }
  }
  // The first `columns` columns of the product of the k reflections in a, in their place.
  void Form(const MatrixArguments& matrix, int64_t m, int64_t columns, int64_t k, T* a, const T* tau) const {
    if (k == 0) return SetUnit(m, columns, a);
    const Int rows = ToInt(m), width = ToInt(columns), reflections = ToInt(k), step = Leading(m);
    Int info = 0;
    Routines<T>::Orgqr(&rows, &width, &reflections, a, &step, tau, matrix.At<T>(place), &length, &info);
  }
  // c [m, columns] times the product of the reflections or its adjoint.
  void Apply(const MatrixArguments& matrix, bool adjoint, int64_t m, int64_t columns, int64_t k, const T* a,
             const T* tau, T* c) const {
    if (k == 0 || columns == 0) return;
    const char operation = !adjoint ? 'N' : kIsComplex<T> ? 'C' : 'T';
    const Int rows = ToInt(m), width = ToInt(columns), reflections = ToInt(k), step = Leading(m);
    Int info = 0;
    Routines<T>::Ormqr("L", &operation, &rows, &width, &reflections, a, &step, tau, c, &step, matrix.At<T>(place),
                       &length, &info, 1, 1);
  }

  int64_t place = 0;
  Int length = 1;
};

// r's diagonal made non-negative.
template <class T>
void MakePositive(int64_t m, int64_t n, int64_t r_rows, T* q, T* r) {
  for (int64_t i = 0; i < std::min(r_rows, n); ++i) {
    if (!(std::real(r[i + i * r_rows]) < 0)) continue;
    for (int64_t j = i; j < n; ++j) r[i + j * r_rows] = -r[i + j * r_rows];
    r[i + i * r_rows] = std::abs(std::real(r[i + i * r_rows]));
    for (int64_t k = 0; k < m; ++k) q[k + i * m] = -q[k + i * m];
  }
}

template <class T>
class QrKernel final : public LapackKernel<QrProblem> {
 public:
  explicit QrKernel(const KernelRequest& request)
      : LapackKernel(request),
        k_(std::min(m_, n_)),
        factored_(n_ > columns_ ? scratch_.Add<T>(m_ * n_) : 0),
        tau_(scratch_.Add<T>(k_)) {
    work_.Lay(scratch_, m_, n_, k_, columns_, 0);
  }
  Ending One(const MatrixArguments& matrix) const override {
    T* const q = matrix.Output<T>(0, m_ * columns_);
    T* const r = matrix.Output<T>(1, columns_ * n_);
    T* const a = n_ > columns_ ? matrix.At<T>(factored_) : q;
    T* const tau = matrix.At<T>(tau_);
    if (!CopyFinite(matrix.Input<T>(0, m_ * n_), m_ * n_, a)) return kMatrixNotFinite;
    work_.Factor(matrix, m_, n_, a, m_, tau);
    CopyUpper(a, m_, columns_, n_, k_, r);
    if (a != q) std::copy_n(a, m_ * k_, q);
    work_.Form(matrix, m_, columns_, k_, q, tau);
    if (positive_) MakePositive(m_, n_, columns_, q, r);
    return kOk;
  }

 private:
  int64_t k_, factored_, tau_;
  QrWork<T> work_;
};

template <class T>
class PivotedQrKernel final : public LapackKernel<PivotedQrProblem> {
 public:
  explicit PivotedQrKernel(const KernelRequest& request)
      : LapackKernel(request),
        factored_(scratch_.Add<T>(m_ * n_)),
        tau_(scratch_.Add<T>(k_)),
        columns_(scratch_.Add<Int>(n_)),
        reals_(kIsComplex<T> ? scratch_.Add<RealOf<T>>(2 * n_) : 0) {
    form_.Lay(scratch_, m_, n_, k_, k_, 0);
    T answer = 1, none = 0;
    RealOf<T> room = 0;
    Int columns = 0;
    if (k_ > 0) Factor(&none, &columns, &none, &answer, kQuery, &room);
    work_ = scratch_.AddWork(answer, length_);
  }
  Ending One(const MatrixArguments& matrix) const override {
    T* const q = matrix.Output<T>(0, m_ * k_);
    T* const r = matrix.Output<T>(1, k_ * n_);
    int64_t* const permutation = matrix.Output<int64_t>(2, n_);
    T* const a = matrix.At<T>(factored_);
    T* const tau = matrix.At<T>(tau_);
    Int* const columns = matrix.At<Int>(columns_);
    if (!CopyFinite(matrix.Input<T>(0, m_ * n_), m_ * n_, a)) return kMatrixNotFinite;
    std::fill_n(columns, n_, Int{0});
    if (k_ > 0) Factor(a, columns, tau, matrix.At<T>(work_), length_, matrix.At<RealOf<T>>(reals_));
    for (int64_t j = 0; j < n_; ++j) permutation[j] = k_ > 0 ? int64_t{columns[j]} - 1 : j;
    CopyUpper(a, m_, k_, n_, k_, r);
    std::copy_n(a, m_ * k_, q);
    form_.Form(matrix, m_, k_, k_, q, tau);
    *matrix.Output<int64_t>(3, 1) = RankOf(r);
    return kOk;
  }

 private:
  void Factor(T* a, Int* columns, T* tau, T* work, Int length, RealOf<T>* reals) const {
    const Int m = ToInt(m_), n = ToInt(n_), lda = Leading(m_);
    Int info = 0;
    if constexpr (kIsComplex<T>) {
      Routines<T>::Geqp3(&m, &n, a, &lda, columns, tau, work, &length, reals, &info);
    } else {
      Routines<T>::Geqp3(&m, &n, a, &lda, columns, tau, work, &length, &info);
    }
  }

  int64_t factored_, tau_, columns_, reals_, work_ = 0;
  Int length_ = 1;
  QrWork<T> form_;
};

template <class T>
class AppendKernel final : public LapackKernel<AppendProblem> {
 public:
  explicit AppendKernel(const KernelRequest& request) : LapackKernel(request) {
    work_.Lay(scratch_, m_, std::max(n_, more_), k_, k_, more_);
    below_.Lay(scratch_, m_, more_, std::min(m_, more_), std::min(m_, more_), 0);
  }
  Ending One(const MatrixArguments& matrix) const override {
    const int64_t n = n_ + more_;
    const T* const old = matrix.Input<T>(0, m_ * n_);
    const T* const old_tau = matrix.Input<T>(1, k_);
    T* const packed = matrix.Output<T>(0, m_ * n);
    T* const tau = matrix.Output<T>(1, std::min(m_, n));
    T* const appended = packed + m_ * n_;
    if (!CopyFinite(matrix.Input<T>(2, m_ * more_), m_ * more_, appended)) return kMatrixNotFinite;
    std::copy_n(old, m_ * n_, packed);
    std::copy_n(old_tau, k_, tau);
    work_.Apply(matrix, true, m_, more_, k_, old, old_tau, appended);
    below_.Factor(matrix, m_ - k_, more_, appended + k_, m_, tau + k_);
    return kOk;
  }

 private:
  QrWork<T> work_, below_;
};

template <class T>
class ReflectedQrKernel final : public LapackKernel<ReflectedQrProblem> {
 public:
  explicit ReflectedQrKernel(const KernelRequest& request) : LapackKernel(request) {
    work_.Lay(scratch_, m_, n_, k_, k_, 0);
  }
  Ending One(const MatrixArguments& matrix) const override {
    const T* const packed = matrix.Input<T>(0, m_ * n_);
    T* const q = matrix.Output<T>(0, m_ * k_);
    CopyUpper(packed, m_, k_, n_, k_, matrix.Output<T>(1, k_ * n_));
    std::copy_n(packed, m_ * k_, q);
    work_.Form(matrix, m_, k_, k_, q, matrix.Input<T>(1, k_));
    return kOk;
  }

 private:
  QrWork<T> work_;
};

template <class T>
class ReflectedSolveKernel final : public LapackKernel<ReflectedSolveProblem> {
 public:
  explicit ReflectedSolveKernel(const KernelRequest& request)
      : LapackKernel(request), tall_(adjoint_ ? 0 : scratch_.Add<T>(m_ * sides_)) {
    work_.Lay(scratch_, m_, n_, n_, n_, sides_);
  }
  Ending One(const MatrixArguments& matrix) const override {
    const T* const packed = matrix.Input<T>(1, m_ * n_);
    const T* const tau = matrix.Input<T>(2, n_);
    const T* const b = matrix.Input<T>(3, (adjoint_ ? n_ : m_) * sides_);
    T* const x = matrix.Output<T>(0, (adjoint_ ? m_ : n_) * sides_);
    T* const tall = adjoint_ ? x : matrix.At<T>(tall_);
    if (!IsFinite(b, (adjoint_ ? n_ : m_) * sides_)) return kRightSideNotFinite;
    for (int64_t j = 0; j < n_; ++j) {
      if (!IsFinite(packed + j * m_, j + 1)) return kMatrixNotFinite;
    }
    if (const Ending ending = CheckDiagonal(n_, packed, m_); ending.outcome != Outcome::kOk) return ending;
    if (adjoint_) {
      for (int64_t j = 0; j < sides_; ++j) {
        std::copy_n(b + j * n_, n_, x + j * m_);
        std::fill_n(x + n_ + j * m_, m_ - n_, T(0));
      }
      SolveTriangle('L', 'U', 'C', 'N', n_, sides_, packed, m_, x, m_);
      work_.Apply(matrix, false, m_, sides_, n_, packed, tau, x);
      return kOk;
    }
    std::copy_n(b, m_ * sides_, tall);
    work_.Apply(matrix, true, m_, sides_, n_, packed, tau, tall);
    SolveTriangle('L', 'U', 'N', 'N', n_, sides_, packed, m_, tall, m_);
    for (int64_t j = 0; j < sides_; ++j) std::copy_n(tall + j * m_, n_, x + j * n_);
    return kOk;
  }

 private:
  int64_t tall_;
  QrWork<T> work_;
};

constexpr KernelRow kRows[] = {
    TENFERRO_KERNEL_ROW(kQr, MakeIfFits, QrKernel),
    TENFERRO_KERNEL_ROW(kPivotedQr, MakeIfFits, PivotedQrKernel),
    TENFERRO_KERNEL_ROW(kAppendReflectors, MakeIfFits, AppendKernel),
    TENFERRO_KERNEL_ROW(kReflectedQr, MakeIfFits, ReflectedQrKernel),
    TENFERRO_KERNEL_ROW(kReflectedSolve, MakeIfFits, ReflectedSolveKernel),
};

}  // namespace

std::unique_ptr<Kernel> MakeReflectionKernel(DType dtype, const KernelRequest& request) {
  return MakeFromRows(kRows, dtype, request);
}

}  // namespace tenferro::linalg::lapack
