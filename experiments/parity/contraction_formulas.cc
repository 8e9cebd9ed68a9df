#include "tenferro/einsum/einsum.h"
#include "tenferro/experiments/parity/evaluate.h"
#include "tenferro/runtime/ops/dot.h"

namespace tenferro::parity {
namespace {

using Vars = std::vector<Var>;

Ints Axes(const nlohmann::json& list) { return Ints(list.begin(), list.end()); }

constexpr Formula kFormulas[] = {
    {"dot_general/i32", [](const Call& x) -> Vars { return {Matmul(x[0], x[1])}; }},
    {"dot_general/dot_general",
     [](const Call& x) -> Vars {
       const nlohmann::json &contract = x.c.attributes["contract"], &batch = x.c.attributes["batch"];
       return {DotGeneral(x[0], x[1],
                          {.lhs_contract = Axes(contract[0]),
                           .rhs_contract = Axes(contract[1]),
                           .lhs_batch = Axes(batch[0]),
                           .rhs_batch = Axes(batch[1])})};
     }},
    {"einsum/einsum",
     [](const Call& x) -> Vars { return {Einsum(x.c.attributes["spec"].get<std::string>(), x.inputs)}; }},
    {"matmul/matrix_power",
     [](const Call& x) -> Vars {
       const Var squared = Matmul(x[0], x[0]);
       return {Matmul(Matmul(squared, squared), x[0])};
     }},
};

}  // namespace

absl::Span<const Formula> ContractionFormulas() { return kFormulas; }

}  // namespace tenferro::parity
