#ifndef TENFERRO_RUNTIME_OPS_CONVOLUTION_H_
#define TENFERRO_RUNTIME_OPS_CONVOLUTION_H_

#include "tenferro/runtime/arg.h"
#include "tenferro/runtime/op.h"

namespace tenferro {

extern const OpDef kConvGeneral;
extern constinit FamilySlots convolution_slots;

// How the window moves over x. Lists have one number for each spatial axis; an empty one stands for its default.
struct ConvAttributes {
  Ints strides = {};         // of the window: 1
  Ints low = {}, high = {};  // zeros before and after x, 0; a negative number cuts off
  Ints lhs_dilation = {};    // 1 + zeros between neighbours in x: 1
  Ints rhs_dilation = {};    // distance between neighbours in the window: 1
  // Groups of channels: the result's group g sees x's group g alone. At most one of the two is above 1.
  int64_t feature_groups = 1;
  // Groups of x's batch: the result's group g of channels is made from group g of the batch.
  int64_t batch_groups = 1;
  // False: result[o] = Σ x[o + i] w[i], what learning calls a convolution. True: the window turned round on every
  // spatial axis, Σ x[o + n − 1 − i] w[i], a convolution in mathematics.
  bool reverse_window = false;
  void Fields(auto&& field) {
    field("strides", strides);
    field("low", low);
    field("high", high);
    field("lhs_dilation", lhs_dilation);
    field("rhs_dilation", rhs_dilation);
    field("feature_groups", feature_groups);
    field("batch_groups", batch_groups);
    field("reverse_window", reverse_window);
  }
};

// Convolution over any number of spatial axes:
//   result[o…, c, n] = Σ_{i…, k} x[o·stride + i·rhs_dilation − low …, k, n] w[i…, k, c]   (x 0 where there is none)
// Shapes: x [spatial…, channels, batch], w [window…, channels / feature_groups, out_channels] → [places…, out_channels,
// batch / batch_groups], in memory what others call NCHW and OIHW. On each axis there is a place for every stride at
// which the window lies inside the padded x. The meaning of every attribute is StableHLO's.
// Dtypes: all but bool, promoted to one; integers wrap. Errors: ranks that differ or are below 2; lists of another
// length; a stride or dilation below 1; channels, groups and batch that do not fit; an axis that padding makes
// negative. Derivative: dx·w + x·dw; both transposes are convolutions. Accuracy: sums of channels × window products in
// blocks of 256, window axes fastest, as DotGeneral's. Cost: a matrix product of places·batch × window·channels /
// groups × out_channels. Source: StableHLO specification, convolution.
Var ConvGeneral(const Arg& x, const Arg& w, const ConvAttributes& attributes = {});

enum class ConvPadding {
  kValid,  // none: the window stays inside
  kSame,   // as many places as ⌈extent / stride⌉; the odd zero goes to the end
};

struct PaddingWidths {
  Ints low, high;
};
// The zeros around axes of these extents that `padding` asks for. Empty lists of strides and dilation are 1.
PaddingWidths WidthsOf(ConvPadding padding, const Ints& extents, const Ints& window, const Ints& strides = {},
                       const Ints& dilation = {});

// Lists have one number for each spatial axis, or are empty: 1.
struct ConvOptions {
  Ints strides = {};
  ConvPadding padding = ConvPadding::kValid;
  Ints dilation = {};  // of the window
  int64_t groups = 1;  // of channels
};
// ConvGeneral of x [length, channels, batch] and w [window, channels / groups, out_channels]. Errors: also other ranks.
Var Conv1d(const Arg& x, const Arg& w, const ConvOptions& options = {});
// Of x [height, width, channels, batch] and w [height, width, channels / groups, out_channels].
Var Conv2d(const Arg& x, const Arg& w, const ConvOptions& options = {});
// With three spatial axes.
Var Conv3d(const Arg& x, const Arg& w, const ConvOptions& options = {});

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_OPS_CONVOLUTION_H_
