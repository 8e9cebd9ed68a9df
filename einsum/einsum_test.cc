#include "tenferro/einsum/einsum.h"

#include <map>

#include "gtest/gtest.h"
#include "tenferro/ad/check_grads.h"
#include "tenferro/ad/grad.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/einsum/plan.h"
#include "tenferro/einsum/subscripts.h"
#include "tenferro/runtime/ops/dot.h"

namespace tenferro {
namespace {

Tensor Numbers(const Shape& shape, int which) {
  std::vector<double> data;
  for (int64_t i = 0; i < shape.size(); ++i) data.push_back(static_cast<double>((i * 5 + which * 11) % 13) - 6);
  return *Tensor::FromColMajor<double>(shape, data);
}

// The sum over all labels, straight from the definition; integers, so exact.
std::vector<double> Naive(const einsum::Contraction& c, const std::vector<Tensor>& operands) {
  std::map<einsum::Label, int64_t> at;
  for (const auto& [label, extent] : c.extents) at[label] = 0;
  Shape shape;
  for (einsum::Label label : c.output) shape.push_back(c.ExtentOf(label));
  const Ints strides = shape.ColMajorStrides();
  std::vector<double> result(shape.size(), 0);
  for (const auto& [label, extent] : c.extents) {
    if (extent == 0) return result;
  }
  for (;;) {
    double product = 1;
    for (size_t i = 0; i < operands.size(); ++i) {
      Ints index;
      for (size_t axis = 0; axis < c.operands[i].size(); ++axis) {
        index.push_back(operands[i].dim(axis) == 1 ? 0 : at[c.operands[i][axis]]);
      }
      product *= *operands[i].At<double>(index);
    }
    int64_t place = 0;
    for (size_t i = 0; i < c.output.size(); ++i) place += strides[i] * at[c.output[i]];
    result[place] += product;
    size_t k = 0;
    for (; k < c.extents.size(); ++k) {
      if (++at[c.extents[k].first] < c.extents[k].second) break;
      at[c.extents[k].first] = 0;
    }
    if (k == c.extents.size()) return result;
  }
}

struct Case {
  const char* subscripts;
  std::vector<Shape> shapes;
};

class EinsumTest : public testing::TestWithParam<Case> {};

TEST_P(EinsumTest, IsTheDefinition) {
  const auto& [subscripts, shapes] = GetParam();
  const CpuEngine engine = CpuEngine::Serial();
  std::vector<Tensor> tensors;
  std::vector<Var> operands;
  for (size_t i = 0; i < shapes.size(); ++i) {
    tensors.push_back(Numbers(shapes[i], static_cast<int>(i)));
    operands.push_back(Immediate(engine, tensors.back()));
  }
  const absl::StatusOr<einsum::Contraction> contraction = einsum::ParseSubscripts(subscripts, shapes);
  ASSERT_TRUE(contraction.ok()) << contraction.status();
  const Var result = Einsum(subscripts, operands);
  ASSERT_TRUE(result.ok()) << result.status();
  const Tensor numbers = *result.ToTensor();
  const absl::Span<const double> data = *numbers.Data<double>();
  EXPECT_EQ(std::vector<double>(data.begin(), data.end()), Naive(*contraction, tensors));
}

INSTANTIATE_TEST_SUITE_P(
    All, EinsumTest,
    testing::Values(Case{"ij,jk->ik", {{3, 4}, {4, 5}}}, Case{"ij,jk", {{3, 4}, {4, 5}}}, Case{"ij->ji", {{3, 4}}},
                    Case{"ba", {{3, 4}}}, Case{"ii->i", {{3, 3}}}, Case{"ii", {{3, 3}}}, Case{"iii->i", {{3, 3, 3}}},
                    Case{"iijj->ji", {{2, 2, 3, 3}}}, Case{"i,j->ij", {{3}, {4}}}, Case{"i,i", {{5}, {5}}},
                    Case{",i->i", {{}, {5}}}, Case{"->", {{}}}, Case{"ij,ij->", {{3, 4}, {3, 4}}},
                    Case{"ijk->kj", {{3, 4, 5}}}, Case{"bij,bjk->bik", {{2, 3, 4}, {2, 4, 5}}},
                    Case{"ijb,jkb->ikb", {{3, 4, 2}, {4, 5, 2}}},
                    Case{"ij,jk,kl,lm->im", {{2, 3}, {3, 4}, {4, 5}, {5, 2}}},
                    Case{"abc,cd,db->a", {{2, 3, 4}, {4, 5}, {5, 3}}}, Case{"ij,kj,lj->ikl", {{2, 3}, {4, 3}, {5, 3}}},
                    Case{"i,i,i->i", {{4}, {4}, {4}}}, Case{"ij,k->ij", {{2, 3}, {4}}},
                    Case{"...ij,...jk->...ik", {{2, 3, 4}, {4, 5}}}, Case{"i...->...i", {{2, 3, 4}}},
                    Case{"...,...", {{2, 1, 4}, {3, 1}}}, Case{"a b , b c -> a c", {{2, 3}, {3, 2}}},
                    Case{"icb,jec,aep,baq->ijpq", {{2, 3, 3}, {2, 3, 3}, {3, 3, 2}, {3, 3, 2}}},
                    Case{"iij,jk->ik", {{4, 4, 3}, {3, 2}}}, Case{"ij,jk->ik", {{3, 0}, {0, 5}}},
                    Case{"AbC,Cb->A", {{2, 3, 4}, {4, 3}}}, Case{"i->ii", {{3}}}, Case{"ij->jij", {{2, 3}}},
                    Case{"i->iii", {{3}}}, Case{"ij,jk->kiki", {{2, 3}, {3, 4}}},
                    Case{"(ij,jk),(kl,lm)->im", {{2, 3}, {3, 4}, {4, 5}, {5, 2}}},
                    Case{"ij,((jk,kl),lm)->im", {{2, 3}, {3, 4}, {4, 5}, {5, 2}}},
                    Case{"(ij,kl),jk->il", {{2, 3}, {4, 2}, {3, 4}}},
                    // Batches first, a vector of them and more; vectors, outer products and sums alone.
                    Case{"bij,bjk->bik", {{21, 5, 3}, {21, 3, 6}}}, Case{"bij,bj->bi", {{19, 5, 3}, {19, 3}}},
                    Case{"bij,bjk->ikb", {{17, 4, 4}, {17, 4, 4}}}, Case{"bij,jkb->bik", {{16, 4, 3}, {3, 5, 16}}},
                    Case{"bhqd,bhkd->bhqk", {{3, 4, 5, 2}, {3, 4, 3, 2}}}, Case{"bi,bi->b", {{20, 5}, {20, 5}}},
                    Case{"ib,ib->b", {{9, 20}, {9, 20}}}, Case{"i,i->", {{1500}, {1500}}},
                    Case{"ij,ji->", {{7, 9}, {9, 7}}}, Case{"ab,cd->acbd", {{2, 3}, {4, 5}}},
                    Case{"ab,cd->dcab", {{2, 3}, {4, 5}}}, Case{"ij,j->ij", {{5, 6}, {6}}},
                    Case{"ij,j->ji", {{5, 6}, {6}}}, Case{"ij,i,j->ij", {{3, 4}, {3}, {4}}},
                    // Nothing at all, numbers alone.
                    Case{",", {{}, {}}}, Case{"", {{}}}, Case{"()", {{}}}, Case{"(),i->i", {{}, {5}}},
                    Case{"i->", {{0}}}, Case{"i->ii", {{0}}}, Case{"ii->", {{0, 0}}}, Case{"i,j->ij", {{0}, {3}}},
                    Case{"...", {{2, 0}}}, Case{"...,...", {{0}, {1}}}, Case{"bij,bjk->bik", {{9, 2, 0}, {9, 0, 2}}},
                    Case{"bij,bjk->bik", {{0, 2, 2}, {0, 2, 2}}}, Case{"ij,jk->", {{2, 0}, {0, 3}}}),
    [](const auto& info) { return "Case" + std::to_string(info.index); });

TEST(Einsum, DerivativesAgreeWithDifferences) {
  for (const Case& c : {Case{"ij,jk,kl->il", {{2, 3}, {3, 4}, {4, 2}}}, Case{"iij,jk->ik", {{3, 3, 2}, {2, 4}}},
                        Case{"...ij,...jk->...ik", {{2, 3, 2}, {2, 3}}}}) {
    std::vector<Tensor> inputs;
    for (size_t i = 0; i < c.shapes.size(); ++i) inputs.push_back(Numbers(c.shapes[i], static_cast<int>(i)));
    const absl::Status status = ad::CheckGrads(
        CpuEngine::Serial(), [&](absl::Span<const Var> in) -> std::vector<Var> { return {Einsum(c.subscripts, in)}; },
        inputs, {.order = 2, .tolerance = 1e-7});
    EXPECT_TRUE(status.ok()) << c.subscripts << ": " << status;
  }
}

TEST(Einsum, SharesTheForwardWithTheDerivative) {
  // A ring of eight matrices: seven products forwards; each node of the tree sends two cotangents down.
  Graph graph;
  std::vector<Var> operands;
  for (int i = 0; i < 8; ++i) operands.push_back(graph.Input(DType::kF64, {3, 3}));
  const Var trace = Einsum("ab,bc,cd,de,ef,fg,gh,ha->", operands);
  const auto products = [&](absl::Span<const Var> outputs) {
    int64_t count = 0;
    const absl::StatusOr<Program> program = Compile(outputs, operands);
    EXPECT_TRUE(program.ok()) << program.status();
    for (const Node& node : program->nodes().nodes()) count += node.op == &kDotGeneral;
    return count;
  };
  const int64_t forward = products({trace});
  EXPECT_EQ(forward, 7);
  EXPECT_LE(products(ad::Grad(trace, operands)), 3 * forward);
}

// Of all products of a program; a multiplication and an addition each.
double FlopsOf(absl::Span<const Var> outputs, absl::Span<const Var> inputs) {
  const absl::StatusOr<Program> program = Compile(outputs, inputs);
  EXPECT_TRUE(program.ok()) << program.status();
  const NodeTable& nodes = program->nodes();
  double flops = 0;
  for (const Node& node : nodes.nodes()) {
    if (node.op != &kDotGeneral) continue;
    double products = static_cast<double>(nodes.type(node.first_output).shape.size());
    for (int64_t axis : Decode<DotGeneralAttributes>(nodes.attributes(node)).lhs_contract) {
      products *= static_cast<double>(nodes.type(nodes.inputs(node)[0]).shape.extent(axis));
    }
    flops += 2 * products;
  }
  return flops;
}

TEST(Einsum, DerivativeCostsTwiceTheForward) {
  Graph graph;
  const std::vector<Shape> shapes = {{3, 5}, {5, 2, 4}, {4, 6}, {6, 2, 7}, {7, 3}};
  const char* const subscripts = "ab,bcd,de,ecf,fa->";
  std::vector<Var> operands;
  for (const Shape& shape : shapes) operands.push_back(graph.Input(DType::kF64, shape));
  const Var value = Einsum(subscripts, operands);
  const double forward = FlopsOf({value}, operands);
  EXPECT_EQ(forward, PlanEinsum(subscripts, shapes)->cost.flops);
  std::vector<Var> outputs = ad::Grad(value, operands);
  outputs.push_back(value);
  EXPECT_LE(FlopsOf(outputs, operands), 3 * forward);
}

TEST(Einsum, ParenthesesDecideThePath) {
  const std::vector<Shape> shapes{{2, 3}, {4, 2}, {3, 4}};
  EXPECT_EQ(PlanEinsum("(ij,kl),jk->il", shapes)->path, (einsum::Path{{0, 1}, {3, 2}}));
  EXPECT_EQ(PlanEinsum("ij,(kl,jk)->il", shapes)->path, (einsum::Path{{1, 2}, {0, 3}}));
}

TEST(Einsum, ReportsCosts) {
  const absl::StatusOr<einsum::Plan> plan = PlanEinsum("ij,jk,kl->il", {Shape{2, 30}, Shape{30, 40}, Shape{40, 5}});
  ASSERT_TRUE(plan.ok()) << plan.status();
  EXPECT_EQ(plan->cost.flops, 2 * 2 * 30 * 40 + 2 * 2 * 40 * 5);
  EXPECT_EQ(plan->cost.largest, 80);
  EXPECT_NE(plan->ToString().find("flops 5600, largest intermediate 80 elements"), std::string::npos)
      << plan->ToString();
}

TEST(Einsum, AlongAPathOfTheUsers) {
  const CpuEngine engine = CpuEngine::Serial();
  const Var a = Immediate(engine, Numbers({2, 3}, 0)), b = Immediate(engine, Numbers({3, 4}, 1)),
            c = Immediate(engine, Numbers({4, 2}, 2));
  const auto along = [&](const einsum::Path& path) { return Einsum("ij,jk,kl->il", {a, b, c}, {.path = path}); };
  EXPECT_EQ(along({{0, 1}, {2, 3}}).ToTensor()->ToString(), along({{1, 2}, {0, 3}}).ToTensor()->ToString());
  const auto message = [](const Var& var) { return std::string(var.status().message()); };
  EXPECT_NE(message(along({{0, 1}})).find("the path has 1 steps for 3 operands"), std::string::npos);
  EXPECT_NE(message(along({{0, 1}, {0, 2}})).find("step 1 of the path uses value 0"), std::string::npos);
}

TEST(Einsum, WithNumbersForLabels) {
  const CpuEngine engine = CpuEngine::Serial();
  const Var a = Immediate(engine, Numbers({2, 3}, 0)), b = Immediate(engine, Numbers({3, 4}, 1));
  const std::vector<Ints> labels{{0, 700}, {700, 2}};
  EXPECT_EQ(Einsum(labels, {0, 2}, {a, b}).ToTensor()->ToString(), Einsum("ij,jk->ik", {a, b}).ToTensor()->ToString());
  EXPECT_NE(std::string(Einsum(std::vector<Ints>{{0, -1}}, {0}, {a}).status().message())
                .find("einsum: the label -1 is negative"),
            std::string::npos);
  EXPECT_NE(
      std::string(Einsum(std::vector<Ints>{{0, 0}}, {0}, {a}).status().message()).find("label 0 has extents 2 and 3"),
      std::string::npos);
}

TEST(Einsum, SlicesToAMemoryLimit) {
  const CpuEngine engine = CpuEngine::Serial();
  // The result of a step has 36 or 144 elements without slices.
  const char* const subscripts[] = {"ab,bc,cd,da->", "ab,cb,db->acd", "abc,bcd,cde->ae"};
  const std::vector<std::vector<Shape>> shapes = {
      {{6, 6}, {6, 6}, {6, 6}, {6, 6}}, {{6, 4}, {6, 4}, {4, 4}}, {{3, 4, 5}, {4, 5, 6}, {5, 6, 2}}};
  for (size_t i = 0; i < shapes.size(); ++i) {
    std::vector<Var> operands;
    for (size_t k = 0; k < shapes[i].size(); ++k) {
      operands.push_back(Immediate(engine, Numbers(shapes[i][k], static_cast<int>(k))));
    }
    const EinsumOptions options{.memory_limit = 12 * 8};
    const absl::StatusOr<einsum::Plan> plan = PlanEinsum(subscripts[i], shapes[i], options);
    ASSERT_TRUE(plan.ok()) << plan.status();
    EXPECT_GT(plan->slices, 1);
    EXPECT_LE(plan->cost.largest, 12);
    const Var sliced = Einsum(subscripts[i], operands, options);
    ASSERT_TRUE(sliced.ok()) << sliced.status();
    EXPECT_EQ(sliced.ToTensor()->ToString(), Einsum(subscripts[i], operands).ToTensor()->ToString());
  }
  EXPECT_NE(
      std::string(PlanEinsum("ab,bc->ac", {Shape{9000, 2}, Shape{2, 9000}}, {.memory_limit = 8}).status().message())
          .find("the memory limit of 8 bytes needs more than 4096 slices"),
      std::string::npos);
}

TEST(Einsum, RemembersPlans) {
  const std::vector<Shape> shapes{{2, 3}, {3, 4}, {4, 5}};
  ASSERT_TRUE(PlanEinsum("ij,jk,kl->li", shapes).ok());
  const einsum::PlanCacheStatistics before = einsum::CachedPlanStatistics();
  ASSERT_TRUE(PlanEinsum("ij,jk,kl->li", shapes).ok());
  EXPECT_EQ(einsum::CachedPlanStatistics().hits, before.hits + 1);
  ASSERT_TRUE(PlanEinsum("ij,jk,kl->li", shapes, {.method = PathMethod::kGreedy}).ok());
  EXPECT_EQ(einsum::CachedPlanStatistics().misses, before.misses + 1);
}

TEST(Einsum, Mistakes) {
  Graph graph;
  const Var a = graph.Input(DType::kF64, {2, 3}), b = graph.Input(DType::kF64, {4, 5});
  const auto message = [](const char* subscripts, std::vector<Var> operands) {
    return std::string(Einsum(subscripts, operands).status().message());
  };
  EXPECT_NE(message("ij,jk->ik", {a, b}).find("einsum: \"ij,jk->ik\": label j has extents 3 and 4"), std::string::npos);
  EXPECT_NE(message("ij,jk->ik", {a}).find("the subscripts have 2 operands, got 1"), std::string::npos);
  EXPECT_NE(message("ijk->i", {a}).find("operand 0 has 2 axes, its subscripts 3"), std::string::npos);
  EXPECT_NE(message("i->i", {a}).find("operand 0 has 2 axes, its subscripts 1"), std::string::npos);
  EXPECT_NE(message("ij->k", {a}).find("label k of the result is in no operand"), std::string::npos);
  EXPECT_NE(message("(ij,jk->ik", {a, b}).find("a parenthesis is not closed"), std::string::npos);
  EXPECT_NE(message("ij),jk->ik", {a, b}).find("a parenthesis is closed that was not opened"), std::string::npos);
  EXPECT_NE(message("(ij)jk,k->ik", {a, b}).find("a parenthesis does not stand around whole operands"),
            std::string::npos);
  EXPECT_NE(message("i1->i", {a}).find("more than letters and one ellipsis"), std::string::npos);
  EXPECT_NE(message("i...j...->ij", {a}).find("more than letters and one ellipsis"), std::string::npos);
  EXPECT_NE(message("...j->j", {a}).find("the operands have an ellipsis, the result has none"), std::string::npos);
  EXPECT_NE(message("ij->i->j", {a}).find("\"i->j\" has more than letters"), std::string::npos);
  EXPECT_NE(message("ij,->ij", {a}).find("the subscripts have 2 operands, got 1"), std::string::npos);
  EXPECT_NE(message("ij->(ij)", {a}).find("\"(ij)\" has more than letters"), std::string::npos);
  EXPECT_NE(message("", {a}).find("operand 0 has 2 axes, its subscripts 0"), std::string::npos);
  EXPECT_NE(message("ij", {Var()}).find("an operand is an empty Var"), std::string::npos);
  const std::string deep = message((std::string(100000, '(') + "ij" + std::string(100000, ')')).c_str(), {a});
  EXPECT_NE(deep.find("parentheses are nested more than 256 deep"), std::string::npos);
  EXPECT_LT(deep.size(), 400);
  EXPECT_NE(std::string(Einsum(std::vector<Ints>{{INT64_MAX, 0}}, {0}, {a}).status().message())
                .find("the label 9223372036854775807 is greater than"),
            std::string::npos);
  std::vector<Ints> chain;
  std::vector<Var> ones;
  for (int64_t i = 0; i < 300; ++i) {
    chain.push_back({i, i + 1});
    ones.push_back(graph.Input(DType::kF64, {1, 1}));
  }
  EXPECT_NE(std::string(Einsum(chain, {0, 300}, ones).status().message()).find("there are 301 labels, more than 256"),
            std::string::npos);
  EXPECT_NE(message("ij", {}).find("einsum: needs at least one operand"), std::string::npos);
  EXPECT_NE(message("ij->ij", {graph.Input(DType::kBool, {2, 2})}).find("does not take bool"), std::string::npos);
}

}  // namespace
}  // namespace tenferro
