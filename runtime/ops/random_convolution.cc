#include "tenferro/runtime/ops/random_convolution.h"

#include <random>

#include "absl/strings/str_cat.h"

namespace tenferro {

std::string RandomConvolution::ToString() const {
  return absl::StrCat("x ", x.ToString(), ", w ", w.ToString(), ", ",
                      PrintAttributes<ConvAttributes>(Encode(attributes)));
}

RandomConvolution MakeRandomConvolution(int number, int most) {
  std::minstd_rand random(static_cast<unsigned>(7919 * number + 17));
  const auto between = [&random](int64_t low, int64_t high) {
    random.discard(3);
    return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
  };
  const auto rarely = [&](int64_t value, int64_t otherwise) { return between(0, 19) == 0 ? value : otherwise; };
  RandomConvolution result;
  ConvAttributes& conv = result.attributes;
  const int64_t spatial = number % 4;
  for (int64_t i = 0; i < spatial; ++i) {
    for (bool fits = false; !fits;) {
      const int64_t extent = rarely(0, between(1, most)), window = rarely(0, between(1, std::max(1, most / 2 + 1)));
      const int64_t stride = between(1, 3), x_dilation = rarely(2, 1) * rarely(3, between(1, 2)),
                    dilation = between(1, 3);
      const int64_t low = between(-2, 3), high = between(-2, 3);
      const int64_t padded = (extent == 0 ? 0 : (extent - 1) * x_dilation + 1) + low + high;
      const int64_t covered = window == 0 ? 0 : (window - 1) * dilation + 1;
      fits = padded >= 0 && (padded >= covered || between(0, 9) == 0);
      if (!fits) continue;
      result.x.push_back(extent);
      result.w.push_back(window);
      conv.strides.push_back(stride);
      conv.lhs_dilation.push_back(x_dilation);
      conv.rhs_dilation.push_back(dilation);
      conv.low.push_back(low);
      conv.high.push_back(high);
    }
  }
  const int64_t groups = between(0, 1) == 0 ? 1 : between(2, 3);
  const bool of_features = between(0, 1) == 0;
  if (of_features) conv.feature_groups = groups;
  if (!of_features) conv.batch_groups = groups;
  conv.reverse_window = between(0, 2) == 0;
  const int64_t channels = rarely(0, between(1, 3)), made = between(1, 3), images = rarely(0, between(1, 3));
  result.x.push_back(channels * conv.feature_groups);
  result.x.push_back(images * conv.batch_groups);
  result.w.push_back(channels);
  result.w.push_back(made * groups);
  return result;
}

}  // namespace tenferro
