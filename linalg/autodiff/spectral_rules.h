#ifndef TENFERRO_LINALG_AUTODIFF_SPECTRAL_RULES_H_
#define TENFERRO_LINALG_AUTODIFF_SPECTRAL_RULES_H_

#include "tenferro/runtime/op.h"
#include "tenferro/runtime/var.h"

// The derivative rules of the spectral family, of which spectral_rules.cc makes the table.
namespace tenferro::linalg::spectral_internal {

#define TENFERRO_JVP(name) \
  void Jvp##name(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents)
#define TENFERRO_VJP(name)                                                                      \
  void Vjp##name(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted, \
                 absl::Span<Var> input_cotangents)
#define TENFERRO_TRANSPOSE(name)                                                                      \
  void Transpose##name(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted, \
                       absl::Span<Var> input_cotangents)

TENFERRO_JVP(Eigh);
TENFERRO_VJP(Eigh);
TENFERRO_JVP(Eigvalsh);
TENFERRO_VJP(Eigvalsh);
TENFERRO_JVP(GeneralizedEigh);
TENFERRO_VJP(GeneralizedEigh);
TENFERRO_JVP(HermitianFunction);
TENFERRO_VJP(HermitianFunction);
TENFERRO_JVP(HermitianFunctionDerivative);
TENFERRO_TRANSPOSE(HermitianFunctionDerivative);
TENFERRO_JVP(HermitianFunctionSecond);
TENFERRO_TRANSPOSE(HermitianFunctionSecond);
TENFERRO_JVP(MatrixFunction);
TENFERRO_VJP(MatrixFunction);
TENFERRO_JVP(MatrixFunctionDerivative);
TENFERRO_TRANSPOSE(MatrixFunctionDerivative);
TENFERRO_JVP(HermitianSylvester);
TENFERRO_TRANSPOSE(HermitianSylvester);
TENFERRO_JVP(Polar);
TENFERRO_JVP(Eig);
TENFERRO_JVP(Eigvals);

#undef TENFERRO_JVP
#undef TENFERRO_VJP
#undef TENFERRO_TRANSPOSE

}  // namespace tenferro::linalg::spectral_internal

#endif  // TENFERRO_LINALG_AUTODIFF_SPECTRAL_RULES_H_
