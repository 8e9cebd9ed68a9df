#include "tenferro/cpu/describe.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace tenferro {
namespace {

// Appends to a list written with commas what is not there yet.
void AddTo(std::string& list, std::vector<std::string>& entries, std::string entry) {
  if (std::find(entries.begin(), entries.end(), entry) != entries.end()) return;
  absl::StrAppend(&list, list.empty() ? "" : ", ", entry);
  entries.push_back(std::move(entry));
}

double LoopFlops(const Plan& plan, const Item& item) {
  const DType dtype = plan.values[item.operands[0]].type->dtype;
  const double each = !IsComplex(dtype) ? 1 : std::strcmp(NameOf(item), "mul") == 0 ? 6 : 2;
  return each * static_cast<double>(item.size);
}

}  // namespace

const char* NameOf(const Item& item) { return item.node == nullptr ? "copy" : item.node->op->name; }

Description Describe(const Plan& plan, const Cluster& cluster, const Instruction& instruction) {
  Description result;
  result.flops = instruction.flops();
  std::vector<std::string> places;
  std::vector<BufferId> read;
  for (const ItemId id : cluster.items) {
    const Item& item = plan.items[id];
    absl::StrAppend(&result.operations, result.operations.empty() ? "" : ", ", NameOf(item));
    if (item.node != nullptr) AddTo(result.places, places, ToString(item.node->location));
    if (item.is_loop()) result.flops += LoopFlops(plan, item);
    for (const PlanValueId operand : item.operands) {
      const PlanValue& value = plan.values[operand];
      const Buffer& buffer = plan.buffers[value.buffer];
      // Results of the same loop stay in registers.
      const bool made_here = cluster.is_loop && buffer.producer != kNone &&
                             plan.items[buffer.producer].cluster == item.cluster && item.cluster != kNone;
      if (made_here || std::find(read.begin(), read.end(), value.buffer) != read.end()) continue;
      read.push_back(value.buffer);
      result.bytes += static_cast<double>(std::min(buffer.size, value.type->shape.size()) * SizeOf(buffer.dtype));
    }
    for (const BufferId output : item.outputs) {
      const Buffer& buffer = plan.buffers[output];
      if (buffer.stored) result.bytes += static_cast<double>(buffer.bytes());
    }
  }
  return result;
}

std::string Summarize(const Plan& plan, Instructions instructions) {
  size_t loops = 0, fused = 0;
  double flops = 0, bytes = 0;
  for (size_t i = 0; i < instructions.size(); ++i) {
    const Cluster& cluster = plan.clusters[i];
    const Description description = Describe(plan, cluster, *instructions[i]);
    flops += description.flops;
    bytes += description.bytes;
    if (!cluster.is_loop) continue;
    ++loops;
    fused += cluster.items.size();
  }
  char estimate[96];
  std::snprintf(estimate, sizeof estimate, "about %.3g flops, %.3g bytes read and written", flops, bytes);
  return absl::StrCat(instructions.size(), " instructions, ", loops, " fused loops of ", fused, " operations, ",
                      estimate);
}

}  // namespace tenferro
