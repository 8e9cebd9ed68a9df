#include "tenferro/ad/jacobian.h"

#include "absl/strings/str_cat.h"
#include "tenferro/ad/grad.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/ad/linear_tape.h"
#include "tenferro/ad/vjp.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/emit.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro::ad {
namespace {

// All tangents of `like` with a single 1, along a last axis.
Var Units(const Var& like) {
  const Dim size = like.shape().size();
  const Var row = Iota(like, DType::kI64, {size, size}, 0);
  const Var column = Iota(like, DType::kI64, {size, size}, 1);
  Shape shape = like.shape();
  shape.push_back(size);
  return Reshape(Cast(Eq(row, column), like.dtype()), shape);
}

// `columns` of `value` for each element of `moving`: a derivative that is zero by its rule has only one.
Var Batched(const Var& columns, const Var& value, const Var& moving) {
  return WithBatchAxis(columns, columns.rank() > value.rank(), moving.shape().size());
}

Shape Joined(const Shape& first, const Shape& second) {
  Shape joined = first;
  for (int i = 0; i < second.rank(); ++i) joined.push_back(second[i]);
  return joined;
}

// An error Var for dtypes that the transform does not take, else an empty one.
Var CheckTypes(const char* name, const Var& output, const Var& wrt, const JacobianOptions& options, bool forward,
               const Location& location) {
  const auto fail = [&](absl::string_view message) { return ErrorVar(location, name, message); };
  if (output.empty() || wrt.empty())
    return fail(output.empty() ? "the output is an empty Var" : "a wrt is an empty Var");
  if (!output.ok()) return output;
  if (!wrt.ok()) return wrt;
  const bool complex_output = IsComplex(output.dtype()), complex_wrt = IsComplex(wrt.dtype());
  if (options.holomorphic) {
    if (complex_output && complex_wrt) return Var();
    return fail(absl::StrCat("a holomorphic function takes complex to complex, got ", wrt.type().ToString(), " to ",
                             output.type().ToString()));
  }
  if (forward && complex_wrt) {
    return fail(absl::StrCat("wrt is ", wrt.type().ToString(), ": say that the function is holomorphic, or split it"));
  }
  if (!forward && complex_output) {
    return fail(absl::StrCat("the output is ", output.type().ToString(),
                             ": say that the function is holomorphic, or use Jacfwd"));
  }
  return Var();
}

}  // namespace

Var Jacfwd(const Var& output, const Var& wrt, const JacobianOptions& options, Location location) {
  const Location here = LocationScope::Resolve(location);
  LocationScope scope(here);
  if (const Var error = CheckTypes("jacfwd", output, wrt, options, true, here); !error.empty()) return error;
  auto tape = std::make_shared<LinearTape>(output.context());
  const Var tangent = Jvp(output, wrt, tape->Tangent(wrt.type()), here);
  if (!tangent.ok()) return tangent;
  const Var units = Units(wrt);
  const std::vector<Var> columns = tape->ApplyBatched({tangent}, {units}, wrt.shape().size());
  return Reshape(Batched(columns[0], output, wrt), Joined(output.shape(), wrt.shape()));
}

std::vector<Var> Jacfwd(const Var& output, absl::Span<const Var> wrt, const JacobianOptions& options,
                        Location location) {
  std::vector<Var> result;
  for (const Var& one : wrt) result.push_back(Jacfwd(output, one, options, location));
  return result;
}

std::vector<Var> Jacrev(const Var& output, absl::Span<const Var> wrt, const JacobianOptions& options,
                        Location location) {
  const Location here = LocationScope::Resolve(location);
  LocationScope scope(here);
  for (const Var& one : wrt) {
    const Var error = CheckTypes("jacrev", output, one, options, false, here);
    if (!error.empty()) return std::vector<Var>(wrt.size(), error);
  }
  if (wrt.empty()) return {};
  auto tape = std::make_shared<LinearTape>(output.context());
  const std::vector<Var> cotangents = Vjp({output}, wrt, {tape->Tangent(output.type())}, here);
  for (const Var& cotangent : cotangents) {
    if (!cotangent.ok()) return cotangents;
  }
  const Var units = Units(output);
  std::vector<Var> rows = tape->ApplyBatched(cotangents, {units}, output.shape().size());
  for (size_t i = 0; i < wrt.size(); ++i) {
    const int inner = wrt[i].rank();
    Ints order;
    for (int axis = 0; axis < output.rank(); ++axis) order.push_back(inner + axis);
    for (int axis = 0; axis < inner; ++axis) order.push_back(axis);
    rows[i] = Transpose(Reshape(Batched(rows[i], wrt[i], output), Joined(wrt[i].shape(), output.shape())), order);
    if (options.holomorphic) rows[i] = Conj(rows[i]);
  }
  return rows;
}

Var Jacrev(const Var& output, const Var& wrt, const JacobianOptions& options, Location location) {
  return Jacrev(output, absl::Span<const Var>(&wrt, 1), options, location)[0];
}

Var Hessian(const Var& loss, const Var& wrt, Location location) {
  const Location here = LocationScope::Resolve(location);
  return Jacfwd(Grad(loss, wrt, here), wrt, {}, here);
}

}  // namespace tenferro::ad
