#include "tenferro/experiments/parity/reference_errors.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "tenferro/tensor/status.h"

namespace tenferro::parity {
namespace {

constexpr double kSmallest = std::numeric_limits<double>::denorm_min();

// f(kSmallest) of a case of one f64 vector.
struct Restored {
  const char* name;
  double value;
};
constexpr Restored kRestored[] = {
    {"special/ceil", 1},
    {"special/sign", 1},
    {"special/log_nonfinite", -744.44007192138122},
    {"special/sqrt_nonfinite", 2.2227587494850775e-162},
};

constexpr const char* kProductsWithReciprocals[] = {"binary/div/f64/1", "binary/div/f64/2", "binary/div/f64/3"};

absl::Status RestoreSubnormal(Case& c, double value) {
  TENFERRO_ASSIGN_OR_RETURN(const absl::Span<const double> x, c.inputs[0].value.Data<double>());
  TENFERRO_ASSIGN_OR_RETURN(const absl::Span<double> y, c.outputs[0].value.MutableData<double>());
  bool found = false;
  for (size_t i = 0; i < x.size(); ++i) {
    if (x[i] != kSmallest) continue;
    y[i] = value;
    found = true;
  }
  return found ? absl::OkStatus() : absl::DataLossError(absl::StrCat(c.name, ": no subnormal input"));
}

}  // namespace

absl::Status CorrectReference(Case& c) {
  for (const Restored& restored : kRestored) {
    if (c.name == restored.name) TENFERRO_RETURN_IF_ERROR(RestoreSubnormal(c, restored.value));
  }
  for (const char* name : kProductsWithReciprocals) {
    if (c.name != name) continue;
    c.outputs[0].rule = Rule::kElementwise;
    c.outputs[0].rtol = std::numeric_limits<double>::epsilon();
  }
  return absl::OkStatus();
}

}  // namespace tenferro::parity
