#include "tenferro/einsum/einsum.h"

#include <map>

#include "gtest/gtest.h"
#include "tenferro/ad/check_grads.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/einsum/path.h"
#include "tenferro/einsum/subscripts.h"

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
                    Case{"AbC,Cb->A", {{2, 3, 4}, {4, 3}}}),
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

TEST(Einsum, GreedyPathContractsAChainFromItsThinEnd) {
  const auto contraction = *einsum::ParseSubscripts("ab,bc,cd->ad", {Shape{100, 100}, Shape{100, 100}, Shape{100, 1}});
  const einsum::Path path = einsum::GreedyPath(contraction);
  EXPECT_EQ(path, (einsum::Path{{1, 2}, {0, 3}}));
}

TEST(Einsum, AlongAPathOfTheUsers) {
  const CpuEngine engine = CpuEngine::Serial();
  const Var a = Immediate(engine, Numbers({2, 3}, 0)), b = Immediate(engine, Numbers({3, 4}, 1)),
            c = Immediate(engine, Numbers({4, 2}, 2));
  const Var first = EinsumAlong({{0, 1}, {2, 3}}, "ij,jk,kl->il", {a, b, c});
  const Var last = EinsumAlong({{1, 2}, {0, 3}}, "ij,jk,kl->il", {a, b, c});
  EXPECT_EQ(first.ToTensor()->ToString(), last.ToTensor()->ToString());
  const auto message = [](const Var& var) { return std::string(var.status().message()); };
  EXPECT_NE(message(EinsumAlong({{0, 1}}, "ij,jk,kl->il", {a, b, c})).find("the path has 1 steps for 3 operands"),
            std::string::npos);
  EXPECT_NE(message(EinsumAlong({{0, 1}, {0, 2}}, "ij,jk,kl->il", {a, b, c})).find("step 1 of the path uses value 0"),
            std::string::npos);
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
  EXPECT_NE(message("ij->ii", {a}).find("label i stands twice in the result"), std::string::npos);
  EXPECT_NE(message("i1->i", {a}).find("more than letters and one ellipsis"), std::string::npos);
  EXPECT_NE(message("i...j...->ij", {a}).find("more than letters and one ellipsis"), std::string::npos);
  EXPECT_NE(message("...j->j", {a}).find("the operands have an ellipsis, the result has none"), std::string::npos);
  EXPECT_NE(message("ij", {}).find("einsum: needs at least one operand"), std::string::npos);
  EXPECT_NE(message("ij->ij", {graph.Input(DType::kBool, {2, 2})}).find("does not take bool"), std::string::npos);
}

}  // namespace
}  // namespace tenferro
