#include "tenferro/einsum/plan.h"

#include "absl/strings/str_cat.h"
#include "tenferro/einsum/path.h"
#include "tenferro/tensor/status.h"

namespace tenferro::einsum {
namespace {

constexpr size_t kAutoOptimal = 12;

absl::Status CheckPath(const Path& path, size_t operands) {
  std::vector<bool> used(operands + path.size());
  if (path.size() + 1 != operands) {
    return absl::InvalidArgumentError(absl::StrCat("the path has ", path.size(), " steps for ", operands, " operands"));
  }
  for (size_t step = 0; step < path.size(); ++step) {
    for (int id : {path[step].first, path[step].second}) {
      if (id < 0 || id >= static_cast<int>(operands + step) || used[id]) {
        return absl::InvalidArgumentError(
            absl::StrCat("step ", step, " of the path uses value ", id, ", which does not exist or was used before"));
      }
      used[id] = true;
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<Path> Search(const Network& network, const EinsumOptions& options) {
  switch (options.method) {
    case PathMethod::kAuto: return network.operands.size() <= kAutoOptimal ? OptimalPath(network) : GreedyPath(network);
    case PathMethod::kGreedy: return GreedyPath(network);
    case PathMethod::kOptimal:
      if (network.operands.size() > kMostOptimal) {
        return absl::InvalidArgumentError(absl::StrCat("the optimal path is searched for up to ", kMostOptimal,
                                                       " operands, there are ", network.operands.size()));
      }
      return OptimalPath(network);
    case PathMethod::kAnneal: break;
  }
  if (options.moves < 0) return absl::InvalidArgumentError(absl::StrCat("moves is ", options.moves));
  return AnnealedPath(network, {.seed = options.seed, .moves = options.moves});
}

// Finds paths group by group, innermost first, and appends them to one path over all operands.
class GroupedPath {
 public:
  GroupedPath(const Network& network, const EinsumOptions& options) : network_(network), options_(options) {
    uses_.resize(network.extents.size(), 0);
    for (const LabelSet& operand : network.operands) operand.ForEach([&](int label) { ++uses_[label]; });
    network.output.ForEach([&](int label) { ++uses_[label]; });
  }

  absl::StatusOr<Path> Find(const Group& all) {
    TENFERRO_RETURN_IF_ERROR(Add(all).status());
    return std::move(path_);
  }

 private:
  struct Value {
    int id;
    LabelSet labels;
  };

  absl::StatusOr<Value> Add(const Group& group) {
    if (group.members.empty()) return Value{group.operand, network_.operands[group.operand]};
    std::vector<Value> members;
    for (const Group& member : group.members) {
      TENFERRO_ASSIGN_OR_RETURN(const Value value, Add(member));
      members.push_back(value);
    }
    if (members.size() == 1) return members[0];
    Network inner{{}, {}, network_.extents};
    std::vector<int> inside(network_.extents.size(), 0);
    LabelSet all;
    for (const Value& member : members) {
      inner.operands.push_back(member.labels);
      all = all | member.labels;
      member.labels.ForEach([&](int label) { ++inside[label]; });
    }
    all.ForEach([&](int label) {
      if (uses_[label] > inside[label]) inner.output.Insert(label);
    });
    TENFERRO_ASSIGN_OR_RETURN(const Path path, Search(inner, options_));
    std::vector<int> ids;
    for (const Value& member : members) ids.push_back(member.id);
    for (const auto& [first, second] : path) {
      path_.emplace_back(ids[first], ids[second]);
      ids.push_back(static_cast<int>(network_.operands.size() + path_.size()) - 1);
    }
    // One value now stands for the members.
    all.ForEach([&](int label) { uses_[label] -= inside[label] - (inner.output.Has(label) ? 1 : 0); });
    return Value{ids.back(), inner.output};
  }

  const Network& network_;
  const EinsumOptions& options_;
  std::vector<int> uses_;  // of each label: values that are still there, and the output
  Path path_;
};

// Chooses labels to slice: of those in the largest result, the one that adds the fewest flops.
absl::Status Slice(Network network, int64_t memory_limit, int64_t element_bytes, Plan& plan) {
  const double limit = static_cast<double>(memory_limit) / static_cast<double>(element_bytes);
  plan.cost = CostOf(network, plan.path);
  while (plan.cost.largest > limit) {
    const std::vector<LabelSet> labels = LabelsAlong(network, plan.path);
    LabelSet candidates;
    for (size_t i = network.operands.size(); i < labels.size(); ++i) {
      if (network.SizeOf(labels[i]) == plan.cost.largest) candidates = candidates | labels[i];
    }
    int best = -1;
    PathCost best_cost;
    candidates.ForEach([&](int label) {
      if (network.extents[label] <= 1) return;
      Network sliced = network;
      sliced.extents[label] = 1;
      PathCost cost = CostOf(sliced, plan.path);
      cost.flops *= network.extents[label];
      if (best < 0 || std::pair(cost.flops, cost.largest) < std::pair(best_cost.flops, best_cost.largest)) {
        best = label;
        best_cost = cost;
      }
    });
    if (best < 0)
      return absl::InvalidArgumentError(absl::StrCat("no slicing meets the memory limit of ", memory_limit, " bytes"));
    const auto& [label, extent] = plan.contraction.extents[best];
    plan.sliced.push_back(label);
    if (plan.slices > kMostSlices / extent) {
      return absl::InvalidArgumentError(
          absl::StrCat("the memory limit of ", memory_limit, " bytes needs more than ", kMostSlices, " slices"));
    }
    plan.slices *= extent;
    network.extents[best] = 1;
    const double flops = CostOf(network, plan.path).flops;
    plan.cost = {flops, CostOf(network, plan.path).largest};
  }
  plan.cost.flops *= static_cast<double>(plan.slices);
  return absl::OkStatus();
}

}  // namespace

Network NetworkOf(const Contraction& contraction) {
  Network network;
  for (const auto& [label, extent] : contraction.extents) network.extents.push_back(static_cast<double>(extent));
  for (const Ints& operand : contraction.operands) {
    network.operands.emplace_back();
    for (Label label : operand) network.operands.back().Insert(contraction.NumberOf(label));
  }
  for (Label label : contraction.output) network.output.Insert(contraction.NumberOf(label));
  return network;
}

absl::StatusOr<Plan> MakePlan(Contraction contraction, const EinsumOptions& options, int64_t element_bytes) {
  Plan plan;
  const Network network = NetworkOf(contraction);
  if (!options.path.empty()) {
    TENFERRO_RETURN_IF_ERROR(CheckPath(options.path, network.operands.size()));
    plan.path = options.path;
  } else {
    TENFERRO_ASSIGN_OR_RETURN(plan.path, GroupedPath(network, options).Find(contraction.grouping));
  }
  plan.contraction = std::move(contraction);
  if (options.memory_limit < 0) {
    return absl::InvalidArgumentError(absl::StrCat("the memory limit is ", options.memory_limit));
  }
  if (options.memory_limit == 0) {
    plan.cost = CostOf(network, plan.path);
    return plan;
  }
  TENFERRO_RETURN_IF_ERROR(Slice(network, options.memory_limit, element_bytes, plan));
  return plan;
}

std::string Plan::ToString() const {
  const auto text = [](const Ints& labels) {
    std::string result;
    for (Label label : labels) {
      absl::StrAppend(&result, result.empty() || label < kFirstNumber ? "" : " ", NameOf(label));
    }
    return result;
  };
  std::string result;
  const Network network = NetworkOf(contraction);
  const std::vector<LabelSet> labels = LabelsAlong(network, path);
  const auto name = [&](int id) {
    if (id < static_cast<int>(contraction.operands.size())) return text(contraction.operands[id]);
    Ints list;
    labels[id].ForEach([&](int label) { list.push_back(contraction.extents[label].first); });
    return text(list);
  };
  for (size_t step = 0; step < path.size(); ++step) {
    const auto& [first, second] = path[step];
    absl::StrAppend(&result, first, " (", name(first), "), ", second, " (", name(second), ") -> ",
                    contraction.operands.size() + step, " (",
                    name(static_cast<int>(contraction.operands.size() + step)), ")\n");
  }
  absl::StrAppend(&result, "flops ", cost.flops, ", largest intermediate ", cost.largest, " elements");
  if (slices > 1) absl::StrAppend(&result, ", ", slices, " slices of ", text(sliced));
  return result + "\n";
}

}  // namespace tenferro::einsum
