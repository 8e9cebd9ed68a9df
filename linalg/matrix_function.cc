#include "tenferro/linalg/matrix_function.h"

#include "tenferro/linalg/spectral_slots.h"
#include "tenferro/runtime/ops/emit.h"

namespace tenferro::linalg {
namespace {

using spectral_internal::InferAlike;
using spectral_internal::Invalid;

absl::Status InferPolar(const OpDef&, WordSpan, absl::Span<const ValueType> inputs, ValueTypes& outputs) {
  const ValueType& a = inputs[0];
  if (!IsFloatOrComplex(a.dtype)) return Invalid("does not take ", Name(a.dtype));
  if (a.shape.rank() < 2 || a.shape.extent(0) < a.shape.extent(1)) {
    return Invalid("needs a matrix [m, n, batch…] with m >= n, got ", a.ToString());
  }
  outputs.push_back(a);
  Shape square{a.shape[1], a.shape[1]};
  for (int i = 2; i < a.shape.rank(); ++i) square.push_back(a.shape[i]);
  outputs.push_back({a.dtype, square});
  return absl::OkStatus();
}

constexpr OpDef Function(const char* name) {
  return {.name = name,
          .infer = InferAlike,
          .dtypes = kFloatOrComplexSet,
          .batch = BatchAllOperands,
          .slots = &spectral_slots};
}
constexpr OpDef LinearInSecond(const char* name) {
  OpDef op = Function(name);
  op.linear = 0b10;
  return op;
}

}  // namespace

constexpr OpDef kExpm = Function("linalg.expm");
constexpr OpDef kSqrtm = Function("linalg.sqrtm");
constexpr OpDef kLogm = Function("linalg.logm");
constexpr OpDef kExpmDerivative = LinearInSecond("linalg.expm_derivative");
constexpr OpDef kSqrtmDerivative = LinearInSecond("linalg.sqrtm_derivative");
constexpr OpDef kLogmDerivative = LinearInSecond("linalg.logm_derivative");
constexpr OpDef kHermitianSylvester = LinearInSecond("linalg.hermitian_sylvester");
constexpr OpDef kPolar{.name = "linalg.polar",
                       .infer = InferPolar,
                       .dtypes = kFloatOrComplexSet,
                       .batch = BatchAllOperands,
                       .slots = &spectral_slots};

Var Expm(const Arg& a) { return EmitUnary(kExpm, a); }
Var Sqrtm(const Arg& a) { return EmitUnary(kSqrtm, a); }
Var Logm(const Arg& a) { return EmitUnary(kLogm, a); }

PolarResult Polar(const Arg& a) {
  const Vars outputs = Emit(kPolar, {}, {a.Tensor(kPolar.name)}, a.location(), 2);
  return {outputs[0], outputs[1]};
}

Var ExpmDerivative(const Var& a, const Var& e) { return EmitOne(kExpmDerivative, {}, {a, e}, Location::current()); }
Var SqrtmDerivative(const Var& a, const Var& e) { return EmitOne(kSqrtmDerivative, {}, {a, e}, Location::current()); }
Var LogmDerivative(const Var& a, const Var& e) { return EmitOne(kLogmDerivative, {}, {a, e}, Location::current()); }
Var HermitianSylvester(const Var& p, const Var& c) {
  return EmitOne(kHermitianSylvester, {}, {p, c}, Location::current());
}

}  // namespace tenferro::linalg
