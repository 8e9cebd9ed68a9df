#include "tenferro/experiments/operations/table.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "tenferro/experiments/parity/evaluate.h"
#include "tenferro/experiments/parity/run.h"
#include "tenferro/runtime/derivative.h"
#include "tenferro/runtime/ops/elementwise.h"

namespace tenferro {
namespace {

constexpr DType kEveryDType[] = {DType::kBool, DType::kI32, DType::kI64, DType::kU8,  DType::kU32,
                                 DType::kU64,  DType::kF32, DType::kF64, DType::kC64, DType::kC128};

// Numbers that no two operands share, as `dtype` holds them.
Tensor ValueOf(DType dtype, const Shape& shape, Operands::Kind kind, int which) {
  std::vector<std::complex<double>> numbers;
  for (int64_t i = 0; i < shape.size(); ++i) {
    const double u = std::fmod(0.37 + 0.6180339887498949 * static_cast<double>(i + 11 * which), 1.0);
    switch (kind) {
      case Operands::Kind::kIndices: numbers.push_back(static_cast<double>(i % 3)); break;
      case Operands::Kind::kBools: numbers.push_back(u < 0.5 ? 1 : 0); break;
      case Operands::Kind::kNumbers: {
        const double scale = IsFloatOrComplex(dtype) ? 1 : 8;
        numbers.emplace_back(scale * (0.2 + 0.7 * u), IsComplex(dtype) ? 0.3 * std::sin(3.0 * i + which) : 0);
      }
    }
  }
  switch (dtype) {
#define TENFERRO_CASE(code, T)                                                             \
  case DType::code: {                                                                      \
    std::vector<T> data;                                                                   \
    for (const auto& z : numbers) data.push_back(static_cast<T>(z.real()));                \
    return *Tensor::FromColMajor<T>(shape, absl::MakeConstSpan(data.data(), data.size())); \
  }
    TENFERRO_CASE(kI32, int32_t)
    TENFERRO_CASE(kI64, int64_t)
    TENFERRO_CASE(kU8, uint8_t)
    TENFERRO_CASE(kU32, uint32_t)
    TENFERRO_CASE(kU64, uint64_t)
    TENFERRO_CASE(kF32, float)
    TENFERRO_CASE(kF64, double)
#undef TENFERRO_CASE
    case DType::kBool: {
      auto data = std::make_unique<bool[]>(numbers.size());
      for (size_t i = 0; i < numbers.size(); ++i) data[i] = static_cast<int>(numbers[i].real()) % 2 == 1;
      return *Tensor::FromColMajor<bool>(shape, absl::MakeConstSpan(data.get(), numbers.size()));
    }
    case DType::kC64: {
      std::vector<std::complex<float>> data(numbers.begin(), numbers.end());
      return *Tensor::FromColMajor<std::complex<float>>(shape, data);
    }
    case DType::kC128: break;
  }
  return *Tensor::FromColMajor<std::complex<double>>(shape, numbers);
}

std::string DTypesText(DTypeSet set) {
  if (set == kAnySet) return "any";
  std::vector<std::string> parts;
  constexpr std::pair<DTypeSet, const char*> kGroups[] = {
      {kBoolSet, "bool"}, {kIntegerSet, "integer"}, {kFloatSet, "float"}, {kComplexSet, "complex"}};
  for (const auto& [group, name] : kGroups) {
    if ((set & group) == group) {
      parts.push_back(name);
      continue;
    }
    for (DType dtype : kEveryDType) {
      if (Contains(set & group, dtype)) parts.push_back(Name(dtype));
    }
  }
  return absl::StrJoin(parts, " ");
}

DTypeSet DTypesOf(const OpEntry& entry, const Engine& engine) {
  DTypeSet set = 0;
  for (DType dtype : kEveryDType) {
    const ExampleGraph example = TraceExample(entry, dtype);
    if (!example.status().ok()) continue;
    const absl::StatusOr<Program> program = Compile(example.outputs, example.inputs);
    if (program.ok() && engine.Prepare(*program).ok()) set |= SetOf(dtype);
  }
  return set;
}

struct Derivative {
  std::string jvp, vjp;
};
Derivative DerivativeOf(const OpDef& op) {
  if (op.not_differentiable != nullptr) return {absl::StrCat("none: ", op.not_differentiable), "none"};
  if (op.kind == OpKind::kSource) return {"none: it has no operand", "none"};
  bool jvp = op.jvp != nullptr || op.partials[0] != nullptr || op.partials[1] != nullptr, vjp = op.vjp != nullptr;
  bool transpose = op.transpose != nullptr;
  std::string place;
  if (op.slots != nullptr && op.slots->derivative != nullptr) {
    for (const DerivativeRules& rules : op.slots->derivative->rules) {
      if (rules.op != &op) continue;
      place = absl::StrCat(" in ", op.slots->derivative_target);
      jvp |= rules.jvp != nullptr;
      vjp |= rules.vjp != nullptr;
      transpose |= rules.transpose != nullptr;
    }
  }
  if (op.kind == OpKind::kCall && !jvp && !vjp) return {"its body's", "its body's"};
  Derivative result;
  result.jvp = jvp ? absl::StrCat("rule", place) : transpose ? "linear" : "missing";
  result.vjp = vjp ? absl::StrCat("rule", place) : transpose ? absl::StrCat("transpose", place) : "jvp reversed";
  return result;
}

std::string BatchingOf(const OpDef& op) {
  if (op.kind == OpKind::kSource) return "none needed";
  if (op.kind == OpKind::kCall) return "its body's";
  return op.batch == nullptr ? "missing" : "rule";
}

std::string KernelOf(const OpDef& op) {
  if (op.kind == OpKind::kCall) return "its body's";
  if (op.simplify != nullptr && op.slots == nullptr) return "none: gone when compiled";
  if (op.kind == OpKind::kBarrier) return "none: orders others";
  return op.kind == OpKind::kSource ? "engine" : op.slots->cpu_target;
}

}  // namespace

absl::Status ExampleGraph::status() const {
  for (const Var& output : outputs) {
    if (!output.ok()) return output.status();
  }
  return absl::OkStatus();
}

ExampleGraph TraceExample(const OpEntry& entry, DType dtype) {
  ExampleGraph example;
  Operands operands(dtype, [&](DType wanted, const Shape& shape, Operands::Kind kind) {
    example.values.push_back(ValueOf(wanted, shape, kind, static_cast<int>(example.inputs.size())));
    example.inputs.push_back(example.graph.Input(wanted, shape));
    return example.inputs.back();
  });
  example.outputs = entry.example(operands);
  return example;
}

std::map<const OpDef*, int> ParityCounts(absl::Span<const parity::Case> cases) {
  std::map<const OpDef*, int> counts;
  for (const parity::Case& c : cases) {
    if (parity::FindFormula(c) == nullptr) continue;
    const absl::StatusOr<parity::CaseProgram> program = parity::BuildCase(c);
    if (!program.ok()) continue;
    std::set<const OpDef*> used;
    for (const Node& node : program->program.nodes().nodes()) used.insert(node.op);
    for (const OpDef* op : used) ++counts[op];
  }
  return counts;
}

std::vector<OpRow> OpRows(const Engine& engine, const std::map<const OpDef*, int>& parity_counts) {
  std::vector<OpRow> rows;
  for (const OpEntry& entry : OpEntries()) {
    const OpDef& op = *entry.op;
    const Derivative derivative = DerivativeOf(op);
    const auto count = parity_counts.find(&op);
    rows.push_back({.name = op.name,
                    .family = op.slots == nullptr ? "core" : op.slots->family,
                    .dtypes = DTypesText(DTypesOf(entry, engine)),
                    .jvp = derivative.jvp,
                    .vjp = derivative.vjp,
                    .batching = BatchingOf(op),
                    .stablehlo = entry.stablehlo == nullptr ? "-" : entry.stablehlo,
                    .kernel = KernelOf(op),
                    .parity = absl::StrCat(count == parity_counts.end() ? 0 : count->second)});
  }
  return rows;
}

std::string ToText(absl::Span<const OpRow> rows, TableFormat format) {
  constexpr std::string OpRow::*kColumns[] = {&OpRow::name,      &OpRow::family, &OpRow::dtypes,
                                              &OpRow::jvp,       &OpRow::vjp,    &OpRow::batching,
                                              &OpRow::stablehlo, &OpRow::kernel, &OpRow::parity};
  const OpRow header{"op", "family", "dtypes", "jvp", "vjp", "batching", "StableHLO", "kernel", "parity cases"};
  std::vector<OpRow> lines{header};
  if (format == TableFormat::kMarkdown)
    lines.push_back({"---", "---", "---", "---", "---", "---", "---", "---", "---:"});
  lines.insert(lines.end(), rows.begin(), rows.end());
  std::string text;
  for (const OpRow& line : lines) {
    std::string row;
    for (const auto column : kColumns) {
      const std::string& cell = line.*column;
      if (format == TableFormat::kMarkdown) {
        absl::StrAppend(&row, "| ", cell, " ");
        continue;
      }
      size_t width = 0;
      for (const OpRow& other : lines) width = std::max(width, (other.*column).size());
      absl::StrAppend(&row, cell, std::string(width - cell.size() + 2, ' '));
    }
    if (format == TableFormat::kMarkdown) {
      row += "|";
    } else {
      row.erase(row.find_last_not_of(' ') + 1);
    }
    absl::StrAppend(&text, row, "\n");
  }
  return text;
}

}  // namespace tenferro
