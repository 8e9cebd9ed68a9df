#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <memory>

#include "absl/strings/str_cat.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/linalg/cpu/kernels.h"
#include "tenferro/linalg/slots.h"
#include "tenferro/linalg/svd.h"

namespace tenferro::linalg {
namespace {

// What the decompositions of a batch say of themselves, as the error of the whole. The first matrix in the batch is
// named, whichever thread met it first.
class BatchOutcome {
 public:
  void Set(Outcome outcome, int64_t matrix) {
    if (outcome == Outcome::kOk) return;
    const int64_t code = matrix * 2 + (outcome == Outcome::kNotConverged);
    int64_t known = first_.load(std::memory_order_relaxed);
    while (code < known && !first_.compare_exchange_weak(known, code, std::memory_order_relaxed)) {
    }
  }

  absl::Status status(int64_t batch) const {
    const int64_t code = first_.load(std::memory_order_relaxed);
    if (code == kNone) return absl::OkStatus();
    const std::string place = batch > 1 ? absl::StrCat(" (matrix ", code / 2, " of the batch)") : std::string();
    if (code % 2 == 0)
      return absl::InvalidArgumentError(absl::StrCat("the matrix has an element that is not finite", place));
    return absl::InternalError(absl::StrCat("did not converge", place));
  }

 private:
  static constexpr int64_t kNone = INT64_MAX;
  std::atomic<int64_t> first_ = kNone;
};

struct Problem {
  explicit Problem(const KernelRequest& request) : isa(request.isa) {
    const Shape& a = request.inputs[0].shape;
    m = a.extent(0);
    n = a.extent(1);
    for (int i = 2; i < a.rank(); ++i) batch *= a.extent(i);
  }

  Isa isa;
  int64_t m, n;
  int64_t batch = 1;

  // About what a decomposition takes; a batch shares the threads itself.
  double one_thread_nanoseconds() const {
    return batch == 1 ? 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(std::min(m, n)) : 0;
  }
};

// Start of matrix `index` of a batch of matrices of `size` elements each.
template <class T>
const T* Input(const KernelArguments& arguments, int operand, int64_t index, int64_t size) {
  return static_cast<const T*>(arguments.inputs[operand]) + index * size;
}
template <class T>
T* Output(const KernelArguments& arguments, int output, int64_t index, int64_t size) {
  return static_cast<T*>(arguments.outputs[output]) + index * size;
}

template <class T>
class SvdKernel final : public Kernel {
 public:
  explicit SvdKernel(const KernelRequest& request) : problem_(request) {}

  double one_thread_nanoseconds() const override { return problem_.one_thread_nanoseconds(); }
  absl::Status Run(const KernelArguments& arguments) const override {
    const auto [isa, m, n, batch] = problem_;
    const int64_t k = std::min(m, n);
    BatchOutcome outcome;
    arguments.workers.ForEach(batch, [&, isa = isa, m = m, n = n](int64_t i) {
      outcome.Set(Svd<T>(isa, m, n, Input<T>(arguments, 0, i, m * n), Output<T>(arguments, 0, i, m * k),
                         Output<RealOf<T>>(arguments, 1, i, k), Output<T>(arguments, 2, i, k * n)),
                  i);
    });
    return outcome.status(batch);
  }

 private:
  Problem problem_;
};

// svd_truncated, and split_svd, which has its two factors before the triplets.
template <class T, bool kSplit>
class TruncatedKernel final : public Kernel {
 public:
  explicit TruncatedKernel(const KernelRequest& request)
      : problem_(request), kept_(Decode<TruncationAttributes>(request.attributes)) {}

  double one_thread_nanoseconds() const override { return problem_.one_thread_nanoseconds(); }
  absl::Status Run(const KernelArguments& arguments) const override {
    const int64_t m = problem_.m, n = problem_.n;
    const int64_t all = kept_.k + kept_.extra;
    constexpr int kFirst = kSplit ? 2 : 0;
    BatchOutcome outcome;
    arguments.workers.ForEach(problem_.batch, [&](int64_t i) {
      T* const u = Output<T>(arguments, kFirst, i, m * all);
      RealOf<T>* const s = Output<RealOf<T>>(arguments, kFirst + 1, i, all);
      T* const v = Output<T>(arguments, kFirst + 2, i, n * all);
      const Outcome ended =
          SvdTruncated<T>(problem_.isa, m, n, Input<T>(arguments, 0, i, m * n), kept_.k, kept_.extra, u, s, v);
      if (kSplit && ended == Outcome::kOk) {
        Split(u, s, v, Output<T>(arguments, 0, i, m * kept_.k), Output<T>(arguments, 1, i, kept_.k * n),
              Output<T>(arguments, 5, i, kept_.k * kept_.k));
      }
      outcome.Set(ended, i);
    });
    return outcome.status(problem_.batch);
  }

 private:
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

  double one_thread_nanoseconds() const override { return problem_.one_thread_nanoseconds(); }
  absl::Status Run(const KernelArguments& arguments) const override {
    const int64_t m = problem_.m, n = problem_.n;
    BatchOutcome outcome;
    arguments.workers.ForEach(problem_.batch, [&](int64_t i) {
      outcome.Set(TruncatedComplement<T>(problem_.isa, m, n, Input<T>(arguments, 0, i, m * n), k_, all_ - k_,
                                         Input<T>(arguments, 1, i, m * all_), Input<RealOf<T>>(arguments, 2, i, all_),
                                         Input<T>(arguments, 3, i, n * all_), Input<T>(arguments, 5, i, m * k_),
                                         Input<T>(arguments, 6, i, n * k_), Output<T>(arguments, 0, i, m * k_),
                                         Output<T>(arguments, 1, i, n * k_)),
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
std::unique_ptr<Kernel> MakeFor(const KernelRequest& request) {
  if (&request.op == &kSvd || &request.op == &kSvdLorentz) return std::make_unique<SvdKernel<T>>(request);
  if (&request.op == &kSvdTruncated) return std::make_unique<TruncatedKernel<T, false>>(request);
  if (&request.op == &kSplitSvd) return std::make_unique<TruncatedKernel<T, true>>(request);
  if (&request.op == &kRootSylvester) return std::make_unique<SylvesterKernel<T>>(request);
  if (&request.op == &kTruncatedComplement) return std::make_unique<ComplementKernel<T>>(request);
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
