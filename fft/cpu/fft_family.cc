#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/fft/cpu/lines.h"
#include "tenferro/fft/records.h"
#include "tenferro/fft/slots.h"

namespace tenferro::fft {
namespace {

// The lines along `axis` of a dense tensor.
LinesOptions LinesAlong(const Shape& shape, int64_t axis) {
  LinesOptions lines;
  for (int i = 0; i < shape.rank(); ++i) {
    (i < axis ? lines.before : i == axis ? lines.n : lines.after) *= shape.extent(i);
  }
  return lines;
}

// N log2 n for N elements in lines of n.
double Volume(const LinesOptions& lines) {
  const double n = static_cast<double>(std::max<int64_t>(1, lines.n));
  return static_cast<double>(lines.before * lines.after) * n * std::log2(n);
}

template <class T>
class FftKernel final : public Kernel {
 public:
  explicit FftKernel(const KernelRequest& request) {
    if (&request.op == &kTransform) {
      const TransformAttributes transform = Decode<TransformAttributes>(request.attributes);
      Ints axes = transform.axes;
      // In memory order; the first transform writes to the result, where the others work.
      std::sort(axes.begin(), axes.end());
      for (int64_t axis : axes) {
        LinesOptions lines = LinesAlong(request.inputs[0].shape, axis);
        lines.inverse = transform.inverse;
        lines.scale = axis == axes.back() ? transform.scale : 1;
        flops_ += 5 * Volume(lines);
        steps_.push_back(std::make_unique<LineTransform<T>>(request.isa, lines));
      }
    } else {
      const bool forward = &request.op == &kRealToHalf;
      const HalfAttributes half = Decode<HalfAttributes>(request.attributes);
      LinesOptions lines = LinesAlong((forward ? request.inputs : request.outputs)[0].shape, half.axis);
      lines.kind = forward ? LineKind::kRealToHalf : LineKind::kHalfToReal;
      lines.inverse = !forward;
      lines.scale = half.ends;
      lines.inner = half.inner;
      flops_ += 2.5 * Volume(lines);
      steps_.push_back(std::make_unique<LineTransform<T>>(request.isa, lines));
    }
    for (const auto& step : steps_) {
      shared_ = std::max(shared_, step->workspace_bytes());
      own_ = std::max(own_, step->worker_workspace_bytes());
    }
  }

  int64_t workspace_bytes() const override { return shared_; }
  int64_t worker_workspace_bytes() const override { return own_; }
  double flops() const override { return flops_; }

  absl::Status Run(const KernelArguments& arguments) const override {
    const T* in = static_cast<const T*>(arguments.inputs[0]);
    T* const out = static_cast<T*>(arguments.outputs[0]);
    for (const auto& step : steps_) {
      step->Run(in, out, arguments);
      in = out;
    }
    return absl::OkStatus();
  }

 private:
  std::vector<std::unique_ptr<LineTransform<T>>> steps_;
  int64_t shared_ = 0, own_ = 0;
  double flops_ = 0;
};

template <class T>
absl::StatusOr<std::unique_ptr<Kernel>> Make(const KernelRequest& request) {
  const bool complex = &request.op == &kTransform;
  const Ints axes = complex ? Decode<TransformAttributes>(request.attributes).axes
                            : Ints{Decode<HalfAttributes>(request.attributes).axis};
  const Shape& shape = (&request.op == &kHalfToReal ? request.outputs : request.inputs)[0].shape;
  for (int64_t axis : axes) {
    const int64_t n = shape.extent(static_cast<int>(axis));
    if (Plan<T>::FitsInMemory(n)) continue;
    return absl::ResourceExhaustedError(absl::StrCat("no memory for the tables of a transform of ", n, " elements"));
  }
  return std::make_unique<FftKernel<T>>(request);
}

absl::StatusOr<std::unique_ptr<Kernel>> MakeKernel(const KernelRequest& request) {
  switch (RealOf(request.inputs[0].dtype)) {
    case DType::kF32: return Make<float>(request);
    case DType::kF64: return Make<double>(request);
    default: return absl::UnimplementedError(absl::StrCat("has no kernel for ", Name(request.inputs[0].dtype)));
  }
}

constexpr CpuFamily kFamily{.make = MakeKernel};
[[maybe_unused]] const bool filled = FillSlot(fft_slots, &FamilySlots::cpu, &kFamily);

}  // namespace
}  // namespace tenferro::fft
