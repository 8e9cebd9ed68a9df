#ifndef TENFERRO_LINALG_AUTODIFF_RULES_H_
#define TENFERRO_LINALG_AUTODIFF_RULES_H_

#include "absl/types/span.h"
#include "tenferro/runtime/op.h"
#include "tenferro/runtime/var.h"

// The derivative rules of the singular value decompositions, as svd_family.cc lists them.
namespace tenferro::linalg {

void JvpSvd(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void VjpSvd(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
            absl::Span<Var> input_cotangents);
void JvpSvdFull(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void VjpSvdFull(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                absl::Span<Var> input_cotangents);
void JvpSvdLorentz(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void JvpSvdVals(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void VjpSvdVals(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                absl::Span<Var> input_cotangents);
void JvpTruncated(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void VjpTruncated(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                  absl::Span<Var> input_cotangents);
void JvpIsometry(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void VjpIsometry(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                 absl::Span<Var> input_cotangents);
void JvpSplit(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void VjpSplit(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
              absl::Span<Var> input_cotangents);
void JvpCheckGauge(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void VjpCheckGauge(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                   absl::Span<Var> input_cotangents);
void JvpSylvester(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void TransposeSylvester(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                        absl::Span<Var> input_cotangents);
void JvpComplement(const NodeView& node, absl::Span<const Var> tangents, absl::Span<Var> output_tangents);
void TransposeComplement(const NodeView& node, absl::Span<const Var> cotangents, OperandSet wanted,
                         absl::Span<Var> input_cotangents);

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_AUTODIFF_RULES_H_
