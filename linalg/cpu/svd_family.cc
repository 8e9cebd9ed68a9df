#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "absl/strings/str_cat.h"
#include "tenferro/linalg/cpu/batch_kernel.h"
#include "tenferro/linalg/cpu/kernels.h"
#include "tenferro/linalg/slots.h"
#include "tenferro/linalg/svd.h"

namespace tenferro::linalg {
namespace {

class DecompositionKernel : public BatchKernel {
 public:
  // `part` is the time beside that of a full decomposition.
  explicit DecompositionKernel(const KernelRequest& request, double part = 1)
      : BatchKernel(request, 0, 2 * part * Volume(request.inputs[0], Smaller(request.inputs[0]))),
        k_(std::min(m_, n_)) {}

 protected:
  // Of decompositions that take a·l·k² + b·k³ operations each, l the longer and k the shorter side.
  double Flops(double a, double b) const {
    const double k = static_cast<double>(k_), l = static_cast<double>(std::max(m_, n_));
    return static_cast<double>(batch_) * (a * l * k * k + b * k * k * k);
  }

  int64_t k_;
};

// svd with thin factors, or square ones.
template <class T, bool kFull>
class SvdKernel final : public DecompositionKernel {
 public:
  using DecompositionKernel::DecompositionKernel;

  int64_t scratch_bytes() const override { return kFull ? SvdFullBytes<T>(m_, n_) : SvdBytes<T>(m_, n_); }
  // G. Golub and C. Van Loan, Matrix Computations, 4th edition, table 8.6.1.
  double flops() const override { return kFull ? Flops(14, 8) : Flops(6, 20); }
  Ending One(const MatrixArguments& matrix) const override {
    const auto decompose = kFull ? SvdFull<T> : Svd<T>;
    return {decompose(isa_, m_, n_, matrix.Input<T>(0, m_ * n_), matrix.Output<T>(0, m_ * (kFull ? m_ : k_)),
                      matrix.Output<RealOf<T>>(1, k_), matrix.Output<T>(2, (kFull ? n_ : k_) * n_), matrix.memory)};
  }
};

template <class T>
class ValuesKernel final : public DecompositionKernel {
 public:
  explicit ValuesKernel(const KernelRequest& request) : DecompositionKernel(request, 0.25) {}

  int64_t scratch_bytes() const override { return SvdValuesBytes<T>(m_, n_); }
  double flops() const override { return Flops(4, -4.0 / 3); }
  Ending One(const MatrixArguments& matrix) const override {
    return {SvdValues<T>(isa_, m_, n_, matrix.Input<T>(0, m_ * n_), matrix.Output<RealOf<T>>(0, k_), matrix.memory)};
  }
};

enum class Truncated : uint8_t { kTriplets, kSplit, kIsometry };

// svd_truncated; split_svd, which has its two factors before the triplets; isometry, which has the values as a matrix
// behind them.
template <class T, Truncated kKind>
class TruncatedKernel final : public DecompositionKernel {
 public:
  explicit TruncatedKernel(const KernelRequest& request)
      : DecompositionKernel(request),
        kept_(Decode<TruncationAttributes>(request.attributes)),
        all_(kept_.k + kept_.extra),
        exact_(kept_.k + (needs_next() ? 1 : 0)) {}

  int64_t scratch_bytes() const override { return SvdTruncatedBytes<T>(m_, n_, exact_, all_ - exact_); }
  // A dozen products with a block of k + 16 columns, from both sides.
  double flops() const override {
    return 12 * 4.0 * static_cast<double>(m_ * n_) * static_cast<double>((kept_.k + 16) * batch_);
  }
  Ending One(const MatrixArguments& matrix) const override {
    const int64_t k = kept_.k;
    T* const u = matrix.Output<T>(kFirst, m_ * all_);
    RealOf<T>* const s = matrix.Output<RealOf<T>>(kFirst + 1, all_);
    T* const v = matrix.Output<T>(kFirst + 2, n_ * all_);
    const Outcome outcome =
        SvdTruncated<T>(isa_, m_, n_, matrix.Input<T>(0, m_ * n_), exact_, all_ - exact_, u, s, v, matrix.memory);
    if (outcome != Outcome::kOk) return {outcome};
    if (needs_next() && !(s[k - 1] - s[k] > kept_.require_gap * s[0])) return {Outcome::kNoGap};
    if constexpr (kKind == Truncated::kSplit) {
      Split(u, s, v, matrix.Output<T>(0, m_ * k), matrix.Output<T>(1, k * n_), matrix.Output<T>(5, k * k));
    } else if constexpr (kKind == Truncated::kIsometry) {
      T* const values = matrix.Output<T>(3, k * k);
      std::fill_n(values, k * k, T(0));
      for (int64_t j = 0; j < k; ++j) values[j + j * k] = s[j];
    }
    return {Outcome::kOk};
  }
  std::string Details(const MatrixArguments& matrix, Outcome outcome) const override {
    if (outcome != Outcome::kNoGap) return {};
    const RealOf<T>* const s = matrix.Output<RealOf<T>>(kFirst + 1, all_);
    const int64_t k = kept_.k;
    return absl::StrCat(": s_", k, " = ", s[k - 1], " and s_", k + 1, " = ", s[k],
                        " differ by no more than require_gap·s_1 = ", kept_.require_gap * s[0]);
  }

 private:
  static constexpr int kFirst = kKind == Truncated::kSplit ? 2 : 0;

  // A gap is known when the next value is.
  bool needs_next() const { return kept_.require_gap > 0 && kept_.k > 0 && kept_.extra > 0; }

  // left = U √s, right = √s Vᴴ, root = √s on the diagonal.
  void Split(const T* u, const RealOf<T>* s, const T* v, T* left, T* right, T* root_matrix) const {
    const int64_t k = kept_.k, parts = kIsComplex<T> ? 2 : 1;
    std::fill_n(root_matrix, k * k, T(0));
    for (int64_t j = 0; j < k; ++j) {
      const RealOf<T> root = std::sqrt(s[j]);
      root_matrix[j + j * k] = root;
      const RealOf<T>* __restrict from = Reals(u + j * m_);
      RealOf<T>* __restrict to = Reals(left + j * m_);
      for (int64_t i = 0; i < m_ * parts; ++i) to[i] = from[i] * root;
    }
    // Some columns of V at a time, which fill a cache line of each column of right.
    constexpr int64_t kLine = 64 / int64_t{sizeof(T)};
    RealOf<T> roots[kLine];
    for (int64_t first = 0; first < k; first += kLine) {
      const int64_t count = std::min(kLine, k - first);
      for (int64_t j = 0; j < count; ++j) roots[j] = std::real(root_matrix[(first + j) * (k + 1)]);
      for (int64_t i = 0; i < n_; ++i) {
        const T* __restrict from = v + i + first * n_;
        T* __restrict to = right + first + i * k;
        for (int64_t j = 0; j < count; ++j) to[j] = Conjugate(from[j * n_]) * roots[j];
      }
    }
  }

  TruncationAttributes kept_;
  int64_t all_, exact_;
};

template <class T>
class ComplementKernel final : public DecompositionKernel {
 public:
  explicit ComplementKernel(const KernelRequest& request)
      : DecompositionKernel(request),
        kept_(request.inputs[5].shape.extent(1)),
        all_(request.inputs[1].shape.extent(1)) {}

  int64_t scratch_bytes() const override { return TruncatedComplementBytes<T>(m_, n_, kept_, all_ - kept_); }
  Ending One(const MatrixArguments& matrix) const override {
    return {TruncatedComplement<T>(isa_, m_, n_, matrix.Input<T>(0, m_ * n_), kept_, all_ - kept_,
                                   matrix.Input<T>(1, m_ * all_), matrix.Input<RealOf<T>>(2, all_),
                                   matrix.Input<T>(3, n_ * all_), matrix.Input<T>(5, m_ * kept_),
                                   matrix.Input<T>(6, n_ * kept_), matrix.Output<T>(0, m_ * kept_),
                                   matrix.Output<T>(1, n_ * kept_), matrix.memory)};
  }

 private:
  int64_t kept_, all_;
};

template <class T>
class SylvesterKernel final : public BatchKernel {
 public:
  explicit SylvesterKernel(const KernelRequest& request)
      : BatchKernel(request, 0, 2 * Volume(request.inputs[0], 1)),
        attributes_(Decode<RootSylvesterAttributes>(request.attributes)) {}

  Ending One(const MatrixArguments& matrix) const override {
    const int64_t k = m_;
    const T* const root = matrix.Input<T>(0, k * k);
    const T* const b = matrix.Input<T>(1, k * k);
    T* const x = matrix.Output<T>(0, k * k);
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
    return {Outcome::kOk};
  }

 private:
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

constexpr KernelRow kRows[] = {
    TENFERRO_KERNEL_ROW(kSvd, Make, SvdKernel, false),
    TENFERRO_KERNEL_ROW(kSvdLorentz, Make, SvdKernel, false),
    TENFERRO_KERNEL_ROW(kSvdFull, Make, SvdKernel, true),
    TENFERRO_KERNEL_ROW(kSvdVals, Make, ValuesKernel),
    TENFERRO_KERNEL_ROW(kSvdTruncated, Make, TruncatedKernel, Truncated::kTriplets),
    TENFERRO_KERNEL_ROW(kSplitSvd, Make, TruncatedKernel, Truncated::kSplit),
    TENFERRO_KERNEL_ROW(kIsometry, Make, TruncatedKernel, Truncated::kIsometry),
    TENFERRO_KERNEL_ROW(kCheckGaugeInvariant, Make, CheckGaugeKernel),
    TENFERRO_KERNEL_ROW(kRootSylvester, Make, SylvesterKernel),
    TENFERRO_KERNEL_ROW(kTruncatedComplement, Make, ComplementKernel),
};

absl::StatusOr<std::unique_ptr<Kernel>> MakeKernel(const KernelRequest& request) {
  const DType dtype = request.inputs[0].dtype;
  return KernelOrError(MakeFromRows(kRows, dtype, request), dtype);
}

constexpr CpuFamily kFamily{.make = MakeKernel};
[[maybe_unused]] const bool filled = FillSlot(linalg_slots, &FamilySlots::cpu, &kFamily);

}  // namespace
}  // namespace tenferro::linalg
