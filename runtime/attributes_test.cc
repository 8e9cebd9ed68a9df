#include "tenferro/runtime/attributes.h"

#include "gtest/gtest.h"

namespace tenferro {
namespace {

struct Example {
  Ints list;
  Shape shape;
  DType dtype = DType::kF64;
  bool flag = false;
  int64_t number = 0;
  double factor = 0;
  void Fields(auto&& field) {
    field("list", list);
    field("shape", shape);
    field("dtype", dtype);
    field("flag", flag);
    field("number", number);
    field("factor", factor);
  }
};

TEST(Attributes, ComeBackFromTheirWords) {
  const Example example{{3, -1}, {2, 0}, DType::kC64, true, -7, 0.25};
  const Words words = Encode(example);
  EXPECT_EQ(words.size(), 3u + 3u + 4u);
  const Example back = Decode<Example>(words);
  EXPECT_EQ(back.list, example.list);
  EXPECT_EQ(back.shape, example.shape);
  EXPECT_EQ(back.dtype, example.dtype);
  EXPECT_EQ(back.flag, example.flag);
  EXPECT_EQ(back.number, example.number);
  EXPECT_EQ(back.factor, example.factor);
}

TEST(Attributes, Print) {
  EXPECT_EQ(PrintAttributes<Example>(Encode(Example{{3, -1}, {2, 0}, DType::kC64, true, -7, 0.25})),
            "list=[3,-1], shape=[2,0], dtype=c64, flag=true, number=-7, factor=0.25");
}

}  // namespace
}  // namespace tenferro
