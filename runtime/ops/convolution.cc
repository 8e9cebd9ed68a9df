#include "tenferro/runtime/ops/convolution.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/convolution_rules.h"
#include "tenferro/runtime/ops/elementwise.h"

namespace tenferro {

constinit FamilySlots convolution_slots{
    .family = "convolution", .cpu_target = "//cpu/convolution", .derivative_target = nullptr};

constexpr OpDef kConvGeneral{.name = "conv_general",
                             .infer = InferConv,
                             .dtypes = kNumberSet,
                             .linear = 0b11,
                             .multilinear = true,
                             .transpose = TransposeConv,
                             .batch = BatchConv,
                             .print = PrintAttributes<ConvAttributes>,
                             .slots = &convolution_slots};

Var ConvGeneral(const Arg& x, const Arg& w, const ConvAttributes& attributes) {
  LocationScope scope(x.location());
  const Var a = x.Tensor(kConvGeneral.name);
  const Var b = w.Tensor(kConvGeneral.name);
  if (!a.ok() || !b.ok()) return EmitOne(kConvGeneral, {}, {a, b}, x.location());
  const absl::StatusOr<DType> dtype = Promote(a.dtype(), b.dtype());
  if (!dtype.ok()) return ErrorVar(x.location(), kConvGeneral.name, dtype.status().message());
  ConvAttributes full = attributes;
  const int axes = std::max(0, a.rank() - 2);
  for (Ints* list : {&full.strides, &full.lhs_dilation, &full.rhs_dilation}) {
    if (list->empty()) list->assign(axes, 1);
  }
  for (Ints* list : {&full.low, &full.high}) {
    if (list->empty()) list->assign(axes, 0);
  }
  return EmitOne(kConvGeneral, Encode(full), {Convert(a, *dtype), Convert(b, *dtype)}, x.location());
}

namespace {

// More than any axis can have: ConvGeneral refuses it.
constexpr int64_t kMostPadding = int64_t{1} << 61;

}  // namespace

PaddingWidths WidthsOf(ConvPadding padding, const Ints& extents, const Ints& window, const Ints& strides,
                       const Ints& dilation) {
  PaddingWidths widths{Ints(extents.size(), 0), Ints(extents.size(), 0)};
  if (padding == ConvPadding::kValid) return widths;
  const auto at = [](const Ints& list, size_t i) { return i < list.size() ? std::max<int64_t>(1, list[i]) : 1; };
  for (size_t i = 0; i < extents.size() && i < window.size(); ++i) {
    if (extents[i] == 0 || window[i] == 0) continue;
    const int64_t places = (extents[i] - 1) / at(strides, i) + 1;
    int64_t reach;  // of the window beyond its first element
    if (__builtin_mul_overflow(window[i] - 1, at(dilation, i), &reach) || reach > kMostPadding) reach = kMostPadding;
    const int64_t added = std::max<int64_t>(0, (places - 1) * at(strides, i) + reach + 1 - extents[i]);
    widths.low[i] = added / 2;
    widths.high[i] = added - added / 2;
  }
  return widths;
}

namespace {

Var ConvOverAxes(const char* name, int axes, const Arg& x, const Arg& w, const ConvOptions& options) {
  LocationScope scope(x.location());
  const Var a = x.Tensor(name), b = w.Tensor(name);
  if (!a.ok() || !b.ok()) return ConvGeneral(a, b);
  if (a.rank() != axes + 2 || b.rank() != axes + 2) {
    return ErrorVar(x.location(), name,
                    absl::StrCat("needs two operands of rank ", axes + 2, ", got x ", a.type().ToString(), " and w ",
                                 b.type().ToString()));
  }
  ConvAttributes attributes{.strides = options.strides, .rhs_dilation = options.dilation};
  attributes.feature_groups = options.groups;
  const Ints extents = a.shape().extents(), window = b.shape().extents();
  const auto spatial = [axes](const Ints& all) { return Ints(all.begin(), all.begin() + axes); };
  const PaddingWidths widths =
      WidthsOf(options.padding, spatial(extents), spatial(window), options.strides, options.dilation);
  attributes.low = widths.low;
  attributes.high = widths.high;
  return ConvGeneral(a, b, attributes);
}

}  // namespace

Var Conv1d(const Arg& x, const Arg& w, const ConvOptions& options) { return ConvOverAxes("conv1d", 1, x, w, options); }
Var Conv2d(const Arg& x, const Arg& w, const ConvOptions& options) { return ConvOverAxes("conv2d", 2, x, w, options); }
Var Conv3d(const Arg& x, const Arg& w, const ConvOptions& options) { return ConvOverAxes("conv3d", 3, x, w, options); }

}  // namespace tenferro
