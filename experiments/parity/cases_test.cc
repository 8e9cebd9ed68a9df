#include "tenferro/experiments/parity/cases.h"

#include <cmath>
#include <complex>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "tenferro/experiments/file.h"

namespace tenferro::parity {
namespace {

const std::vector<Case>& Cases() {
  static const std::vector<Case>& cases = *new std::vector<Case>(*LoadCases("experiments/parity/data"));
  return cases;
}

const Case& Named(const std::string& name) {
  for (const Case& c : Cases()) {
    if (c.name == name) return c;
  }
  ADD_FAILURE() << "no case " << name;
  return Cases()[0];
}

TEST(Cases, AllAreThereUnderDifferentNames) {
  EXPECT_EQ(Cases().size(), 1069);
  std::set<std::string> names;
  for (const Case& c : Cases()) names.insert(c.name);
  EXPECT_EQ(names.size(), Cases().size());
}

TEST(Cases, HoldsWhatTheIndexSays) {
  const Case& c = Named("dot_general/batch2/c128/vjp");
  EXPECT_EQ(c.group, "dot_general");
  EXPECT_EQ(c.op, "dot_general");
  EXPECT_EQ(c.kind, "vjp");
  EXPECT_EQ(c.attributes["batch"][1][0], 2);
  ASSERT_EQ(c.inputs.size(), 2);
  EXPECT_EQ(c.inputs[1].name, "b");
  EXPECT_EQ(c.inputs[1].value.dtype(), DType::kC128);
  EXPECT_EQ(c.inputs[1].value.shape(), Shape({5, 3, 2, 6}));
  ASSERT_EQ(c.outputs.size(), 2);
  EXPECT_EQ(c.outputs[0].name, "out_d_a");
  EXPECT_EQ(c.outputs[0].rule, Rule::kScale);
  EXPECT_EQ(c.outputs[0].rtol, 1e-13);
  EXPECT_EQ(FunctionName(c), "dot_general/batch2/c128");
  EXPECT_EQ(FunctionName(Named("jac/jacobian")), "jac/jacobian");
}

TEST(Cases, KeepLogicalIndices) {
  // A transpose: only the right elements at the right indices make both arrays agree.
  const Case& c = Named("shape/transpose");
  const Tensor &x = c.inputs[0].value, &y = c.outputs[0].value;
  ASSERT_EQ(y.shape(), Shape({6, 4, 5}));
  for (int64_t i = 0; i < 4; ++i) {
    for (int64_t j = 0; j < 5; ++j) {
      for (int64_t k = 0; k < 6; ++k) EXPECT_EQ(*x.At<double>({i, j, k}), *y.At<double>({k, i, j}));
    }
  }
  EXPECT_EQ(*Named("index/iota").outputs[0].value.At<int32_t>({1, 3}), 3);
}

TEST(Cases, EveryDTypeIsRead) {
  std::set<DType> dtypes;
  for (const Case& c : Cases()) {
    for (const Expected& output : c.outputs) dtypes.insert(output.value.dtype());
  }
  EXPECT_EQ(dtypes.size(), kNumDTypes);
  EXPECT_TRUE(*Named("special/isnan").outputs[0].value.At<bool>({6}));
  EXPECT_FALSE(*Named("special/isnan").outputs[0].value.At<bool>({5}));
}

TEST(Cases, ComplexGradientsFollowThisProject) {
  // d(x y)/dx transposed under <a, b> = Re sum conj(a) b: conj(y) times the cotangent.
  const Case& c = Named("binary/mul/c128/0/vjp");
  for (int64_t i : {0, 4}) {
    const auto y = *c.inputs[1].value.At<std::complex<double>>({i, 2});
    const auto cotangent = *c.cotangents[0].value.At<std::complex<double>>({i, 2});
    const auto gradient = *c.outputs[0].value.At<std::complex<double>>({i, 2});
    EXPECT_LT(std::abs(gradient - std::conj(y) * cotangent), 1e-15);
  }
}

TEST(Cases, QuotientsByBroadcastDivisorsMayBeOneUnitOff) {
  EXPECT_EQ(Named("binary/div/f64/0").outputs[0].rule, Rule::kExact);
  const Case& c = Named("binary/div/f64/2");
  EXPECT_EQ(c.outputs[0].rule, Rule::kElementwise);
  const double divisor = *c.inputs[1].value.Item<double>();
  for (int64_t i = 0; i < 6; ++i) {
    const double quotient = *c.inputs[0].value.At<double>({i}) / divisor;
    EXPECT_NEAR(*c.outputs[0].value.At<double>({i}), quotient, c.outputs[0].rtol * std::abs(quotient));
  }
}

TEST(Cases, SubnormalNumbersAreNotZero) {
  EXPECT_EQ(*Named("special/sign").outputs[0].value.At<double>({13}), 1);
  EXPECT_EQ(*Named("special/ceil").outputs[0].value.At<double>({13}), 1);
  EXPECT_EQ(*Named("special/log_nonfinite").outputs[0].value.At<double>({13}), std::log(5e-324));
  EXPECT_EQ(*Named("special/sqrt_nonfinite").outputs[0].value.At<double>({13}), std::sqrt(5e-324));
  EXPECT_EQ(*Named("special/floor").outputs[0].value.At<double>({13}), 0);
}

std::string Load(const std::string& index, const std::string& data) {
  const std::string folder = testing::TempDir();
  EXPECT_TRUE(WriteFile(folder + "/index.json", index).ok());
  EXPECT_TRUE(WriteFile(folder + "/ref.bin", data).ok());
  return std::string(LoadCases(folder).status().message());
}

std::string IndexOf(const std::string& output) {
  return R"({"cases": [{"name": "a", "group": "g", "op": "o", "kind": "value", "expr": "e", "inputs": [], "outputs": [)" +
         output + "]}]}";
}

TEST(Cases, SaysWhatIsMalformed) {
  EXPECT_EQ(LoadCases("nonexistent").status().message(), "cannot read nonexistent/index.json");
  EXPECT_EQ(Load("{", ""), "index.json: no list of cases");
  EXPECT_EQ(Load(R"({"cases": [{"group": "g"}]})", ""), "case 0 of index.json: no text 'name'");
  const std::string array =
      R"({"name": "y", "dtype": "f64", "shape": [2], "compare": "elem", "rtol": 0, "atol": 0, "offset": )";
  EXPECT_EQ(Load(IndexOf(array + "0}"), std::string(16, '\0')), "");
  EXPECT_EQ(Load(IndexOf(array + "1}"), std::string(16, '\0')), "case 0 of index.json: an array beyond ref.bin");
  EXPECT_EQ(Load(IndexOf(R"({"name": "y", "dtype": "f16", "shape": [], "offset": 0})"), ""),
            "case 0 of index.json: unknown dtype f16");
  EXPECT_EQ(Load(IndexOf(""), ""), "case 0 of index.json: a case without outputs");
}

}  // namespace
}  // namespace tenferro::parity
