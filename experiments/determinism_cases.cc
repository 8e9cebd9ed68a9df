#include "tenferro/experiments/determinism_cases.h"

#include "absl/strings/str_cat.h"
#include "tenferro/ad/grad.h"
#include "tenferro/experiments/ising/trg.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"

namespace tenferro {
namespace {

using In = absl::Span<const Var>;
using Function = TracedFunction;

// x_i = ((7919 i) mod 1000003)/1000003 − 0.5, shifted by `shift`.
absl::StatusOr<Tensor> Numbers(const Shape& shape, double shift = 0) {
  std::vector<double> data(shape.size());
  for (int64_t i = 0; i < shape.size(); ++i)
    data[i] = static_cast<double>(7919 * i % 1000003) / 1000003.0 - 0.5 + shift;
  return Tensor::FromColMajor<double>(shape, data);
}

Function Unary(Var (*op)(const Arg&)) {
  return [op](In x) -> std::vector<Var> { return {op(x[0])}; };
}

Function Binary(Var (*op)(const Arg&, const Arg&)) {
  return [op](In x) -> std::vector<Var> { return {op(x[0], x[1])}; };
}

struct NamedFunction {
  const char* name;
  Function function;
};

// Every core operation on two tensors of 300·200·20 positive numbers.
std::vector<NamedFunction> CoreOperations() {
  const auto complex = [](In x) { return MakeComplex(x[0], x[1]); };
  const auto bits = [](In x, int i) { return Cast(x[i] * 1000, DType::kI64); };
  std::vector<NamedFunction> all = {
      {"add", Binary(Add)},  {"sub", Binary(Sub)},    {"mul", Binary(Mul)},    {"div", Binary(Div)},
      {"pow", Binary(Pow)},  {"max", Binary(Max)},    {"min", Binary(Min)},    {"make_complex", Binary(MakeComplex)},
      {"eq", Binary(Eq)},    {"ne", Binary(Ne)},      {"lt", Binary(Lt)},      {"le", Binary(Le)},
      {"gt", Binary(Gt)},    {"ge", Binary(Ge)},      {"neg", Unary(Neg)},     {"abs", Unary(Abs)},
      {"sign", Unary(Sign)}, {"sqrt", Unary(Sqrt)},   {"rsqrt", Unary(Rsqrt)}, {"square", Unary(Square)},
      {"exp", Unary(Exp)},   {"expm1", Unary(Expm1)}, {"log", Unary(Log)},     {"log1p", Unary(Log1p)},
      {"sin", Unary(Sin)},   {"cos", Unary(Cos)},     {"tanh", Unary(Tanh)},   {"sinh", Unary(Sinh)},
      {"cosh", Unary(Cosh)}};
  const std::vector<NamedFunction> others = {
      {"conj", [=](In x) -> std::vector<Var> { return {Conj(complex(x))}; }},
      {"real", [=](In x) -> std::vector<Var> { return {Real(complex(x) * complex(x))}; }},
      {"imag", [=](In x) -> std::vector<Var> { return {Imag(complex(x) * complex(x))}; }},
      {"and", [=](In x) -> std::vector<Var> { return {And(bits(x, 0), bits(x, 1))}; }},
      {"or", [=](In x) -> std::vector<Var> { return {Or(bits(x, 0), bits(x, 1))}; }},
      {"not", [=](In x) -> std::vector<Var> { return {Not(bits(x, 0))}; }},
      {"select", [](In x) -> std::vector<Var> { return {Select(Gt(x[0], x[1]), x[0], x[1])}; }},
      {"convert", [](In x) -> std::vector<Var> { return {Convert(x[0], DType::kC128)}; }},
      {"cast", [](In x) -> std::vector<Var> { return {Cast(x[0], DType::kF32)}; }},
      {"full", [](In x) -> std::vector<Var> { return {FullLike(x[0], 3)}; }},
      {"iota", [](In x) -> std::vector<Var> { return {Iota(x[0], DType::kF64, x[0].shape(), 1)}; }},
      {"reduce_sum",
       [](In x) -> std::vector<Var> {
         return {ReduceSum(x[0]), ReduceSum(x[0], {0}), ReduceSum(x[0], {1, 2})};
       }},
      {"reduce_prod",
       [](In x) -> std::vector<Var> {
         return {ReduceProd(x[0], {0}), ReduceProd(x[0], {2})};
       }},
      {"reduce_max",
       [](In x) -> std::vector<Var> {
         return {ReduceMax(x[0]), ReduceMax(x[0], {1})};
       }},
      {"reduce_min",
       [](In x) -> std::vector<Var> {
         return {ReduceMin(x[0]), ReduceMin(x[0], {0, 2})};
       }},
      {"dot_general",
       [](In x) -> std::vector<Var> {
         return {
             DotGeneral(x[0], x[1], {.lhs_contract = {0}, .rhs_contract = {0}, .lhs_batch = {2}, .rhs_batch = {2}})};
       }},
      {"transpose",
       [](In x) -> std::vector<Var> {
         return {Transpose(x[0], {2, 0, 1})};
       }},
      {"reshape", [](In x) -> std::vector<Var> { return {Reshape(Transpose(x[0]), {x[0].shape().size()})}; }},
      {"broadcast_in_dim",
       [](In x) -> std::vector<Var> {
         return {BroadcastInDim(x[0], {2, 300, 200, 20}, {1, 2, 3})};
       }},
      {"slice",
       [](In x) -> std::vector<Var> {
         return {Slice(x[0], {1, 2, 0}, {300, 199, 20}, {2, 1, 3})};
       }},
      {"pad",
       [](In x) -> std::vector<Var> {
         return {Pad(x[0], 0.0, {1, -1, 0}, {2, 0, 1}, {0, 1, 0})};
       }},
      {"concatenate",
       [](In x) -> std::vector<Var> {
         return {Concatenate({x[0], x[1]}, 1)};
       }},
      {"reverse",
       [](In x) -> std::vector<Var> {
         return {Reverse(x[0], {0, 2})};
       }},
      {"extract_diag",
       [](In x) -> std::vector<Var> {
         return {ExtractDiag(Slice(x[0], {0, 0, 0}, {200, 200, 20}))};
       }},
      {"embed_diag", [](In x) -> std::vector<Var> { return {EmbedDiag(x[0], 0, 1)}; }},
  };
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

}  // namespace

absl::StatusOr<DeterminismCase> MakeDeterminismCase(const std::string& name, const std::vector<Tensor>& arguments,
                                                    const TracedFunction& function) {
  Graph graph;
  std::vector<Var> inputs;
  for (const Tensor& argument : arguments) inputs.push_back(graph.Input(argument.dtype(), argument.shape()));
  absl::StatusOr<Program> program = Compile(function(inputs), inputs);
  if (!program.ok()) {
    return absl::Status(program.status().code(), absl::StrCat(name, ": ", program.status().message()));
  }
  return DeterminismCase{name, *std::move(program), arguments};
}

absl::StatusOr<std::vector<DeterminismCase>> DeterminismCases() {
  std::vector<DeterminismCase> cases;
  const auto add = [&](const std::string& name, std::vector<Tensor> arguments,
                       const Function& function) -> absl::Status {
    TENFERRO_ASSIGN_OR_RETURN(DeterminismCase c, MakeDeterminismCase(name, arguments, function));
    cases.push_back(std::move(c));
    return absl::OkStatus();
  };
  TENFERRO_ASSIGN_OR_RETURN(const Tensor million, Numbers({1000000}));
  TENFERRO_RETURN_IF_ERROR(
      add("sum of a million", {million}, [](In x) -> std::vector<Var> { return {ReduceSum(x[0])}; }));
  TENFERRO_ASSIGN_OR_RETURN(const Tensor square, Numbers({256, 256}));
  TENFERRO_RETURN_IF_ERROR(
      add("svdvals 256x256", {square}, [](In x) -> std::vector<Var> { return {linalg::Svd(x[0]).s}; }));
  TENFERRO_ASSIGN_OR_RETURN(const Tensor wide, Numbers({64, 4096}));
  TENFERRO_ASSIGN_OR_RETURN(const Tensor tall, Numbers({4096, 64}));
  TENFERRO_RETURN_IF_ERROR(
      add("matmul 64x4096 4096x64", {wide, tall}, [](In x) -> std::vector<Var> { return {Matmul(x[0], x[1])}; }));
  TENFERRO_RETURN_IF_ERROR(add("TRG value and gradient", {Tensor::Scalar(0.44)}, [](In x) -> std::vector<Var> {
    const Var lnz = LogPartitionPerSite(x[0], RankSchedule(16, 20), BondSplit::kSplit);
    return {lnz, ad::Grad(lnz, x[0])};
  }));
  TENFERRO_ASSIGN_OR_RETURN(const Tensor first, Numbers({300, 200, 20}, 1));
  TENFERRO_ASSIGN_OR_RETURN(const Tensor second, Numbers({300, 200, 20}, 1.25));
  for (const NamedFunction& c : CoreOperations()) TENFERRO_RETURN_IF_ERROR(add(c.name, {first, second}, c.function));
  TENFERRO_RETURN_IF_ERROR(AddFamilyCases(cases));
  return cases;
}

}  // namespace tenferro
