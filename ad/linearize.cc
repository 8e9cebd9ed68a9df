#include "tenferro/ad/linearize.h"

#include "absl/strings/str_cat.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/runtime/ops/source.h"

namespace tenferro::ad {
namespace {

std::vector<Var> ZerosWhereEmpty(std::vector<Var> vars, absl::Span<const Var> like, const Location& location) {
  for (size_t i = 0; i < vars.size(); ++i) {
    if (vars[i].empty()) vars[i] = ZerosLike(like[i], location);
  }
  return vars;
}

}  // namespace

absl::Status LinearMap::status() const {
  for (const Var& result : results_) {
    if (!result.ok()) return result.status();
  }
  return absl::OkStatus();
}

Var LinearMap::Check(const char* what, absl::Span<const Var> vars, absl::Span<const Var> expected,
                     const Location& location) {
  const auto fail = [&](absl::string_view message) { return ErrorVar(location, "linearize", message); };
  if (vars.size() != expected.size()) return fail(absl::StrCat(vars.size(), " ", what, "s for ", expected.size()));
  for (size_t i = 0; i < vars.size(); ++i) {
    if (vars[i].empty()) return fail(absl::StrCat(what, " ", i, " is an empty Var"));
    if (!vars[i].ok()) return vars[i];
    if (vars[i].type() != expected[i].type()) {
      return fail(absl::StrCat(what, " ", i, " is ", vars[i].type().ToString(), ", its value ",
                               expected[i].type().ToString()));
    }
  }
  return Var();
}

std::vector<Var> LinearMap::Jvp(absl::Span<const Var> tangents, Location location) const {
  const Location here = LocationScope::Resolve(location);
  LocationScope scope(here);
  if (absl::Status s = status(); !s.ok()) return std::vector<Var>(outputs_.size(), Var::Error(s));
  if (const Var error = Check("tangent", tangents, wrt_, here); !error.empty()) {
    return std::vector<Var>(outputs_.size(), error);
  }
  if (outputs_.empty()) return {};
  return ZerosWhereEmpty(tape_->Apply(results_, tangents), outputs_, here);
}

std::vector<Var> LinearMap::Vjp(absl::Span<const Var> cotangents, Location location) const {
  const Location here = LocationScope::Resolve(location);
  LocationScope scope(here);
  if (absl::Status s = status(); !s.ok()) return std::vector<Var>(wrt_.size(), Var::Error(s));
  if (const Var error = Check("cotangent", cotangents, outputs_, here); !error.empty()) {
    return std::vector<Var>(wrt_.size(), error);
  }
  if (outputs_.empty()) return ZerosWhereEmpty(std::vector<Var>(wrt_.size()), wrt_, here);
  return ZerosWhereEmpty(tape_->Transpose(results_, cotangents), wrt_, here);
}

LinearMap Linearize(absl::Span<const Var> outputs, absl::Span<const Var> wrt, Location location) {
  const Location here = LocationScope::Resolve(location);
  LinearMap map;
  map.outputs_.assign(outputs.begin(), outputs.end());
  map.wrt_.assign(wrt.begin(), wrt.end());
  std::vector<Var> tangents(wrt.size());
  if (!outputs.empty() && outputs[0].ok()) {
    map.tape_ = std::make_shared<LinearTape>(outputs[0].context());
    for (size_t i = 0; i < wrt.size(); ++i) {
      if (wrt[i].ok()) tangents[i] = map.tape_->Tangent(wrt[i].type());
    }
  }
  map.results_ = ad::Jvp(outputs, wrt, tangents, here);
  return map;
}

}  // namespace tenferro::ad
