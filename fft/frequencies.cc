#include "tenferro/fft/frequencies.h"

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/rearrange.h"
#include "tenferro/runtime/ops/source.h"

namespace tenferro::fft {
namespace {

Var Shift(const char* name, const Arg& x, const Ints& axes, bool back) {
  LocationScope scope(x.location());
  const Var var = x.Tensor(name);
  if (!var.ok()) return var;
  const absl::Status status = CheckAxes("axis", axes, var.rank());
  if (!status.ok()) return ErrorVar(x.location(), name, status.message());
  Ints shifts;
  for (int64_t axis : axes) {
    const int64_t half = var.dim(static_cast<int>(axis)) / 2;
    shifts.push_back(back ? -half : half);
  }
  return Roll(var, shifts, axes);
}

Var OnAllAxes(Var (*shift)(const Arg&, const Ints&), const Arg& x) {
  LocationScope scope(x.location());
  return shift(x, FirstAxes(x.var().rank()));
}

// The whole numbers 0 … count − 1, those from `wrap` on less n, over n·spacing.
Var Frequencies(const char* name, const Var& like, DType dtype, int64_t n, int64_t count, int64_t wrap, double spacing,
                const Location& location) {
  LocationScope scope(location);
  if (like.empty()) return ErrorVar(location, name, "an operand is an empty Var");
  if (!like.ok()) return like;
  if (!Contains(kFloatSet, dtype)) return ErrorVar(location, name, absl::StrCat("makes f32 or f64, not ", Name(dtype)));
  if (n < 1) return ErrorVar(location, name, absl::StrCat("n must be at least 1, got ", n));
  const Var i = Iota(like, DType::kI64, {count}, 0, location);
  const Var whole = Select(Lt(i, wrap), i, i - n);
  return Cast(Convert(whole, DType::kF64) * (1 / (static_cast<double>(n) * spacing)), dtype);
}

}  // namespace

Var FftShift(const Arg& x, const Ints& axes) { return Shift("fft.fftshift", x, axes, false); }
Var FftShift(const Arg& x) { return OnAllAxes(FftShift, x); }
Var IfftShift(const Arg& x, const Ints& axes) { return Shift("fft.ifftshift", x, axes, true); }
Var IfftShift(const Arg& x) { return OnAllAxes(IfftShift, x); }

Var FftFreq(const Var& like, DType dtype, int64_t n, double spacing, Location location) {
  return Frequencies("fft.fftfreq", like, dtype, n, n, (n + 1) / 2, spacing, LocationScope::Resolve(location));
}
Var RfftFreq(const Var& like, DType dtype, int64_t n, double spacing, Location location) {
  return Frequencies("fft.rfftfreq", like, dtype, n, n / 2 + 1, n / 2 + 1, spacing, LocationScope::Resolve(location));
}

}  // namespace tenferro::fft
