#ifndef TENFERRO_RUNTIME_PROGRAM_BUILDER_H_
#define TENFERRO_RUNTIME_PROGRAM_BUILDER_H_

#include <map>
#include <memory>
#include <vector>

#include "tenferro/runtime/program.h"
#include "tenferro/runtime/rewriter.h"

namespace tenferro {

// Compiles the function from `inputs` to `outputs` of a graph.
absl::StatusOr<Program> CompileFunction(const GraphData& graph, absl::Span<const ValueId> inputs,
                                        absl::Span<const ValueId> outputs);

// Puts a program together: inlines bodies, merges equal operations, asks the records for simplifications.
class ProgramBuilder final : public Rewriter {
 public:
  ProgramBuilder();

  ValueId Input(const ValueType& type, const Location& location);
  // Appends what `outputs` of `graph` need, with `arguments` in place of `inputs`.
  absl::Status Inline(const GraphData& graph, absl::Span<const ValueId> inputs, absl::Span<const ValueId> arguments,
                      absl::Span<const ValueId> outputs, std::vector<ValueId>& results);
  // The program of what `outputs` need. The builder is spent.
  Program Finish(absl::Span<const ValueId> inputs, absl::Span<const ValueId> outputs);

  const NodeTable& nodes() const override { return data_->nodes; }
  ValueId Emit(const OpDef& op, WordSpan attributes, absl::Span<const ValueId> inputs, const ValueType& type) override;

 private:
  ValueId Constant(const Tensor& value, const Location& location);
  ValueId EmitMerged(const OpDef& op, WordSpan attributes, absl::Span<const ValueId> inputs,
                     absl::Span<const ValueType> types, const Location& location);
  size_t Hash(const OpDef& op, WordSpan attributes, absl::Span<const ValueId> inputs) const;
  void Grow();

  std::shared_ptr<GraphData> data_;
  // Open addressing over node indices + 1; 0 is free.
  std::vector<uint32_t> table_;
  size_t entries_ = 0;
  std::map<Words, ValueId> constants_;  // by identity, small ones by their bits
  Location location_;
  CompileStatistics statistics_;
};

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_PROGRAM_BUILDER_H_
