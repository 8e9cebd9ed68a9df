#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "absl/strings/str_cat.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/linalg/cpu/kernels.h"
#include "tenferro/linalg/cpu/matrix_batch.h"
#include "tenferro/linalg/slots.h"
#include "tenferro/linalg/svd.h"

namespace tenferro::linalg {
namespace {

// svd with thin factors, or square ones.
template <class T, bool kFull>
class SvdKernel final : public Kernel {
 public:
  explicit SvdKernel(const KernelRequest& request) : problem_(request) {}

  int64_t worker_workspace_bytes() const override {
    return kFull ? SvdFullBytes<T>(problem_.m, problem_.n) : SvdBytes<T>(problem_.m, problem_.n);
  }
  double one_thread_nanoseconds() const override { return problem_.one_thread_nanoseconds(); }
  // G. Golub and C. Van Loan, Matrix Computations, 4th edition, table 8.6.1.
  double flops() const override { return kFull ? problem_.flops(14, 8) : problem_.flops(6, 20); }
  absl::Status Run(const KernelArguments& arguments) const override {
    const int64_t m = problem_.m, n = problem_.n, k = std::min(m, n);
    const int64_t left = kFull ? m : k, right = kFull ? n : k;
    BatchOutcome outcome;
    problem_.ForEachMatrix(arguments, worker_workspace_bytes(), [&](int64_t i, Memory memory) {
      const auto decompose = kFull ? SvdFull<T> : Svd<T>;
      outcome.Set(decompose(problem_.isa, m, n, Input<T>(arguments, 0, i, m * n), Output<T>(arguments, 0, i, m * left),
                            Output<RealOf<T>>(arguments, 1, i, k), Output<T>(arguments, 2, i, right * n), memory),
                  i);
    });
    return outcome.status(problem_.batch);
  }

 private:
  Problem problem_;
};

template <class T>
class ValuesKernel final : public Kernel {
 public:
  explicit ValuesKernel(const KernelRequest& request) : problem_(request) {}

  int64_t worker_workspace_bytes() const override { return SvdValuesBytes<T>(problem_.m, problem_.n); }
  double one_thread_nanoseconds() const override { return problem_.one_thread_nanoseconds() / 4; }
  double flops() const override { return problem_.flops(4, -4.0 / 3); }
  absl::Status Run(const KernelArguments& arguments) const override {
    const int64_t m = problem_.m, n = problem_.n;
    BatchOutcome outcome;
    problem_.ForEachMatrix(arguments, worker_workspace_bytes(), [&](int64_t i, Memory memory) {
      outcome.Set(SvdValues<T>(problem_.isa, m, n, Input<T>(arguments, 0, i, m * n),
                               Output<RealOf<T>>(arguments, 0, i, std::min(m, n)), memory),
                  i);
    });
    return outcome.status(problem_.batch);
  }

 private:
  Problem problem_;
};

enum class Truncated : uint8_t { kTriplets, kSplit, kIsometry };

// svd_truncated; split_svd, which has its two factors before the triplets; isometry, which has the values as a matrix
// behind them.
template <class T, Truncated kKind>
class TruncatedKernel final : public Kernel {
 public:
  explicit TruncatedKernel(const KernelRequest& request)
      : problem_(request), kept_(Decode<TruncationAttributes>(request.attributes)) {}

  int64_t worker_workspace_bytes() const override {
    const int64_t exact = kept_.k + needs_next();
    return SvdTruncatedBytes<T>(problem_.m, problem_.n, exact, kept_.k + kept_.extra - exact);
  }
  double one_thread_nanoseconds() const override { return problem_.one_thread_nanoseconds(); }
  // A dozen products with a block of k + 16 columns, from both sides.
  double flops() const override {
    return 12 * 4.0 * static_cast<double>(problem_.m * problem_.n) *
           static_cast<double>((kept_.k + 16) * problem_.batch);
  }
  absl::Status Run(const KernelArguments& arguments) const override {
    const int64_t m = problem_.m, n = problem_.n, k = kept_.k;
    const int64_t all = k + kept_.extra;
    constexpr int kFirst = kKind == Truncated::kSplit ? 2 : 0;
    BatchOutcome outcome;
    problem_.ForEachMatrix(arguments, worker_workspace_bytes(), [&](int64_t i, Memory memory) {
      T* const u = Output<T>(arguments, kFirst, i, m * all);
      RealOf<T>* const s = Output<RealOf<T>>(arguments, kFirst + 1, i, all);
      T* const v = Output<T>(arguments, kFirst + 2, i, n * all);
      // A gap is known when the next value is.
      const int64_t exact = k + needs_next();
      Outcome ended =
          SvdTruncated<T>(problem_.isa, m, n, Input<T>(arguments, 0, i, m * n), exact, all - exact, u, s, v, memory);
      if (ended == Outcome::kOk && needs_next() && !(s[k - 1] - s[k] > kept_.require_gap * s[0])) {
        ended = Outcome::kNoGap;
      }
      if (ended == Outcome::kOk) {
        if constexpr (kKind == Truncated::kSplit) {
          Split(u, s, v, Output<T>(arguments, 0, i, m * k), Output<T>(arguments, 1, i, k * n),
                Output<T>(arguments, 5, i, k * k));
        } else if constexpr (kKind == Truncated::kIsometry) {
          T* const values = Output<T>(arguments, 3, i, k * k);
          std::fill_n(values, k * k, T(0));
          for (int64_t j = 0; j < k; ++j) values[j + j * k] = s[j];
        }
      }
      outcome.Set(ended, i);
    });
    const absl::Status status = outcome.status(problem_.batch);
    if (outcome.outcome() != Outcome::kNoGap) return status;
    const RealOf<T>* s = Output<RealOf<T>>(arguments, kFirst + 1, outcome.matrix(), all);
    return absl::FailedPreconditionError(
        absl::StrCat(status.message(), ": s_", k, " = ", s[k - 1], " and s_", k + 1, " = ", s[k],
                     " differ by no more than require_gap·s_1 = ", kept_.require_gap * s[0]));
  }

 private:
  bool needs_next() const { return kept_.require_gap > 0 && kept_.k > 0 && kept_.extra > 0; }

  // left = U √s, right = √s Vᴴ, root = √s on the diagonal.
  void Split(const T* u, const RealOf<T>* s, const T* v, T* left, T* right, T* root_matrix) const {
    const int64_t m = problem_.m, n = problem_.n, k = kept_.k;
    std::fill_n(root_matrix, k * k, T(0));
    for (int64_t j = 0; j < k; ++j) {
      const RealOf<T> root = std::sqrt(s[j]);
      root_matrix[j + j * k] = root;
      for (int64_t i = 0; i < m; ++i) left[i + j * m] = u[i + j * m] * root;
      for (int64_t i = 0; i < n; ++i) right[j + i * k] = Conjugate(v[i + j * n]) * root;
    }
  }

  static T Conjugate(const T& x) {
    if constexpr (std::is_floating_point_v<T>) {
      return x;
    } else {
      return std::conj(x);
    }
  }

  Problem problem_;
  TruncationAttributes kept_;
};

template <class T>
class ComplementKernel final : public Kernel {
 public:
  explicit ComplementKernel(const KernelRequest& request)
      : problem_(request), k_(request.inputs[5].shape.extent(1)), all_(request.inputs[1].shape.extent(1)) {}

  int64_t worker_workspace_bytes() const override {
    return TruncatedComplementBytes<T>(problem_.m, problem_.n, k_, all_ - k_);
  }
  double one_thread_nanoseconds() const override { return problem_.one_thread_nanoseconds(); }
  absl::Status Run(const KernelArguments& arguments) const override {
    const int64_t m = problem_.m, n = problem_.n;
    BatchOutcome outcome;
    problem_.ForEachMatrix(arguments, worker_workspace_bytes(), [&](int64_t i, Memory memory) {
      outcome.Set(TruncatedComplement<T>(problem_.isa, m, n, Input<T>(arguments, 0, i, m * n), k_, all_ - k_,
                                         Input<T>(arguments, 1, i, m * all_), Input<RealOf<T>>(arguments, 2, i, all_),
                                         Input<T>(arguments, 3, i, n * all_), Input<T>(arguments, 5, i, m * k_),
                                         Input<T>(arguments, 6, i, n * k_), Output<T>(arguments, 0, i, m * k_),
                                         Output<T>(arguments, 1, i, n * k_), memory),
                  i);
    });
    return outcome.status(problem_.batch);
  }

 private:
  Problem problem_;
  int64_t k_, all_;
};

template <class T>
class SylvesterKernel final : public Kernel {
 public:
  explicit SylvesterKernel(const KernelRequest& request)
      : problem_(request), attributes_(Decode<RootSylvesterAttributes>(request.attributes)) {}

  absl::Status Run(const KernelArguments& arguments) const override {
    const int64_t k = problem_.m;
    for (int64_t i = 0; i < problem_.batch; ++i) {
      Solve(Input<T>(arguments, 0, i, k * k), Input<T>(arguments, 1, i, k * k), Output<T>(arguments, 0, i, k * k));
    }
    return absl::OkStatus();
  }

 private:
  void Solve(const T* root, const T* b, T* x) const {
    const int64_t k = problem_.m;
    RealOf<T> largest = 0;
    for (int64_t i = 0; i < k; ++i) largest = std::max(largest, std::real(root[i + i * k]));
    const RealOf<T> tau =
        static_cast<RealOf<T>>(attributes_.rows) * std::numeric_limits<RealOf<T>>::epsilon() * largest * largest;
    for (int64_t j = 0; j < k; ++j) {
      const RealOf<T> mj = std::real(root[j + j * k]);
      for (int64_t i = 0; i < k; ++i) {
        const RealOf<T> mi = std::real(root[i + i * k]);
        const RealOf<T> sum = mi * mi + mj * mj;
        x[i + j * k] = sum <= tau ? T(0) : b[i + j * k] / (attributes_.power == 1 ? mi + mj : sum);
      }
    }
  }

  Problem problem_;
  RootSylvesterAttributes attributes_;
};

template <class T>
class CheckGaugeKernel final : public Kernel {
 public:
  explicit CheckGaugeKernel(const KernelRequest& request)
      : size_(request.inputs[0].shape.size()),
        defects_(request.inputs[1].shape.size()),
        tolerance_(Decode<CheckGaugeAttributes>(request.attributes).tolerance) {}

  absl::Status Run(const KernelArguments& arguments) const override {
    const RealOf<T>* defect = static_cast<const RealOf<T>*>(arguments.inputs[1]);
    RealOf<T> largest = 0;
    for (int64_t i = 0; i < defects_; ++i) {
      if (std::isnan(defect[i])) {
        return absl::FailedPreconditionError(
            "the defect is not a number: the loss or its derivative has an element that is not finite");
      }
      largest = std::max(largest, defect[i]);
    }
    if (largest > tolerance_) {
      return absl::FailedPreconditionError(absl::StrCat("the loss changes with the gauge of the factors: defect ",
                                                        largest, " is above ", tolerance_, "; such a loss needs Svd"));
    }
    std::copy_n(static_cast<const T*>(arguments.inputs[0]), size_, static_cast<T*>(arguments.outputs[0]));
    return absl::OkStatus();
  }

 private:
  int64_t size_, defects_;
  double tolerance_;
};

template <class T>
std::unique_ptr<Kernel> MakeFor(const KernelRequest& request) {
  const OpDef* const op = &request.op;
  if (op == &kSvd || op == &kSvdLorentz) return std::make_unique<SvdKernel<T, false>>(request);
  if (op == &kSvdFull) return std::make_unique<SvdKernel<T, true>>(request);
  if (op == &kSvdVals) return std::make_unique<ValuesKernel<T>>(request);
  if (op == &kSvdTruncated) return std::make_unique<TruncatedKernel<T, Truncated::kTriplets>>(request);
  if (op == &kSplitSvd) return std::make_unique<TruncatedKernel<T, Truncated::kSplit>>(request);
  if (op == &kIsometry) return std::make_unique<TruncatedKernel<T, Truncated::kIsometry>>(request);
  if (op == &kCheckGaugeInvariant) return std::make_unique<CheckGaugeKernel<T>>(request);
  if (op == &kRootSylvester) return std::make_unique<SylvesterKernel<T>>(request);
  if (op == &kTruncatedComplement) return std::make_unique<ComplementKernel<T>>(request);
  return nullptr;
}

absl::StatusOr<std::unique_ptr<Kernel>> MakeKernel(const KernelRequest& request) {
  std::unique_ptr<Kernel> kernel;
  switch (request.inputs[0].dtype) {
    case DType::kF32: kernel = MakeFor<float>(request); break;
    case DType::kF64: kernel = MakeFor<double>(request); break;
    case DType::kC64: kernel = MakeFor<std::complex<float>>(request); break;
    case DType::kC128: kernel = MakeFor<std::complex<double>>(request); break;
    default: break;
  }
  if (kernel == nullptr)
    return absl::UnimplementedError(absl::StrCat("has no kernel for ", Name(request.inputs[0].dtype)));
  return kernel;
}

constexpr CpuFamily kFamily{.make = MakeKernel};
[[maybe_unused]] const bool filled = FillSlot(linalg_slots, &FamilySlots::cpu, &kFamily);

}  // namespace
}  // namespace tenferro::linalg
