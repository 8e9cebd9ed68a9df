#include "tenferro/einsum/path.h"

#include <algorithm>

namespace tenferro::einsum {
namespace {

bool Has(const Ints& labels, Label label) { return std::find(labels.begin(), labels.end(), label) != labels.end(); }

double SizeOf(const Ints& labels, const Contraction& contraction) {
  double size = 1;
  for (Label label : labels) size *= static_cast<double>(contraction.ExtentOf(label));
  return size;
}

Ints Distinct(const Ints& labels) {
  Ints result;
  for (Label label : labels) {
    if (!Has(result, label)) result.push_back(label);
  }
  return result;
}

}  // namespace

Ints ContractedLabels(const Ints& a, const Ints& b, const std::vector<Ints>& others, const Ints& output) {
  Ints result;
  const auto keep = [&](Label label) {
    bool needed = Has(output, label);
    for (const Ints& other : others) needed |= Has(other, label);
    if (needed && !Has(result, label)) result.push_back(label);
  };
  for (Label label : a) keep(label);
  for (Label label : b) keep(label);
  return result;
}

Path GreedyPath(const Contraction& contraction) {
  struct Value {
    int id;
    Ints labels;
  };
  std::vector<Value> values;
  for (const Ints& labels : contraction.operands) values.push_back({static_cast<int>(values.size()), Distinct(labels)});
  int next_id = static_cast<int>(values.size());
  Path path;
  while (values.size() > 1) {
    size_t best_i = 0, best_j = 1;
    Ints best_labels;
    bool found = false, best_shares = false;
    std::pair<double, double> best_cost;  // growth of memory, then multiplications
    for (size_t i = 0; i < values.size(); ++i) {
      for (size_t j = i + 1; j < values.size(); ++j) {
        std::vector<Ints> others;
        for (size_t k = 0; k < values.size(); ++k) {
          if (k != i && k != j) others.push_back(values[k].labels);
        }
        const Ints labels = ContractedLabels(values[i].labels, values[j].labels, others, contraction.output);
        bool shares = false;
        for (Label label : values[i].labels) shares |= Has(values[j].labels, label);
        const double growth =
            SizeOf(labels, contraction) - SizeOf(values[i].labels, contraction) - SizeOf(values[j].labels, contraction);
        Ints all = values[i].labels;
        all.insert(all.end(), values[j].labels.begin(), values[j].labels.end());
        const std::pair<double, double> cost(growth, SizeOf(Distinct(all), contraction));
        if (found && (best_shares > shares || (best_shares == shares && best_cost <= cost))) continue;
        found = true;
        best_i = i;
        best_j = j;
        best_labels = labels;
        best_shares = shares;
        best_cost = cost;
      }
    }
    path.emplace_back(values[best_i].id, values[best_j].id);
    values.erase(values.begin() + best_j);
    values.erase(values.begin() + best_i);
    values.push_back({next_id++, best_labels});
  }
  return path;
}

}  // namespace tenferro::einsum
