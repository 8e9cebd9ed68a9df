// The contractions of NumPy's and opt_einsum's public tests against NumPy's results; tools/einsum_values.py makes them.
#include <fstream>
#include <nlohmann/json.hpp>

#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/einsum/einsum.h"

namespace tenferro {
namespace {

Shape ShapeOf(const nlohmann::json& list) { return Shape(Ints(list.begin(), list.end())); }

TEST(Einsum, IsNumPys) {
  std::ifstream file("einsum/data/values.json");
  const nlohmann::json cases = nlohmann::json::parse(file, nullptr, false);
  ASSERT_TRUE(cases.is_array());
  EXPECT_EQ(cases.size(), 127u);
  const CpuEngine engine = CpuEngine::Serial();
  for (const nlohmann::json& c : cases) {
    const std::string subscripts = c["subscripts"];
    std::vector<Var> operands;
    for (const nlohmann::json& extents : c["shapes"]) {
      const Shape shape = ShapeOf(extents);
      std::vector<double> data;
      for (int64_t i = 0; i < shape.size(); ++i) {
        data.push_back(static_cast<double>((5 * i + 11 * static_cast<int64_t>(operands.size())) % 13 - 6));
      }
      operands.push_back(Immediate(engine, *Tensor::FromRowMajor<double>(shape, data)));
    }
    for (PathMethod method : {PathMethod::kAuto, PathMethod::kGreedy, PathMethod::kAnneal}) {
      const Var result = Einsum(subscripts, operands, {.method = method, .moves = 200});
      ASSERT_TRUE(result.ok()) << subscripts << ": " << result.status();
      ASSERT_EQ(result.shape(), ShapeOf(c["shape"])) << subscripts;
      const Tensor tensor = *result.ToTensor();
      double sum = 0, weighted = 0;
      // In row-major order.
      Ints index(tensor.rank(), 0);
      for (int64_t i = 0; i < tensor.size(); ++i) {
        const double value = *tensor.At<double>(index);
        sum += value;
        weighted += value * static_cast<double>((7 * i + 3) % 11);
        for (int axis = tensor.rank() - 1; axis >= 0 && ++index[axis] == tensor.dim(axis); --axis) index[axis] = 0;
      }
      EXPECT_EQ(sum, c["sum"].get<double>()) << subscripts;
      EXPECT_EQ(weighted, c["weighted"].get<double>()) << subscripts;
    }
  }
}

}  // namespace
}  // namespace tenferro
