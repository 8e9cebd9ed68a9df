#ifndef TENFERRO_EXPERIMENTS_OPERATIONS_TABLE_H_
#define TENFERRO_EXPERIMENTS_OPERATIONS_TABLE_H_

#include <map>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "tenferro/experiments/operations/entries.h"
#include "tenferro/experiments/parity/cases.h"
#include "tenferro/runtime/engine.h"
#include "tenferro/runtime/graph.h"

namespace tenferro {

// An entry's example as a graph of its own.
struct ExampleGraph {
  Graph graph;
  std::vector<Var> inputs, outputs;
  std::vector<Tensor> values;   // of the inputs
  absl::Status status() const;  // of the outputs
};
ExampleGraph TraceExample(const OpEntry& entry, DType dtype);

// What is known of an operation, as text.
struct OpRow {
  std::string name, family, dtypes, jvp, vjp, batching, stablehlo, kernel, parity;
};

// How many of the reference cases that can run use each operation in their program.
std::map<const OpDef*, int> ParityCounts(absl::Span<const parity::Case> cases);

// One row for each entry. The dtypes are those that the example takes and `engine` has a kernel for.
std::vector<OpRow> OpRows(const Engine& engine, const std::map<const OpDef*, int>& parity_counts);

enum class TableFormat { kText, kMarkdown };
std::string ToText(absl::Span<const OpRow> rows, TableFormat format);

}  // namespace tenferro

#endif  // TENFERRO_EXPERIMENTS_OPERATIONS_TABLE_H_
