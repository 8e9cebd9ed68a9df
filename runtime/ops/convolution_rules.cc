#include "tenferro/runtime/ops/convolution_rules.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/convolution.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"

namespace tenferro {
namespace {

template <class... Pieces>
absl::Status Invalid(const Pieces&... pieces) {
  return absl::InvalidArgumentError(absl::StrCat(pieces...));
}

absl::Status CheckLists(const ConvAttributes& conv, size_t axes) {
  const std::pair<const char*, const Ints*> kLists[] = {{"strides", &conv.strides},
                                                        {"low", &conv.low},
                                                        {"high", &conv.high},
                                                        {"lhs_dilation", &conv.lhs_dilation},
                                                        {"rhs_dilation", &conv.rhs_dilation}};
  for (const auto& [name, list] : kLists) {
    if (list->size() != axes) return Invalid(name, " has ", list->size(), " numbers for ", axes, " spatial axes");
    if (list == &conv.low || list == &conv.high) continue;
    for (int64_t number : *list) {
      if (number < 1) return Invalid(name, " must be positive, got ", number);
    }
  }
  return absl::OkStatus();
}

absl::Status CheckGroups(const ConvAttributes& conv, const ValueType& x, const ValueType& w) {
  const int axes = x.shape.rank() - 2;
  const int64_t features = conv.feature_groups, batches = conv.batch_groups;
  if (features < 1 || batches < 1 || (features > 1 && batches > 1)) {
    return Invalid("feature_groups and batch_groups must be positive, one of them 1, got ", features, " and ", batches);
  }
  const int64_t channels = x.shape.extent(axes), taken = w.shape.extent(axes), made = w.shape.extent(axes + 1);
  if (channels % features != 0 || channels / features != taken) {
    return Invalid("x ", x.ToString(), " has ", channels, " channels in ", features, " groups, w ", w.ToString(),
                   " takes ", taken, " of each group");
  }
  const int64_t groups = std::max(features, batches);
  if (made % groups != 0) return Invalid("the ", made, " output channels of w do not make ", groups, " groups");
  if (x.shape.extent(axes + 1) % batches != 0) {
    return Invalid("the batch of ", x.shape.extent(axes + 1), " does not make ", batches, " groups");
  }
  return absl::OkStatus();
}

// Sums of a few such numbers do not overflow.
constexpr int64_t kMost = int64_t{1} << 58;

// Extent of an axis with `dilation` − 1 zeros between neighbours; false where it is too large.
bool Dilated(int64_t extent, int64_t dilation, int64_t& result) {
  result = 0;
  if (extent == 0) return true;
  if (__builtin_mul_overflow(extent - 1, dilation, &result) || result >= kMost) return false;
  ++result;
  return true;
}

Var SwapLastAxes(const Var& x) {
  if (!x.ok()) return x;
  Ints permutation = FirstAxes(x.rank());
  std::swap(permutation[x.rank() - 2], permutation[x.rank() - 1]);
  return Transpose(x, permutation);
}

// The last `replaced` axes become `axes`.
Var ReshapeEnd(const Var& x, int replaced, absl::Span<const int64_t> axes) {
  Shape shape(x.shape().dims().subspan(0, x.rank() - replaced));
  for (int64_t axis : axes) shape.push_back(axis);
  return Reshape(x, shape);
}

// The last two axes [a, groups·b] become [b, groups·a]: groups leave the one axis and enter the other.
Var MoveGroups(const Var& x, int64_t groups) {
  if (!x.ok()) return x;
  const int64_t a = x.dim(x.rank() - 2), b = x.dim(x.rank() - 1) / groups;
  Ints order = FirstAxes(x.rank() + 1);
  std::swap(order[x.rank() - 2], order[x.rank() - 1]);
  return ReshapeEnd(Transpose(ReshapeEnd(x, 1, {b, groups}), order), 2, {groups * a});
}

bool IsEmpty(const Var& x) { return x.shape().size() == 0; }

// With the axis's extents L in x, K in w and O in the result, place o meets element i of x through element k of the
// window where o·stride + k·rhs_dilation = i·lhs_dilation + low.
struct Axis {
  int64_t stride, low, lhs_dilation, rhs_dilation;
  int64_t x_reach, window_reach, result_reach;  // dilated extents − 1
};

Axis AxisOf(const ConvAttributes& conv, const Var& x, const Var& w, const Var& result, int axis) {
  return {conv.strides[axis],
          conv.low[axis],
          conv.lhs_dilation[axis],
          conv.rhs_dilation[axis],
          (x.dim(axis) - 1) * conv.lhs_dilation[axis],
          (w.dim(axis) - 1) * conv.rhs_dilation[axis],
          (result.dim(axis) - 1) * conv.strides[axis]};
}

// x̄[i] = Σ ct[o] w[k] over the o and k that meet it: with k counted from the window's other end, k' = K − 1 − k,
// i·lhs_dilation + k'·rhs_dilation = o·stride + (K − 1)·rhs_dilation − low, so a convolution of ct in which strides and
// dilations have changed places. `high` makes it have as many places as x has elements.
Var CotangentOfX(const ConvAttributes& conv, const Var& x, const Var& w, const Var& ct) {
  ConvAttributes back{.strides = conv.lhs_dilation, .lhs_dilation = conv.strides, .rhs_dilation = conv.rhs_dilation};
  for (int i = 0; i + 2 < x.rank(); ++i) {
    const Axis axis = AxisOf(conv, x, w, ct, i);
    back.low.push_back(axis.window_reach - axis.low);
    back.high.push_back(axis.x_reach + axis.window_reach - axis.result_reach - back.low[i]);
  }
  back.reverse_window = !conv.reverse_window;
  back.feature_groups = std::max(conv.feature_groups, conv.batch_groups);
  const Var product = ConvGeneral(ct, MoveGroups(Conj(w), back.feature_groups), back);
  if (conv.batch_groups == 1) return product;
  // Channels (c, group) and batch n belong to channel c and batch (n, group).
  return MoveGroups(SwapLastAxes(product), conv.batch_groups);
}

// w̄[k] = Σ x[i] ct[o] over the i and o that k brings together: place k, at stride rhs_dilation, of a convolution of x
// with ct as the window, whose elements lie a stride apart. Sums run over the batch, so it and the channels change
// places.
Var CotangentOfW(const ConvAttributes& conv, const Var& x, const Var& w, const Var& ct) {
  ConvAttributes back{.strides = conv.rhs_dilation,
                      .low = conv.low,
                      .lhs_dilation = conv.lhs_dilation,
                      .rhs_dilation = conv.strides,
                      .feature_groups = conv.batch_groups,
                      .batch_groups = conv.feature_groups};
  for (int i = 0; i + 2 < x.rank(); ++i) {
    const Axis axis = AxisOf(conv, x, w, ct, i);
    back.high.push_back(axis.window_reach + axis.result_reach - axis.x_reach - axis.low);
  }
  const Var product = SwapLastAxes(ConvGeneral(SwapLastAxes(Conj(x)), SwapLastAxes(ct), back));
  return conv.reverse_window ? Reverse(product, FirstAxes(x.rank() - 2)) : product;
}

}  // namespace

absl::Status InferConv(const OpDef& op, WordSpan words, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ValueType &x = inputs[0], &w = inputs[1];
  if (x.dtype != w.dtype || !Contains(op.dtypes, x.dtype)) {
    return Invalid("does not take x ", x.ToString(), " and w ", w.ToString());
  }
  const int axes = x.shape.rank() - 2;
  if (axes < 0 || w.shape.rank() != x.shape.rank()) {
    return Invalid("needs x [spatial…, channels, batch] and w [window…, channels, output channels], got ", x.ToString(),
                   " and ", w.ToString());
  }
  const ConvAttributes conv = Decode<ConvAttributes>(words);
  TENFERRO_RETURN_IF_ERROR(CheckLists(conv, axes));
  TENFERRO_RETURN_IF_ERROR(CheckGroups(conv, x, w));
  Shape shape;
  for (int i = 0; i < axes; ++i) {
    int64_t padded, window;
    if (!Dilated(x.shape.extent(i), conv.lhs_dilation[i], padded) ||
        !Dilated(w.shape.extent(i), conv.rhs_dilation[i], window) || std::max(conv.low[i], conv.high[i]) > kMost ||
        std::min(conv.low[i], conv.high[i]) < -kMost || conv.strides[i] > kMost) {
      return Invalid("axis ", i, " becomes too long");
    }
    padded += conv.low[i] + conv.high[i];
    if (padded < 0) return Invalid("axis ", i, " of x ", x.ToString(), " gets the negative extent ", padded);
    shape.push_back(padded == 0 || window > padded ? 0 : (padded - window) / conv.strides[i] + 1);
  }
  shape.push_back(w.shape[axes + 1]);
  shape.push_back(x.shape.extent(axes + 1) / conv.batch_groups);
  outputs.push_back({x.dtype, shape});
  return absl::OkStatus();
}

// Source: the pairs of convolutions of JAX's lax.conv_general_dilated (conv_general_vjp_lhs_padding and its
// neighbours), derived anew in the comments above.
void TransposeConv(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                   absl::Span<Var> input_cotangents) {
  const ConvAttributes conv = Decode<ConvAttributes>(node.attributes);
  const Var &x = node.inputs[0], &w = node.inputs[1], &ct = cotangents[0];
  const bool nothing = IsEmpty(x) || IsEmpty(w) || IsEmpty(ct);  // extents − 1 would mean nothing
  if (HasOperand(wanted, 0)) {
    input_cotangents[0] = nothing ? Full(ct, x.dtype(), x.shape(), false) : CotangentOfX(conv, x, w, ct);
  }
  if (HasOperand(wanted, 1)) {
    input_cotangents[1] = nothing ? Full(ct, w.dtype(), w.shape(), false) : CotangentOfW(conv, x, w, ct);
  }
}

// The batch axis joins x's batch where w is the same for all, the output channels where x is, and else makes groups.
void BatchConv(const NodeView& node, OperandSet batched, Dim size, absl::Span<Var> outputs) {
  ConvAttributes conv = Decode<ConvAttributes>(node.attributes);
  Var x = node.inputs[0], w = node.inputs[1];
  const int64_t slices = size.extent(), groups = std::max(conv.feature_groups, conv.batch_groups);
  const bool of_x = HasOperand(batched, 0), of_w = HasOperand(batched, 1);
  if (IsEmpty(x) || IsEmpty(w)) {  // any number of groups, which slices would multiply, or none
    const auto slice_of = [](const Var& v, bool is_batched) {
      return ValueType{v.dtype(), Shape(v.shape().dims().subspan(0, v.rank() - is_batched))};
    };
    ValueTypes types;
    const absl::Status inferred =
        InferConv(node.op, node.attributes, {slice_of(x, of_x), slice_of(w, of_w)}, types);
    if (inferred.ok()) types[0].shape.push_back(size);
    outputs[0] = inferred.ok() ? Full(x, types[0].dtype, types[0].shape, false) : Var::Error(inferred);
    return;
  }
  const int rank = of_x ? x.rank() - 1 : x.rank();
  const int64_t channels = x.dim(rank - 2), batch = x.dim(rank - 1), group_batch = batch / conv.batch_groups;
  const int64_t made = w.dim(rank - 1);
  if (of_x && of_w) {
    w = ReshapeEnd(w, 2, {made * slices});
    if (conv.batch_groups > 1) {
      conv.batch_groups *= slices;
      x = ReshapeEnd(x, 2, {batch * slices});
    } else {
      conv.feature_groups *= slices;
      x = ReshapeEnd(SwapLastAxes(x), 3, {channels * slices, batch});
    }
    outputs[0] = SwapLastAxes(ReshapeEnd(ConvGeneral(x, w, conv), 2, {made, slices, group_batch}));
    return;
  }
  // Slices stand before the groups, which divide the joined axis.
  if (of_x) {
    x = ReshapeEnd(SwapLastAxes(ReshapeEnd(x, 2, {group_batch, conv.batch_groups, slices})), 3, {batch * slices});
    outputs[0] = ReshapeEnd(ConvGeneral(x, w, conv), 1, {group_batch, slices});
    return;
  }
  w = ReshapeEnd(SwapLastAxes(ReshapeEnd(w, 2, {made / groups, groups, slices})), 3, {made * slices});
  const Var result = ReshapeEnd(ConvGeneral(x, w, conv), 2, {made / groups, slices, groups, group_batch});
  if (!result.ok()) {
    outputs[0] = result;
    return;
  }
  Ints order = FirstAxes(result.rank());
  const int first = result.rank() - 3;
  order[first] = first + 1;
  order[first + 1] = first + 2;
  order[first + 2] = first;
  outputs[0] = ReshapeEnd(Transpose(result, order), 4, {made, group_batch, slices});
}

}  // namespace tenferro
