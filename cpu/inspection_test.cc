// What Explain counts, and what traces of runs hold.
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/structural.h"

namespace tenferro {
namespace {

// As much of JSON as a trace has: objects, lists, strings, numbers. Values inside are reached by name or position.
struct Json {
  enum class Kind { kObject, kList, kString, kNumber } kind;
  std::map<std::string, Json> members;
  std::vector<Json> elements;
  std::string text;
  double number = 0;

  const Json& operator[](const std::string& name) const {
    static const Json& none = *new Json{Kind::kString, {}, {}, "", 0};
    const auto found = members.find(name);
    if (found == members.end()) ADD_FAILURE() << "no member " << name;
    return found == members.end() ? none : found->second;
  }
};

class Parser {
 public:
  explicit Parser(const std::string& text) : at_(text.c_str()) {}
  Json Whole() {
    const Json value = Value();
    Skip();
    EXPECT_EQ(*at_, 0) << at_;
    return value;
  }

 private:
  void Skip() {
    while (*at_ == ' ' || *at_ == '\n') ++at_;
  }
  bool Take(char c) {
    Skip();
    if (*at_ != c) return false;
    ++at_;
    return true;
  }
  void Expect(char c) {
    if (Take(c)) return;
    ADD_FAILURE() << "expected " << c << " before " << std::string(at_).substr(0, 40);
    at_ += std::strlen(at_);
  }
  std::string String() {
    std::string text;
    Expect('"');
    for (; *at_ != 0 && *at_ != '"'; ++at_) {
      if (*at_ == '\\') ++at_;
      text += *at_;
    }
    Expect('"');
    return text;
  }
  Json Value() {
    Skip();
    if (Take('{')) {
      Json object{Json::Kind::kObject, {}, {}, "", 0};
      do {
        const std::string name = String();
        Expect(':');
        EXPECT_TRUE(object.members.emplace(name, Value()).second) << name;
      } while (Take(','));
      Expect('}');
      return object;
    }
    if (Take('[')) {
      Json list{Json::Kind::kList, {}, {}, "", 0};
      do {
        list.elements.push_back(Value());
      } while (Take(','));
      Expect(']');
      return list;
    }
    if (*at_ == '"') return {Json::Kind::kString, {}, {}, String(), 0};
    char* end;
    const double number = std::strtod(at_, &end);
    if (end == at_) Expect('0');
    at_ = *at_ == 0 ? at_ : end;
    return {Json::Kind::kNumber, {}, {}, "", number};
  }

  const char* at_;
};

std::string Contents(const std::string& path) {
  std::string text;
  std::FILE* const file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return text;
  for (int c; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

std::string PathFor(const char* name) { return absl::StrCat(testing::TempDir(), "/", name, ".json"); }

// Slices by row, and the rows' names.
struct Trace {
  std::map<int, std::vector<Json>> slices;
  std::map<int, std::string> threads;
};

Trace ReadTrace(const std::string& path) {
  const Json whole = Parser(Contents(path)).Whole();
  Trace trace;
  for (const Json& event : whole["traceEvents"].elements) {
    if (event["ph"].text == "M") {
      if (event["name"].text == "thread_name") {
        trace.threads[static_cast<int>(event["tid"].number)] = event["args"]["name"].text;
      }
      continue;
    }
    EXPECT_EQ(event["ph"].text, "X");
    EXPECT_GE(event["ts"].number, 0);
    EXPECT_GE(event["dur"].number, 0);
    trace.slices[static_cast<int>(event["tid"].number)].push_back(event);
  }
  return trace;
}

// sum((x·y) + sin x): a product and a loop, or a loop that makes the product.
struct Example {
  Graph graph;
  Var x, y, result;
  int product_line, sine_line;
  Example(int64_t n, bool apart) {
    x = graph.Input(DType::kF64, {n, n});
    y = graph.Input(DType::kF64, {n, n});
    product_line = __LINE__ + 1;
    const Var product = Matmul(x, y);
    sine_line = __LINE__ + 1;
    const Var sine = Sin(x);
    const Var sum = product + sine;
    result = ReduceSum(apart ? sum * Transpose(product) : sum);
  }
  Prepared Prepare(int width) const {
    const absl::StatusOr<Program> program = Compile({result}, {x, y});
    EXPECT_TRUE(program.ok()) << program.status();
    return *CpuEngine::WithThreads(width).Prepare(*program);
  }
  std::vector<Tensor> Values() const {
    std::vector<double> numbers(x.shape().size());
    for (size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i % 17) / 17;
    const Tensor tensor = *Tensor::FromColMajor<double>(x.shape(), numbers);
    return {tensor, tensor};
  }
};

std::string FirstLine(const Prepared& prepared) {
  const std::string text = prepared.Explain();
  return text.substr(0, text.find('\n'));
}

TEST(ExplainTest, CountsInstructionsFlopsAndBytes) {
  // 2·10³ flops of the product; sine, sum of two, product of two and reduction: 4·100. The product reads 200 numbers
  // and writes 100, the loop reads 200 and writes one.
  const std::string first = FirstLine(Example(10, true).Prepare(1));
  EXPECT_TRUE(absl::EndsWith(first,
                             "; 2 instructions, 1 fused loops of 4 operations, about 2.4e+03 flops, 4.01e+03 bytes "
                             "read and written"))
      << first;
  EXPECT_TRUE(absl::StartsWith(first, "arena 832 bytes, workspace ")) << first;
}

TEST(ExplainTest, CountsAProductInALoop) {
  // Without the product's result, which stays in a worker's memory.
  const std::string first = FirstLine(Example(10, false).Prepare(1));
  EXPECT_TRUE(absl::EndsWith(first,
                             "; 1 instructions, 1 fused loops of 4 operations, about 2.3e+03 flops, 1.61e+03 bytes "
                             "read and written"))
      << first;
  EXPECT_TRUE(absl::StartsWith(first, "arena 0 bytes, workspace ")) << first;
}

TEST(ExplainTest, ComplexOperationsCountMore) {
  Graph graph;
  const Var z = graph.Input(DType::kC128, {100});
  const Prepared prepared = *CpuEngine::Serial().Prepare(*Compile({z * z + z}, {z}));
  EXPECT_TRUE(absl::StrContains(prepared.Explain(), "about 800 flops, 3.2e+03 bytes")) << prepared.Explain();
}

TEST(TraceTest, HasASliceForEachInstructionWithOperationsAndPlaces) {
  const Example example(10, true);
  const std::string path = PathFor("instructions");
  const Prepared prepared = example.Prepare(1);
  const auto traced = prepared.Run(example.Values(), {.trace = path});
  ASSERT_TRUE(traced.ok()) << traced.status();
  EXPECT_EQ(*(*traced)[0].Item<double>(), *(*prepared.Run(example.Values()))[0].Item<double>());

  const Trace trace = ReadTrace(path);
  EXPECT_EQ(trace.threads, (std::map<int, std::string>{{0, "caller"}}));
  ASSERT_EQ(trace.slices.size(), 1u);
  const std::vector<Json>& slices = trace.slices.at(0);
  ASSERT_EQ(slices.size(), 2u);
  EXPECT_EQ(slices[0]["name"].text, "dot_general");
  EXPECT_EQ(slices[0]["args"]["instruction"].number, 0);
  EXPECT_EQ(slices[0]["args"]["flops"].number, 2000);
  EXPECT_EQ(slices[0]["args"]["bytes"].number, 2400);
  EXPECT_EQ(slices[0]["args"]["place"].text, absl::StrCat("inspection_test.cc:", example.product_line));
  EXPECT_EQ(slices[1]["name"].text, "sin, add, mul, reduce_sum");
  EXPECT_EQ(slices[1]["args"]["instruction"].number, 1);
  EXPECT_EQ(slices[1]["args"]["place"].text,
            absl::StrCat("inspection_test.cc:", example.sine_line, ", inspection_test.cc:", example.sine_line + 1,
                         ", inspection_test.cc:", example.sine_line + 2));
  EXPECT_GE(slices[1]["ts"].number, slices[0]["ts"].number + slices[0]["dur"].number - 1e-2);
}

TEST(TraceTest, AProductInALoopIsPartOfItsSlice) {
  const Example example(10, false);
  const std::string path = PathFor("product");
  ASSERT_TRUE(example.Prepare(1).Run(example.Values(), {.trace = path}).ok());
  const Trace trace = ReadTrace(path);
  ASSERT_EQ(trace.slices.at(0).size(), 1u);
  const Json& slice = trace.slices.at(0)[0];
  EXPECT_EQ(slice["name"].text, "dot_general, sin, add, reduce_sum");
  EXPECT_EQ(slice["args"]["flops"].number, 2300);
  EXPECT_EQ(slice["args"]["bytes"].number, 1608);
}

TEST(TraceTest, HasARowForEachThread) {
  // Which thread takes a task is not fixed: a second one has taken some in one of many runs.
  const Example example(600, false);
  const Prepared prepared = example.Prepare(2);
  const std::vector<Tensor> values = example.Values();
  const std::string path = PathFor("threads");
  std::vector<Tensor> outputs(1);
  for (int run = 0; run < 1000; ++run) {
    ASSERT_TRUE(prepared.RunInto(values, absl::MakeSpan(outputs), {.trace = path}).ok());
    const Trace trace = ReadTrace(path);
    ASSERT_EQ(trace.threads, (std::map<int, std::string>{{0, "caller"}, {1, "worker 1"}}));
    ASSERT_EQ(trace.slices.at(0).size(), 2u);
    if (trace.slices.count(1) == 0) continue;
    for (const Json& slice : trace.slices.at(1)) {
      EXPECT_GT(slice["args"]["tasks"].number, 0);
      const Json& whole = trace.slices.at(0)[static_cast<size_t>(slice["args"]["instruction"].number)];
      EXPECT_EQ(slice["name"].text, whole["name"].text);
      EXPECT_GE(slice["ts"].number, whole["ts"].number - 1e-2);
      EXPECT_LE(slice["ts"].number + slice["dur"].number, whole["ts"].number + whole["dur"].number + 1e-2);
    }
    return;
  }
  ADD_FAILURE() << "no second thread ever worked";
}

TEST(TraceTest, AnUnwritableFileIsAnErrorBeforeTheRun) {
  const Example example(3, true);
  const Prepared prepared = example.Prepare(1);
  const absl::Status status = prepared.Run(example.Values(), {.trace = "/no/such/folder/trace.json"}).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(status.message(), "run: cannot write the trace /no/such/folder/trace.json: No such file or directory");
  std::vector<Tensor> outputs(1, Tensor::Scalar(7.0));
  EXPECT_FALSE(prepared.RunInto(example.Values(), absl::MakeSpan(outputs), {.trace = "/no/such/folder/t"}).ok());
  EXPECT_EQ(*outputs[0].Item<double>(), 7.0);
}

TEST(TraceTest, AFullDiskIsAnError) {
  const Example example(3, true);
  EXPECT_EQ(example.Prepare(1).Run(example.Values(), {.trace = "/dev/full"}).status().message(),
            "run: cannot write all of the trace /dev/full");
}

TEST(TraceTest, ARunThatRefusesItsArgumentsSaysSo) {
  const Example example(3, true);
  EXPECT_EQ(example.Prepare(1).Run({}, {.trace = PathFor("refused")}).status().message(),
            "run: the program has 2 inputs, got 0 arguments");
}

TEST(TraceTest, AnEngineWithoutTracesSaysSo) {
  class Elsewhere final : public PreparedProgram {
   public:
    absl::Status Run(const Arguments&, absl::Span<Tensor>, bool) const override { return absl::OkStatus(); }
    std::string Explain() const override { return ""; }
    int64_t arena_bytes() const override { return 0; }
    size_t num_outputs() const override { return 0; }
  };
  const Prepared prepared(std::make_shared<Elsewhere>());
  EXPECT_TRUE(prepared.Run({}, RunOptions{}).ok());
  EXPECT_EQ(prepared.Run({}, {.trace = PathFor("elsewhere")}).status().message(), "run: this engine writes no traces");
}

}  // namespace
}  // namespace tenferro
