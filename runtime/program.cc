#include "tenferro/runtime/program.h"

#include "absl/strings/str_cat.h"
#include "tenferro/runtime/ops/source.h"

namespace tenferro {
namespace {

std::string AttributeText(const Node& node, const NodeTable& nodes) {
  return node.op->print == nullptr ? "" : node.op->print(nodes.attributes(node));
}

std::string IdList(absl::Span<const ValueId> ids) {
  std::string text;
  for (size_t i = 0; i < ids.size(); ++i) absl::StrAppend(&text, i == 0 ? "%" : ", %", ids[i]);
  return text;
}

}  // namespace

std::string Program::ToString() const {
  std::string text;
  for (const Node& node : nodes().nodes()) {
    for (uint32_t k = 0; k < node.num_outputs; ++k) {
      absl::StrAppend(&text, k == 0 ? "%" : ", %", node.first_output + k, ": ", type(node.first_output + k).ToString());
    }
    const std::string operands = IdList(nodes().inputs(node));
    const std::string attributes = AttributeText(node, nodes());
    absl::StrAppend(&text, " = ", node.op->name, operands.empty() ? "" : " ", operands);
    if (!attributes.empty()) absl::StrAppend(&text, " {", attributes, "}");
    absl::StrAppend(&text, "  (", tenferro::ToString(node.location), ")\n");
  }
  absl::StrAppend(&text, "return ", IdList(outputs_), "\n");
  return text;
}

std::string Program::ToDot() const {
  std::string text = "digraph program {\n  node [shape=box];\n";
  for (size_t i = 0; i < nodes().num_nodes(); ++i) {
    const Node& node = nodes().node(i);
    std::string label = node.op->name;
    for (uint32_t k = 0; k < node.num_outputs; ++k)
      absl::StrAppend(&label, "\\n", type(node.first_output + k).ToString());
    const std::string attributes = AttributeText(node, nodes());
    if (!attributes.empty()) absl::StrAppend(&label, "\\n", attributes);
    absl::StrAppend(&text, "  n", i, " [label=\"", label, "\"];\n");
    for (ValueId input : nodes().inputs(node))
      absl::StrAppend(&text, "  n", nodes().producer(input), " -> n", i, ";\n");
  }
  for (size_t i = 0; i < outputs_.size(); ++i) {
    absl::StrAppend(&text, "  out", i, " [shape=plaintext];\n  n", nodes().producer(outputs_[i]), " -> out", i, ";\n");
  }
  return text + "}\n";
}

}  // namespace tenferro
