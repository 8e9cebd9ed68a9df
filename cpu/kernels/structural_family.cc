// Operations that move elements: views where strides can say it; pad, concatenate and embed_diag as strided copies.

#include <algorithm>
#include <vector>

#include "tenferro/cpu/cost.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/cpu/kernels/move.h"
#include "tenferro/cpu/layout.h"
#include "tenferro/cpu/share_work.h"
#include "tenferro/runtime/ops/slots.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

bool View(const OpDef& op, WordSpan words, const ValueType& input, const Layout& in, const ValueType& output,
          Layout* result) {
  if (&op == &kReshape) return ReshapeLayout(input.shape, in, output.shape, result);
  Layout out{in.offset, {}};
  const bool empty = output.shape.size() == 0;  // its offset would lie outside the buffer
  if (&op == &kTranspose) {
    for (int64_t axis : Decode<TransposeAttributes>(words).permutation) out.strides.push_back(in.strides[axis]);
  } else if (&op == &kBroadcastInDim) {
    const Ints axes = Decode<BroadcastInDimAttributes>(words).axes;
    out.strides = Ints(output.shape.rank(), 0);
    for (size_t i = 0; i < axes.size(); ++i) {
      const int axis = static_cast<int>(axes[i]);
      if (input.shape[static_cast<int>(i)] == output.shape[axis]) out.strides[axis] = in.strides[i];
    }
  } else if (&op == &kSlice) {
    const SliceAttributes slice = Decode<SliceAttributes>(words);
    for (size_t i = 0; i < in.strides.size(); ++i) {
      if (!empty) out.offset += slice.starts[i] * in.strides[i];
      out.strides.push_back(output.shape.extent(static_cast<int>(i)) > 1 ? in.strides[i] * slice.strides[i] : 1);
    }
  } else if (&op == &kReverse) {
    out.strides = in.strides;
    for (int64_t axis : Decode<ReverseAttributes>(words).axes) {
      if (!empty) out.offset += (input.shape.extent(static_cast<int>(axis)) - 1) * in.strides[axis];
      out.strides[axis] = -in.strides[axis];
    }
  } else if (&op == &kExtractDiag) {
    const DiagonalAttributes axes = Decode<DiagonalAttributes>(words);
    for (int64_t axis = 0; axis < input.shape.rank(); ++axis) {
      if (axis != axes.axis1 && axis != axes.axis2) out.strides.push_back(in.strides[axis]);
    }
    out.strides.push_back(in.strides[axes.axis1] + in.strides[axes.axis2]);
  } else {
    return false;
  }
  *result = std::move(out);
  return true;
}

// The result is filled with one element, if at all, and then parts of it with the operands.
class PiecesKernel final : public Kernel {
 public:
  explicit PiecesKernel(const KernelRequest& request)
      : isa_(request.isa), element_size_(static_cast<int>(SizeOf(request.outputs[0].dtype))) {
    const Shape& out = request.outputs[0].shape;
    if (out.size() == 0) return;
    if (&request.op == &kPad) {
      Fill(request, 1);
      Pad(request, Decode<PadAttributes>(request.attributes));
    } else if (&request.op == &kConcatenate) {
      Concatenate(request, Decode<ConcatenateAttributes>(request.attributes).axis);
    } else {
      Fill(request, kZero);
      EmbedDiag(request, Decode<DiagonalAttributes>(request.attributes));
    }
  }

  absl::Status Run(const KernelArguments& arguments) const override {
    static constexpr char kZeroElement[kMaxElementSize] = {};
    char* const out = static_cast<char*>(arguments.outputs[0]);
    for (const Piece& piece : pieces_) {
      const char* const in =
          (piece.operand == kZero ? kZeroElement : static_cast<const char*>(arguments.inputs[piece.operand])) +
          piece.in_offset * element_size_;
      char* const to = out + piece.out_offset * element_size_;
      const double work = kByteCopiedNanoseconds * static_cast<double>(piece.size) * element_size_;
      ForEachRange(arguments.workers, piece.copy.pieces, work,
                   [&](int64_t begin, int64_t end, int) { StridedCopyPieces(isa_, piece.copy, begin, end, to, in); });
    }
    return absl::OkStatus();
  }

 private:
  static constexpr int kZero = -1;
  struct Piece {
    int operand;
    int64_t in_offset;
    int64_t out_offset;
    int64_t size;
    StridedCopyPlan copy;
  };

  void Add(int operand, const Shape& shape, int64_t out_offset, absl::Span<const int64_t> out_strides,
           int64_t in_offset, absl::Span<const int64_t> in_strides) {
    if (shape.size() == 0) return;
    const Ints extents = shape.extents();
    pieces_.push_back(
        {operand, in_offset, out_offset, shape.size(),
         PlanStridedCopy(element_size_, shape.rank(), extents.data(), out_strides.data(), in_strides.data())});
  }

  void Fill(const KernelRequest& request, int operand) {
    const Shape& out = request.outputs[0].shape;
    Add(operand, out, 0, request.output_strides, 0, Ints(out.rank(), 0));
  }

  void Pad(const KernelRequest& request, const PadAttributes& pad) {
    Shape shape;
    Ints out_strides;
    int64_t in_offset = 0, out_offset = 0;
    for (int axis = 0; axis < request.inputs[0].shape.rank(); ++axis) {
      // Elements first … last − 1 land inside the result, at low + i·step.
      const int64_t step = pad.interior[axis] + 1;
      const int64_t low = pad.low[axis];
      const int64_t extent = request.inputs[0].shape.extent(axis);
      const int64_t room = request.outputs[0].shape.extent(axis) - low;
      const int64_t first = low >= 0 ? 0 : (-low + step - 1) / step;
      const int64_t last = room <= 0 ? 0 : std::min(extent, (room - 1) / step + 1);
      shape.push_back(std::max<int64_t>(0, last - first));
      if (last <= first) continue;
      in_offset += first * request.input_strides[0][axis];
      out_offset += (low + first * step) * request.output_strides[axis];
      out_strides.push_back(step * request.output_strides[axis]);
    }
    if (shape.size() > 0) Add(0, shape, out_offset, out_strides, in_offset, request.input_strides[0]);
    if (shape == request.outputs[0].shape) pieces_.erase(pieces_.begin());  // nothing of the filling is left
  }

  void Concatenate(const KernelRequest& request, int64_t axis) {
    int64_t start = 0;
    for (size_t i = 0; i < request.inputs.size(); ++i) {
      const Shape& shape = request.inputs[i].shape;
      Add(static_cast<int>(i), shape, start * request.output_strides[axis], request.output_strides, 0,
          request.input_strides[i]);
      start += shape.extent(static_cast<int>(axis));
    }
  }

  void EmbedDiag(const KernelRequest& request, const DiagonalAttributes& axes) {
    Ints out_strides;
    for (int64_t axis = 0; axis < request.outputs[0].shape.rank(); ++axis) {
      if (axis != axes.axis1 && axis != axes.axis2) out_strides.push_back(request.output_strides[axis]);
    }
    out_strides.push_back(request.output_strides[axes.axis1] + request.output_strides[axes.axis2]);
    Add(0, request.inputs[0].shape, 0, out_strides, 0, request.input_strides[0]);
  }

  Isa isa_;
  int element_size_;
  std::vector<Piece> pieces_;
};

absl::StatusOr<std::unique_ptr<Kernel>> MakePieces(const KernelRequest& request) {
  return std::make_unique<PiecesKernel>(request);
}

constexpr CpuFamily kFamily{.make = MakePieces, .strided_operands = true, .strided_result = true, .view = View};

[[maybe_unused]] const bool kFilled = FillSlot(structural_slots, &FamilySlots::cpu, &kFamily);

}  // namespace
}  // namespace tenferro
