// Random programs of all operations on dense and strided numbers: one operation at a time, on views and on copies, the
// fused program, and any number of threads must agree in every bit.

#include "tenferro/cpu/random_program.h"

#include <cstring>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/runtime/engine.h"
#include "tenferro/runtime/ops/source.h"

namespace tenferro {
namespace {

// What differs, but that any NaN equals any other; "" if nothing does.
std::string Difference(const Tensor& got, const Tensor& want) {
  if (got.dtype() != want.dtype() || got.shape() != want.shape()) {
    return absl::StrCat(Describe(got.dtype(), got.shape()), " is not ", Describe(want.dtype(), want.shape()));
  }
  const absl::StatusOr<Tensor> a = got.Dense(), b = want.Dense();
  if (!a.ok() || !b.ok()) return absl::StrCat(a.status().ToString(), b.status().ToString());
  if (std::memcmp(*a->HostData(), *b->HostData(), a->size() * SizeOf(a->dtype())) == 0) return "";
  return Dispatch(got.dtype(), [&]<class T>() -> std::string {
    const absl::Span<const T> x = *a->Data<T>(), y = *b->Data<T>();
    const auto same = [](auto p, auto q) { return std::memcmp(&p, &q, sizeof p) == 0 || (p != p && q != q); };
    for (size_t i = 0; i < x.size(); ++i) {
      if constexpr (std::is_same_v<T, std::complex<float>> || std::is_same_v<T, std::complex<double>>) {
        if (same(x[i].real(), y[i].real()) && same(x[i].imag(), y[i].imag())) continue;
      } else {
        if (same(x[i], y[i])) continue;
      }
      return absl::StrCat("element ", i, " of ", x.size(), ": ", testing::PrintToString(x[i]), " and ",
                          testing::PrintToString(y[i]));
    }
    return "";
  });
}

void ExpectSame(absl::Span<const Tensor> got, absl::Span<const Tensor> want, absl::string_view what) {
  ASSERT_EQ(got.size(), want.size());
  for (size_t i = 0; i < want.size(); ++i) EXPECT_EQ(Difference(got[i], want[i]), "") << what << ", output " << i;
}

// The same view of bytes of its own.
Tensor Copy(const Tensor& tensor) {
  const Storage& storage = *tensor.storage();
  Tensor bytes = *Tensor::Zeros(DType::kU8, {storage.bytes()});
  std::memcpy(bytes.storage()->data(), storage.data(), storage.bytes());
  return *Tensor::FromStorage(bytes.storage(), tensor.dtype(), tensor.shape(), tensor.strides(), tensor.offset());
}

// Every node by itself, on its operands as they come or on copies of them.
absl::StatusOr<std::vector<Tensor>> Interpret(const Engine& engine, const Program& program,
                                              absl::Span<const Tensor> arguments, bool on_copies) {
  const NodeTable& nodes = program.nodes();
  std::vector<Tensor> values(nodes.num_values());
  for (size_t i = 0; i < arguments.size(); ++i) values[program.inputs()[i]] = arguments[i];
  for (const Node& node : nodes.nodes()) {
    if (node.op == &kInput) continue;
    if (node.op == &kConstant) {
      values[node.first_output] = program.constant(nodes.attributes(node)[0]);
      continue;
    }
    std::vector<Tensor> operands;
    for (ValueId input : nodes.inputs(node)) operands.push_back(on_copies ? *values[input].Dense() : values[input]);
    absl::StatusOr<std::vector<Tensor>> results = engine.backend().RunOp(*node.op, nodes.attributes(node), operands);
    if (!results.ok()) return results.status();
    for (size_t i = 0; i < results->size(); ++i) values[node.first_output + i] = (*results)[i];
  }
  std::vector<Tensor> outputs;
  for (ValueId output : program.outputs()) outputs.push_back(values[output]);
  return outputs;
}

void Check(uint32_t seed, int64_t largest, int steps, const std::vector<CpuEngine>& engines) {
  SCOPED_TRACE(absl::StrCat("seed ", seed, " largest ", largest));
  RandomProgram random(seed, largest);
  for (int i = 0; i < steps; ++i) random.Step();
  const absl::StatusOr<Program> program = random.Finish();
  ASSERT_TRUE(program.ok()) << program.status();
  const std::vector<Tensor>& arguments = random.arguments();
  const absl::StatusOr<std::vector<Tensor>> want = Interpret(engines[0], *program, arguments, true);
  ASSERT_TRUE(want.ok()) << want.status() << "\n" << program->ToString();
  for (const CpuEngine& engine : engines) {
    absl::StatusOr<std::vector<Tensor>> got = Interpret(engine, *program, arguments, false);
    ASSERT_TRUE(got.ok()) << got.status();
    ExpectSame(*got, *want, "at once");
    absl::StatusOr<Prepared> prepared = engine.Prepare(*program);
    ASSERT_TRUE(prepared.ok()) << prepared.status();
    got = prepared->Run(arguments);
    ASSERT_TRUE(got.ok()) << got.status();
    ExpectSame(*got, *want, "compiled");
    // Once more, over the results of the first run.
    const absl::Status again = prepared->RunInto(arguments, absl::MakeSpan(*got));
    ASSERT_TRUE(again.ok()) << again;
    ExpectSame(*got, *want, "again");
    // And with arguments that may be overwritten.
    Arguments donated;
    for (const Tensor& argument : arguments) donated.Add(Copy(argument));
    got = prepared->Run(donated);
    ASSERT_TRUE(got.ok()) << got.status();
    ExpectSame(*got, *want, "donated");
    if (testing::Test::HasFailure()) {
      FAIL() << engine.width() << " threads\n" << program->ToString() << prepared->Explain();
    }
  }
}

std::vector<CpuEngine> EnginesOf(std::initializer_list<int> widths) {
  std::vector<CpuEngine> engines;
  for (int width : widths) engines.push_back(CpuEngine::WithThreads(width));
  return engines;
}

TEST(RandomProgramTest, SmallTensors) {
  const std::vector<CpuEngine> engines = EnginesOf({1, 2});
  for (uint32_t seed = 0; seed < 2500 && !HasFailure(); ++seed) Check(seed, 200, 25, engines);
}

TEST(RandomProgramTest, TensorsOfManyTiles) {
  const std::vector<CpuEngine> engines = EnginesOf({1, 2, 3});
  for (uint32_t seed = 10000; seed < 10150 && !HasFailure(); ++seed) Check(seed, 20000, 20, engines);
}

TEST(RandomProgramTest, TensorsWorthThreads) {
  const std::vector<CpuEngine> engines = EnginesOf({1, 2, 3, 8});
  for (uint32_t seed = 20000; seed < 20020 && !HasFailure(); ++seed) Check(seed, 600000, 12, engines);
}

// What the seeds above try: every operation of the core families.
TEST(RandomProgramTest, HasEveryOperation) {
  std::set<const OpDef*> found;
  for (uint32_t seed = 0; seed < 600; ++seed) {
    RandomProgram random(seed, 200);
    for (int i = 0; i < 25; ++i) random.Step();
    const absl::StatusOr<Program> program = random.Finish();
    ASSERT_TRUE(program.ok()) << program.status();
    for (const Node& node : program->nodes().nodes()) found.insert(node.op);
  }
  EXPECT_EQ(found.size(), 118);
}

}  // namespace
}  // namespace tenferro
