// conv_general: matrix products, part by part. Where x is dilated, most products of a place would be with the zeros
// between its elements; places that lie alike in the dilation see x through the same elements of the window, and are a
// convolution by these of x as it is.

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "tenferro/cpu/convolution/convolution_part.h"
#include "tenferro/cpu/cost.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/cpu/share_work.h"
#include "tenferro/runtime/ops/convolution.h"

namespace tenferro {
namespace {

constexpr int64_t kMostParts = 64;

// The places first, first + count, first + 2·count, … of an axis.
ConvPartAxis Phase(const ConvPartAxis& whole, int64_t first, int64_t count) {
  ConvPartAxis part = whole;
  ConvAxis& axis = part.axis;
  axis.places = (whole.axis.places - first + count - 1) / count;
  part.result_first += first * whole.result_stride;
  part.result_stride *= count;
  const int64_t dilation = axis.x_dilation;
  if (dilation == 1) return part;
  // Of the window the elements of which place `first` sees one of x, and no zero between them.
  const int64_t step = dilation / std::gcd(axis.window_dilation, dilation);
  int64_t element = 0;
  const auto at = [&] { return first * axis.stride + element * axis.window_dilation - axis.low; };
  while (element < std::min(step, axis.window) && at() % dilation != 0) ++element;
  axis.window = element < std::min(step, axis.window) ? (axis.window - element - 1) / step + 1 : 0;
  axis.low = axis.window == 0 ? 0 : -at() / dilation;
  axis.stride = axis.stride * count / dilation;
  axis.window_dilation = axis.window_dilation * step / dilation;
  axis.x_dilation = 1;
  part.w_first += element * whole.w_stride;
  part.w_stride *= step;
  return part;
}

int64_t Phases(const ConvAxis& axis) { return axis.x_dilation / std::gcd(axis.stride, axis.x_dilation); }

class ConvKernel final : public Kernel {
 public:
  explicit ConvKernel(const KernelRequest& request) : isa_(request.isa), size_(SizeOf(request.outputs[0].dtype)) {
    const ConvAttributes conv = Decode<ConvAttributes>(request.attributes);
    const Shape &x = request.inputs[0].shape, &w = request.inputs[1].shape, &out = request.outputs[0].shape;
    if (out.size() == 0) return;
    flops_ = (IsComplex(request.outputs[0].dtype) ? 8.0 : 2.0) * static_cast<double>(out.size()) *
             static_cast<double>(w.size() / w.extent(w.rank() - 1));
    result_bytes_ = out.size() * size_;
    const Ints &x_strides = request.input_strides[0], &w_strides = request.input_strides[1];
    const Ints out_strides = out.ColMajorStrides();
    const int spatial = x.rank() - 2;
    const int64_t groups = std::max(conv.feature_groups, conv.batch_groups);
    ConvOperands operands{.isa = request.isa,
                          .dtype = request.outputs[0].dtype,
                          .groups = groups,
                          .channels = w.extent(spatial),
                          .made = w.extent(spatial + 1) / groups,
                          .images = out.extent(spatial + 1),
                          .x_channel = x_strides[spatial],
                          .x_image = x_strides[spatial + 1],
                          .x_group = 0,
                          .w_channel = w_strides[spatial],
                          .w_made = w_strides[spatial + 1],
                          .result_made = out_strides[spatial]};
    operands.x_group =
        conv.feature_groups > 1 ? operands.channels * operands.x_channel : operands.images * operands.x_image;
    std::vector<ConvPartAxis> axes;
    int64_t parts = 1;
    for (int i = 0; i < spatial; ++i) {
      const ConvAxis axis{.places = out.extent(i),
                          .window = w.extent(i),
                          .extent = x.extent(i),
                          .stride = conv.strides[i],
                          .window_dilation = conv.rhs_dilation[i],
                          .x_dilation = conv.lhs_dilation[i],
                          .low = conv.low[i],
                          .x_stride = x_strides[i]};
      const bool reversed = conv.reverse_window;
      axes.push_back({axis, reversed ? (axis.window - 1) * w_strides[i] : 0, reversed ? -w_strides[i] : w_strides[i], 0,
                      out_strides[i]});
      parts = std::min(kMostParts + 1, parts * std::min(Phases(axis), kMostParts + 1));
    }
    AddParts(operands, axes, 0, parts <= kMostParts);
  }

  int64_t workspace_bytes() const override { return packed_bytes_; }
  int64_t worker_workspace_bytes() const override { return worker_bytes_; }

  double flops() const override { return flops_; }
  absl::Status Run(const KernelArguments& arguments) const override {
    const char* const x = static_cast<const char*>(arguments.inputs[0]);
    const char* const w = static_cast<const char*>(arguments.inputs[1]);
    char* const result = static_cast<char*>(arguments.outputs[0]);
    char* packed = static_cast<char*>(arguments.workspace);
    if (cleared_bytes_ > 0) {
      constexpr int64_t kPiece = 64 << 10;
      const double nanoseconds = kByteCopiedNanoseconds * static_cast<double>(cleared_bytes_);
      ForEachRange(arguments.workers, (cleared_bytes_ + kPiece - 1) / kPiece, nanoseconds,
                   [&](int64_t begin, int64_t end, int) {
                     const int64_t last = std::min(end * kPiece, cleared_bytes_);
                     std::memset(result + begin * kPiece, 0, static_cast<size_t>(last - begin * kPiece));
                   });
    }
    for (const ConvPart& part : parts_) {
      if (part.packed_bytes() > 0) {
        const double nanoseconds = kByteCopiedNanoseconds * static_cast<double>(part.packed_bytes());
        ForEachRange(arguments.workers, part.packing().pieces, nanoseconds, [&](int64_t begin, int64_t end, int) {
          StridedCopyPieces(isa_, part.packing(), begin, end, packed, w + part.w_start() * size_);
        });
      }
      ForEachRange(arguments.workers, part.tiles(), Nanoseconds(part), [&](int64_t begin, int64_t end, int worker) {
        char* const workspace = static_cast<char*>(arguments.WorkspaceOf(worker));
        for (int64_t i = begin; i < end; ++i) {
          part.RunTile(i, x, part.packed_bytes() > 0 ? packed : w, result, workspace);
        }
      });
    }
    return absl::OkStatus();
  }

 private:
  // The phases of the axes from `axis` on.
  void AddParts(const ConvOperands& operands, std::vector<ConvPartAxis>& axes, size_t axis, bool split) {
    if (axis == axes.size()) {
      const ConvPart& part = parts_.emplace_back(operands, axes);
      if (part.depth() == 0) {
        cleared_bytes_ = result_bytes_;
        parts_.pop_back();
        return;
      }
      packed_bytes_ = std::max(packed_bytes_, part.packed_bytes());
      worker_bytes_ = std::max(worker_bytes_, part.worker_bytes());
      made_ = operands.made * operands.groups * operands.images;
      return;
    }
    const ConvPartAxis whole = axes[axis];
    const int64_t phases = split ? Phases(whole.axis) : 1;
    for (int64_t first = 0; first < std::min(phases, whole.axis.places); ++first) {
      if (split) axes[axis] = Phase(whole, first, phases);
      AddParts(operands, axes, axis + 1, split);
    }
    axes[axis] = whole;
  }

  double Nanoseconds(const ConvPart& part) const {
    return kProductNanoseconds * static_cast<double>(made_) * static_cast<double>(part.places()) *
           static_cast<double>(part.depth() + 1) * static_cast<double>(size_) / 8;
  }

  Isa isa_;
  int64_t size_;
  std::vector<ConvPart> parts_;
  int64_t packed_bytes_ = 0, worker_bytes_ = 0, made_ = 0;
  double flops_ = 0;
  int64_t result_bytes_ = 0;
  int64_t cleared_bytes_ = 0;  // of the result, when some places have nothing to sum
};

absl::StatusOr<std::unique_ptr<Kernel>> MakeConv(const KernelRequest& request) {
  if (request.inputs[0].shape.rank() - 2 > Im2col::kMostAxes) return absl::UnimplementedError("has too many axes");
  return std::make_unique<ConvKernel>(request);
}

constexpr CpuFamily kFamily{.make = MakeConv, .strided_operands = true};

[[maybe_unused]] const bool kFilled = FillSlot(convolution_slots, &FamilySlots::cpu, &kFamily);

}  // namespace
}  // namespace tenferro
