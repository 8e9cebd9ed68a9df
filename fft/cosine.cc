#include "tenferro/fft/cosine.h"

#include <algorithm>
#include <cmath>
#include <complex>

#include "absl/strings/str_cat.h"
#include "tenferro/fft/records.h"
#include "tenferro/fft/resize.h"
#include "tenferro/fft/roots.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"

namespace tenferro::fft {
namespace {

// `z` times e^(∓πi·k/(2n)), − unless `conjugate`, and a factor; its first element times a factor of its own.
Var Turned(const Var& z, int axis, int64_t n, bool conjugate, double first, double others) {
  absl::StatusOr<Tensor> table = Tensor::Uninitialized(DType::kC128, {n / 2 + 1});
  if (!table.ok()) {
    return ErrorVar(LocationScope::Resolve(Location::current()), "fft.dct", table.status().message());
  }
  const absl::StatusOr<absl::Span<std::complex<double>>> factors = table->MutableData<std::complex<double>>();
  const Roots roots(4 * n);
  for (int64_t k = 0; k <= n / 2; ++k) {
    const Roots::Root root = roots[k];
    const long double factor = k == 0 ? first : others;
    (*factors)[k] = {static_cast<double>(root.re * factor),
                     static_cast<double>((conjugate ? -root.im : root.im) * factor)};
  }
  return z * BroadcastInDim(Cast(ConstantLike(z, *table), z.dtype()), z.shape(), {axis});
}

// The even elements, then the odd ones in reverse order, have a Fourier transform V with y_k − i·y_(n−k) = 2 e^(−πi·k/
// (2n)) V_k.
Var TypeTwo(const Var& x, int axis, double first, double others) {
  const int64_t n = x.dim(axis);
  const Var order = Concatenate(
      {SliceAlong(x, axis, 0, n, 2), Reverse(SliceAlong(x, axis, std::min<int64_t>(1, n), n, 2), {axis})}, axis);
  const Var z = Turned(RealToHalf(order, {axis, n, 1, 1}), axis, n, false, 2 * first, 2 * others);
  const Var rest = Reverse(SliceAlong(Neg(Imag(z)), axis, 1, (n - 1) / 2 + 1), {axis});
  return Concatenate({Real(z), rest}, axis);
}

// The same backwards.
Var TypeThree(const Var& x, int axis, double first, double others) {
  const int64_t n = x.dim(axis), evens = (n + 1) / 2;
  Ints low(x.rank(), 0), high(x.rank(), 0), interior(x.rank(), 0);
  const Var zero = Full(x, x.dtype(), {}, false);
  low[axis] = 1;
  const Var mirrored = Pad(SliceAlong(Reverse(x, {axis}), axis, 0, n / 2), zero, low, high);
  const Var z = MakeComplex(SliceAlong(x, axis, 0, n / 2 + 1), Neg(mirrored));
  const Var order = HalfToReal(Turned(z, axis, n, true, first, others), {axis, n, 1, 2});
  if (n == 1) return order;
  interior[axis] = 1;
  low[axis] = 0;
  high[axis] = n - (2 * evens - 1);
  const Var even = Pad(SliceAlong(order, axis, 0, evens), zero, low, high, interior);
  low[axis] = 1;
  high[axis] = n - 2 * (n / 2);
  return even + Pad(Reverse(SliceAlong(order, axis, evens, n), {axis}), zero, low, high, interior);
}

Var Apply(const Var& x, int axis, int type, bool inverse, Norm norm) {
  if (IsComplex(x.dtype())) {
    return MakeComplex(Apply(Real(x), axis, type, inverse, norm), Apply(Imag(x), axis, type, inverse, norm));
  }
  const double n = static_cast<double>(x.dim(axis));
  const bool two = (type == 2) != inverse;
  if (norm == Norm::kOrtho) {
    return two ? TypeTwo(x, axis, std::sqrt(1 / (4 * n)), std::sqrt(1 / (2 * n)))
               : TypeThree(x, axis, std::sqrt(1 / n), std::sqrt(1 / (2 * n)));
  }
  const double scale = (norm == Norm::kBackward) == inverse ? 1 / (2 * n) : 1;
  return two ? TypeTwo(x, axis, scale, scale) : TypeThree(x, axis, scale, scale);
}

absl::Status Check(const Var& x, int axis, const DctOptions& options, int64_t* n) {
  if (!IsFloatOrComplex(x.dtype())) {
    return absl::InvalidArgumentError(absl::StrCat("takes real or complex numbers, got ", x.type().ToString()));
  }
  if (options.type != 2 && options.type != 3) {
    return absl::InvalidArgumentError(absl::StrCat("type must be 2 or 3, got ", options.type));
  }
  TENFERRO_RETURN_IF_ERROR(CheckAxes("axis", {axis}, x.rank()));
  *n = options.n.value_or(x.dim(axis));
  if (*n >= 1) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("n must be at least 1, got ", *n, " for axis ", axis, " of ", x.type().ToString()));
}

Var Cosine(const char* name, const Arg& x, int axis, const DctOptions& options, bool inverse) {
  LocationScope scope(x.location());
  const Var var = x.Tensor(name);
  if (!var.ok()) return var;
  int64_t n = 0;
  const absl::Status status = Check(var, axis, options, &n);
  if (!status.ok()) return ErrorVar(x.location(), name, status.message());
  const Var resized = Resize(var, axis, n);
  return resized.ok() ? Apply(resized, axis, options.type, inverse, options.norm) : resized;
}

}  // namespace

Var Dct(const Arg& x, int axis, const DctOptions& options) { return Cosine("fft.dct", x, axis, options, false); }
Var Idct(const Arg& x, int axis, const DctOptions& options) { return Cosine("fft.idct", x, axis, options, true); }

}  // namespace tenferro::fft
