// Singular value decompositions by LAPACK's divide and conquer. What is not here "//linalg:cpu" runs.
#include <memory>

#include "tenferro/linalg/lapack/batch_kernel.h"
#include "tenferro/linalg/lapack/matrix.h"
#include "tenferro/linalg/slots.h"
#include "tenferro/linalg/svd.h"

namespace tenferro::linalg::lapack {
namespace {

using SvdBatchKernel = LapackKernel<BatchKernel>;

enum class Factors : char { kNone = 'N', kThin = 'S', kSquare = 'A' };

template <class T, Factors kFactors>
class SvdKernel final : public SvdBatchKernel {
 public:
  explicit SvdKernel(const KernelRequest& request)
      : SvdBatchKernel(request, 0,
                       Volume(request.inputs[0], Smaller(request.inputs[0])) * (kFactors == Factors::kNone ? 0.5 : 2)),
        k_(std::min(m_, n_)),
        left_(kFactors == Factors::kSquare ? m_ : k_),
        right_(kFactors == Factors::kSquare ? n_ : k_),
        factored_(scratch_.Add<T>(m_ * n_)),
        integers_(scratch_.Add<Int>(8 * k_)) {
    const double k = static_cast<double>(k_), longer = static_cast<double>(std::max(m_, n_));
    // The library computes its answer with its own integers: its workspace at least has to fit.
    scratch_.Require(4 * k * k + 7 * k + 3 * longer + k * longer);
    const double reals = k * std::max(7 * k + 7, 2 * longer + 2 * k + 1) + 1;
    if constexpr (kIsComplex<T>) {
      scratch_.Require(reals);
      reals_ = scratch_.Add<RealOf<T>>(static_cast<int64_t>(reals));
    }
    if (!fits() || k_ == 0) return;
    T answer = 1, none = 0;
    RealOf<T> values = 0, room = 0;
    Int number = 0;
    Decompose(&none, &values, &none, &none, &answer, -1, &room, &number);
    work_ = scratch_.AddWork(answer, length_);
  }

  Ending One(const MatrixArguments& matrix) const override {
    T* const a = matrix.At<T>(factored_);
    constexpr int kValues = kFactors == Factors::kNone ? 0 : 1;
    RealOf<T>* const s = matrix.Output<RealOf<T>>(kValues, k_);
    T *u = nullptr, *vh = nullptr;
    if constexpr (kFactors != Factors::kNone) {
      u = matrix.Output<T>(0, m_ * left_);
      vh = matrix.Output<T>(2, right_ * n_);
    }
    if (k_ == 0) {
      if constexpr (kFactors == Factors::kSquare) {
        SetUnit(m_, m_, u);
        SetUnit(n_, n_, vh);
      }
      return kOk;
    }
    if (!CopyFinite(matrix.Input<T>(0, m_ * n_), m_ * n_, a)) return kMatrixNotFinite;
    const Int info =
        Decompose(a, s, u, vh, matrix.At<T>(work_), length_, matrix.At<RealOf<T>>(reals_), matrix.At<Int>(integers_));
    return info == 0 ? kOk : kNotConverged;
  }

 private:
  Int Decompose(T* a, RealOf<T>* s, T* u, T* vh, T* work, Int length, RealOf<T>* reals, Int* integers) const {
    const char job = static_cast<char>(kFactors);
    const Int m = ToInt(m_), n = ToInt(n_), lda = Leading(m_), ldvt = Leading(right_);
    Int info = 0;
    if constexpr (kIsComplex<T>) {
      Routines<T>::Gesdd(&job, &m, &n, a, &lda, s, u, &lda, vh, &ldvt, work, &length, reals, integers, &info, 1);
    } else {
      Routines<T>::Gesdd(&job, &m, &n, a, &lda, s, u, &lda, vh, &ldvt, work, &length, integers, &info, 1);
    }
    return info;
  }

  int64_t k_, left_, right_;
  int64_t factored_, integers_, reals_ = 0, work_ = 0;
  Int length_ = 1;
};

constexpr KernelRow kRows[] = {
    TENFERRO_KERNEL_ROW(kSvd, MakeIfFits, SvdKernel, Factors::kThin),
    TENFERRO_KERNEL_ROW(kSvdLorentz, MakeIfFits, SvdKernel, Factors::kThin),
    TENFERRO_KERNEL_ROW(kSvdFull, MakeIfFits, SvdKernel, Factors::kSquare),
    TENFERRO_KERNEL_ROW(kSvdVals, MakeIfFits, SvdKernel, Factors::kNone),
};

absl::StatusOr<std::unique_ptr<Kernel>> MakeKernel(const KernelRequest& request) {
  return MakeFromRows(kRows, request.inputs[0].dtype, request);
}

constexpr CpuFamily kFamily{.make = MakeKernel};
[[maybe_unused]] const bool filled = FillSlot(linalg_slots, &FamilySlots::cpu_first, &kFamily);

}  // namespace
}  // namespace tenferro::linalg::lapack
