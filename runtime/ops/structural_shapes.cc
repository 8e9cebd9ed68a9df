#include "tenferro/runtime/ops/structural_shapes.h"

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"

namespace tenferro {
namespace {

template <class... Pieces>
absl::Status Invalid(const Pieces&... pieces) {
  return absl::InvalidArgumentError(absl::StrCat(pieces...));
}

absl::Status CheckLength(const char* what, const Ints& list, int rank) {
  if (static_cast<int>(list.size()) == rank) return absl::OkStatus();
  return Invalid(what, " has ", list.size(), " numbers for rank ", rank);
}

}  // namespace

absl::Status InferTranspose(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const Ints permutation = Decode<TransposeAttributes>(words).permutation;
  const Shape& x = inputs[0].shape;
  TENFERRO_RETURN_IF_ERROR(CheckLength("permutation", permutation, x.rank()));
  TENFERRO_RETURN_IF_ERROR(CheckAxes("axis", permutation, x.rank()));
  Shape shape;
  for (int64_t axis : permutation) shape.push_back(x[axis]);
  outputs.push_back({inputs[0].dtype, shape});
  return absl::OkStatus();
}

absl::Status InferReshape(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const Shape shape = Decode<ReshapeAttributes>(words).shape;
  TENFERRO_RETURN_IF_ERROR(shape.Validate());
  if (shape.size() != inputs[0].shape.size()) {
    return Invalid(inputs[0].ToString(), " has ", inputs[0].shape.size(), " elements, shape ", shape.ToString(),
                   " has ", shape.size());
  }
  outputs.push_back({inputs[0].dtype, shape});
  return absl::OkStatus();
}

absl::Status InferBroadcastInDim(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs,
                                 ValueTypes& outputs) {
  const BroadcastInDimAttributes attributes = Decode<BroadcastInDimAttributes>(words);
  const Shape& x = inputs[0].shape;
  TENFERRO_RETURN_IF_ERROR(CheckLength("axes", attributes.axes, x.rank()));
  TENFERRO_RETURN_IF_ERROR(CheckAxes("axis", attributes.axes, attributes.shape.rank()));
  for (int i = 0; i < x.rank(); ++i) {
    if (x[i] != attributes.shape[attributes.axes[i]] && x[i] != Dim(1)) {
      return Invalid("axis ", i, " of ", inputs[0].ToString(), " is neither 1 nor the extent of axis ",
                     attributes.axes[i], " of ", attributes.shape.ToString());
    }
  }
  outputs.push_back({inputs[0].dtype, attributes.shape});
  return absl::OkStatus();
}

absl::Status InferSlice(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const SliceAttributes slice = Decode<SliceAttributes>(words);
  const Shape& x = inputs[0].shape;
  TENFERRO_RETURN_IF_ERROR(CheckLength("starts", slice.starts, x.rank()));
  TENFERRO_RETURN_IF_ERROR(CheckLength("limits", slice.limits, x.rank()));
  TENFERRO_RETURN_IF_ERROR(CheckLength("strides", slice.strides, x.rank()));
  Shape shape;
  for (int i = 0; i < x.rank(); ++i) {
    if (slice.starts[i] < 0 || slice.starts[i] > slice.limits[i] || slice.limits[i] > x.extent(i)) {
      return Invalid("[", slice.starts[i], ", ", slice.limits[i], ") is no part of axis ", i, " of ",
                     inputs[0].ToString());
    }
    if (slice.strides[i] < 1) return Invalid("stride ", slice.strides[i], " of axis ", i, " is below 1");
    const int64_t length = slice.limits[i] - slice.starts[i];
    shape.push_back(length == 0 ? 0 : (length - 1) / slice.strides[i] + 1);
  }
  outputs.push_back({inputs[0].dtype, shape});
  return absl::OkStatus();
}

absl::Status InferPad(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const PadAttributes pad = Decode<PadAttributes>(words);
  const Shape& x = inputs[0].shape;
  if (inputs[1].shape.rank() != 0 || inputs[1].dtype != inputs[0].dtype) {
    return Invalid("the padding value must be ", Name(inputs[0].dtype), "[], got ", inputs[1].ToString());
  }
  TENFERRO_RETURN_IF_ERROR(CheckLength("low", pad.low, x.rank()));
  TENFERRO_RETURN_IF_ERROR(CheckLength("high", pad.high, x.rank()));
  TENFERRO_RETURN_IF_ERROR(CheckLength("interior", pad.interior, x.rank()));
  constexpr int64_t kMost = int64_t{1} << 62;
  Shape shape;
  for (int i = 0; i < x.rank(); ++i) {
    if (pad.interior[i] < 0) return Invalid("interior ", pad.interior[i], " of axis ", i, " is negative");
    int64_t extent = x.extent(i);
    if (extent > 1 && (__builtin_mul_overflow(extent - 1, pad.interior[i], &extent) || extent > kMost ||
                       __builtin_add_overflow(extent, x.extent(i), &extent))) {
      return Invalid("axis ", i, " becomes too long");
    }
    if (__builtin_add_overflow(extent, pad.low[i], &extent) || __builtin_add_overflow(extent, pad.high[i], &extent)) {
      return Invalid("axis ", i, " becomes too long");
    }
    if (extent < 0) return Invalid("axis ", i, " of ", inputs[0].ToString(), " gets the negative extent ", extent);
    shape.push_back(extent);
  }
  outputs.push_back({inputs[0].dtype, shape});
  return absl::OkStatus();
}

absl::Status InferConcatenate(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const int64_t axis = Decode<ConcatenateAttributes>(words).axis;
  Shape shape = inputs[0].shape;
  TENFERRO_RETURN_IF_ERROR(CheckAxes("axis", {axis}, shape.rank()));
  int64_t extent = 0;
  for (const ValueType& input : inputs) {
    bool fits = input.dtype == inputs[0].dtype && input.shape.rank() == shape.rank();
    for (int i = 0; fits && i < shape.rank(); ++i) fits = i == axis || input.shape[i] == shape[i];
    if (!fits) {
      return Invalid("operands must agree but for axis ", axis, ", got ", inputs[0].ToString(), " and ",
                     input.ToString());
    }
    if (__builtin_add_overflow(extent, input.shape.extent(axis), &extent)) return Invalid("the axis becomes too long");
  }
  shape[axis] = extent;
  outputs.push_back({inputs[0].dtype, shape});
  return absl::OkStatus();
}

absl::Status InferReverse(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  TENFERRO_RETURN_IF_ERROR(CheckAxes("axis", Decode<ReverseAttributes>(words).axes, inputs[0].shape.rank()));
  outputs.push_back(inputs[0]);
  return absl::OkStatus();
}

absl::Status InferExtractDiag(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const DiagonalAttributes axes = Decode<DiagonalAttributes>(words);
  const Shape& x = inputs[0].shape;
  TENFERRO_RETURN_IF_ERROR(CheckAxes("axis", {axes.axis1, axes.axis2}, x.rank()));
  if (x[axes.axis1] != x[axes.axis2]) {
    return Invalid("axes ", axes.axis1, " and ", axes.axis2, " of ", inputs[0].ToString(), " have different extents");
  }
  Shape shape;
  for (int64_t axis : OtherAxes({axes.axis1, axes.axis2}, x.rank())) shape.push_back(x[axis]);
  shape.push_back(x[axes.axis1]);
  outputs.push_back({inputs[0].dtype, shape});
  return absl::OkStatus();
}

absl::Status InferEmbedDiag(const OpDef&, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const DiagonalAttributes axes = Decode<DiagonalAttributes>(words);
  const Shape& x = inputs[0].shape;
  if (x.rank() == 0) return Invalid("needs at least one axis, got ", inputs[0].ToString());
  const int rank = x.rank() + 1;
  TENFERRO_RETURN_IF_ERROR(CheckAxes("axis", {axes.axis1, axes.axis2}, rank));
  Shape shape;
  int next = 0;
  for (int i = 0; i < rank; ++i) {
    const bool diagonal = i == axes.axis1 || i == axes.axis2;
    shape.push_back(diagonal ? x[x.rank() - 1] : x[next++]);
  }
  outputs.push_back({inputs[0].dtype, shape});
  return absl::OkStatus();
}

}  // namespace tenferro
