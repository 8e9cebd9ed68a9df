#include "tenferro/fft/fft.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "tenferro/fft/records.h"
#include "tenferro/fft/resize.h"
#include "tenferro/runtime/ops/axes.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/tensor/status.h"

namespace tenferro::fft {
namespace {

enum class Numbers { kAny, kReal, kComplex };

template <class... Pieces>
absl::Status Invalid(const Pieces&... pieces) {
  return absl::InvalidArgumentError(absl::StrCat(pieces...));
}

// What a function was called with, checked.
struct Request {
  Var x;
  Ints axes, s;  // s: as many elements as axes
  double scale = 1;
  int last() const { return static_cast<int>(axes.back()); }
};

absl::Status Check(Numbers numbers, bool makes_half, Request& request) {
  const Var& x = request.x;
  const bool fits = numbers == Numbers::kReal      ? Contains(kFloatSet, x.dtype())
                    : numbers == Numbers::kComplex ? IsComplex(x.dtype())
                                                   : IsFloatOrComplex(x.dtype());
  if (!fits) {
    const char* const wanted = numbers == Numbers::kReal      ? "real numbers"
                               : numbers == Numbers::kComplex ? "complex numbers"
                                                              : "real or complex numbers";
    return Invalid("takes ", wanted, ", got ", x.type().ToString());
  }
  if (request.axes.empty()) return Invalid("needs at least one axis");
  TENFERRO_RETURN_IF_ERROR(CheckAxes("axis", request.axes, x.rank()));
  if (request.s.empty()) {
    for (int64_t axis : request.axes) request.s.push_back(x.dim(static_cast<int>(axis)));
    if (makes_half) request.s.back() = 2 * (request.s.back() - 1);
  }
  if (request.s.size() != request.axes.size()) {
    return Invalid("s has ", request.s.size(), " numbers for ", request.axes.size(), " axes");
  }
  for (size_t i = 0; i < request.s.size(); ++i) {
    if (request.s[i] < 1) {
      return Invalid("n must be at least 1, got ", request.s[i], " for axis ", request.axes[i], " of ",
                     x.type().ToString());
    }
  }
  return absl::OkStatus();
}

// The factor of a transform over all of s.
double Scale(const Ints& s, Norm norm, bool inverse) {
  double count = 1;
  for (int64_t n : s) count *= static_cast<double>(n);
  if (norm == Norm::kOrtho) return 1 / std::sqrt(count);
  return (norm == Norm::kBackward) == inverse ? 1 / count : 1;
}

using Build = Var (*)(Request& request);

Var Call(const char* name, const Arg& x, const Ints& axes, const FftnOptions& options, Numbers numbers, bool inverse,
         bool makes_real, Build build) {
  LocationScope scope(x.location());
  Request request{x.Tensor(name), axes, options.s};
  if (!request.x.ok()) return request.x;
  const absl::Status status = Check(numbers, makes_real, request);
  if (!status.ok()) return ErrorVar(x.location(), name, status.message());
  request.scale = Scale(request.s, options.norm, inverse);
  return build(request);
}

template <bool kInverse>
Var BuildComplex(Request& request) {
  Var x = Convert(request.x, ComplexOf(request.x.dtype()));
  for (size_t i = 0; i < request.axes.size(); ++i) x = Resize(x, static_cast<int>(request.axes[i]), request.s[i]);
  return Transform(x, {request.axes, kInverse, request.scale});
}

// All axes but the last.
Var TransformOthers(const Var& x, const Request& request, bool inverse) {
  Ints axes = request.axes;
  axes.pop_back();
  return axes.empty() ? x : Transform(x, {axes, inverse, 1});
}

Var BuildRealToHalf(Request& request) {
  Var x = request.x;
  for (size_t i = 0; i < request.axes.size(); ++i) x = Resize(x, static_cast<int>(request.axes[i]), request.s[i]);
  return TransformOthers(RealToHalf(x, {request.last(), request.s.back(), request.scale, request.scale}), request,
                         false);
}

Var BuildHalfToReal(Request& request) {
  Var x = request.x;
  const int64_t n = request.s.back();
  for (size_t i = 0; i + 1 < request.axes.size(); ++i) x = Resize(x, static_cast<int>(request.axes[i]), request.s[i]);
  x = TransformOthers(Resize(x, request.last(), n / 2 + 1), request, true);
  return HalfToReal(x, {request.last(), n, request.scale, 2 * request.scale});
}

FftnOptions OneAxis(const FftOptions& options) {
  FftnOptions result{.norm = options.norm};
  if (options.n.has_value()) result.s.push_back(*options.n);
  return result;
}

// `name` of two axes is `function` of them.
Var OfTwo(const char* name, Var (*function)(const Arg&, const Ints&, const FftnOptions&), const Arg& x,
          const Ints& axes, const FftnOptions& options) {
  if (axes.size() == 2) return function(x, axes, options);
  return ErrorVar(x.location(), name, absl::StrCat("needs two axes, got ", axes.size()));
}

}  // namespace

Var Fft(const Arg& x, int axis, const FftOptions& options) {
  return Call("fft.fft", x, {axis}, OneAxis(options), Numbers::kAny, false, false, BuildComplex<false>);
}
Var Ifft(const Arg& x, int axis, const FftOptions& options) {
  return Call("fft.ifft", x, {axis}, OneAxis(options), Numbers::kAny, true, false, BuildComplex<true>);
}
Var Rfft(const Arg& x, int axis, const FftOptions& options) {
  return Call("fft.rfft", x, {axis}, OneAxis(options), Numbers::kReal, false, false, BuildRealToHalf);
}
Var Irfft(const Arg& x, int axis, const FftOptions& options) {
  return Call("fft.irfft", x, {axis}, OneAxis(options), Numbers::kComplex, true, true, BuildHalfToReal);
}
Var Hfft(const Arg& x, int axis, const FftOptions& options) {
  // A forward transform with the sign of the inverse one.
  return Call("fft.hfft", x, {axis}, OneAxis(options), Numbers::kComplex, false, true, [](Request& request) {
    request.x = Conj(request.x);
    return BuildHalfToReal(request);
  });
}
Var Ihfft(const Arg& x, int axis, const FftOptions& options) {
  return Call("fft.ihfft", x, {axis}, OneAxis(options), Numbers::kReal, true, false,
              [](Request& request) { return Conj(BuildRealToHalf(request)); });
}

Var Fftn(const Arg& x, const Ints& axes, const FftnOptions& options) {
  return Call("fft.fftn", x, axes, options, Numbers::kAny, false, false, BuildComplex<false>);
}
Var Ifftn(const Arg& x, const Ints& axes, const FftnOptions& options) {
  return Call("fft.ifftn", x, axes, options, Numbers::kAny, true, false, BuildComplex<true>);
}
Var Rfftn(const Arg& x, const Ints& axes, const FftnOptions& options) {
  return Call("fft.rfftn", x, axes, options, Numbers::kReal, false, false, BuildRealToHalf);
}
Var Irfftn(const Arg& x, const Ints& axes, const FftnOptions& options) {
  return Call("fft.irfftn", x, axes, options, Numbers::kComplex, true, true, BuildHalfToReal);
}

Var Fft2(const Arg& x, const Ints& axes, const FftnOptions& options) {
  return OfTwo("fft.fft2", Fftn, x, axes, options);
}
Var Ifft2(const Arg& x, const Ints& axes, const FftnOptions& options) {
  return OfTwo("fft.ifft2", Ifftn, x, axes, options);
}
Var Rfft2(const Arg& x, const Ints& axes, const FftnOptions& options) {
  return OfTwo("fft.rfft2", Rfftn, x, axes, options);
}
Var Irfft2(const Arg& x, const Ints& axes, const FftnOptions& options) {
  return OfTwo("fft.irfft2", Irfftn, x, axes, options);
}

}  // namespace tenferro::fft
