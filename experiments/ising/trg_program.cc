#include "tenferro/experiments/ising/trg_program.h"

#include <algorithm>
#include <limits>
#include <optional>

#include "tenferro/ad/grad.h"
#include "tenferro/ad/vjp.h"
#include "tenferro/experiments/timing.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/tensor/status.h"

namespace tenferro {
namespace {

constexpr double kMilliseconds = 1e3;

absl::StatusOr<Prepared> Make(const Engine& engine, absl::Span<const Var> outputs, absl::Span<const Var> inputs,
                              TrgPreparation& preparation, std::optional<Program>* compiled = nullptr) {
  absl::StatusOr<Program> program = absl::UnknownError("");
  preparation.compile_ms += kMilliseconds * TimeOnce([&] { program = Compile(outputs, inputs); });
  TENFERRO_RETURN_IF_ERROR(program.status());
  if (compiled != nullptr) compiled->emplace(*program);
  absl::StatusOr<Prepared> prepared = absl::UnknownError("");
  preparation.prepare_ms += kMilliseconds * TimeOnce([&] { prepared = engine.Prepare(*program); });
  ++preparation.programs;
  return prepared;
}

Shape SiteShape(int64_t d) { return {d, d, d, d}; }

}  // namespace

absl::StatusOr<std::unique_ptr<WholeTrg>> WholeTrg::Make(const Engine& engine, std::vector<int64_t> ranks,
                                                         BondSplit split) {
  TrgPreparation times;
  Graph graph;
  const Var beta = graph.Input(DType::kF64, {});
  Var lnz, gradient;
  times.trace_ms = kMilliseconds * TimeOnce([&] { lnz = LogPartitionPerSite(beta, ranks, split); });
  times.derivative_ms = kMilliseconds * TimeOnce([&] { gradient = ad::Grad(lnz, beta); });
  std::optional<Program> program;
  TENFERRO_ASSIGN_OR_RETURN(Prepared value_and_grad, tenferro::Make(engine, {lnz, gradient}, {beta}, times, &program));
  TrgPreparation value_times;
  TENFERRO_ASSIGN_OR_RETURN(Prepared value, tenferro::Make(engine, {lnz}, {beta}, value_times));
  ++times.programs;
  std::unique_ptr<WholeTrg> whole(new WholeTrg(*std::move(program), std::move(value), std::move(value_and_grad)));
  whole->preparation_ = times;
  return whole;
}

absl::StatusOr<double> WholeTrg::Value(double beta) const {
  TENFERRO_ASSIGN_OR_RETURN(const std::vector<Tensor> outputs, value_.Run({Tensor::Scalar(beta)}));
  return outputs[0].Item<double>();
}

absl::StatusOr<TrgProgram::ValueAndGradient> WholeTrg::ValueAndGrad(double beta) const {
  TENFERRO_ASSIGN_OR_RETURN(const std::vector<Tensor> outputs, value_and_grad_.Run({Tensor::Scalar(beta)}));
  TENFERRO_ASSIGN_OR_RETURN(const double lnz, outputs[0].Item<double>());
  TENFERRO_ASSIGN_OR_RETURN(const double dlnz, outputs[1].Item<double>());
  return ValueAndGradient{lnz, dlnz};
}

absl::Status WholeTrg::Trace(double beta, const std::string& path) const {
  return value_and_grad_.Run({Tensor::Scalar(beta)}, {.trace = path}).status();
}

absl::Status StagedTrg::Trace(double, const std::string&) const {
  return absl::UnimplementedError("the staged form runs many programs: trace trg_whole");
}

absl::StatusOr<std::unique_ptr<StagedTrg>> StagedTrg::Make(const Engine& engine, std::vector<int64_t> ranks,
                                                           BondSplit split) {
  std::unique_ptr<StagedTrg> staged(new StagedTrg());
  TrgPreparation& times = staged->preparation_;
  int64_t d = 2;
  for (int64_t k : ranks) {
    const auto same = [&](const Stage& stage) { return stage.d == d && stage.k == k; };
    const auto known = std::find_if(staged->stages_.begin(), staged->stages_.end(), same);
    staged->stage_of_.push_back(known - staged->stages_.begin());
    if (known == staged->stages_.end()) {
      Graph graph;
      const Var tensor = graph.Input(DType::kF64, SiteShape(d));
      const Var cotangent = graph.Input(DType::kF64, SiteShape(k));
      const Var weight = graph.Input(DType::kF64, {});
      TrgStep step;
      Var back;
      times.trace_ms += kMilliseconds * TimeOnce([&] { step = Renormalize(tensor, k, split); });
      times.derivative_ms += kMilliseconds * TimeOnce([&] {
                               back = ad::Vjp({step.next, step.log_norm}, {tensor}, {cotangent, weight})[0];
                             });
      TENFERRO_ASSIGN_OR_RETURN(Prepared forward, tenferro::Make(engine, {step.next, step.log_norm}, {tensor}, times));
      TENFERRO_ASSIGN_OR_RETURN(Prepared reverse, tenferro::Make(engine, {back}, {tensor, cotangent, weight}, times));
      staged->stages_.push_back({d, k, std::move(forward), std::move(reverse)});
    }
    d = k;
  }

  Graph graph;
  const Var beta = graph.Input(DType::kF64, {});
  const Var first_cotangent = graph.Input(DType::kF64, SiteShape(2));
  const Var last = graph.Input(DType::kF64, SiteShape(d));
  const Var weight = graph.Input(DType::kF64, {});
  const Var first = IsingTensor(beta);
  const Var trace = LogTrace(last);
  const Var to_beta = ad::Vjp({first}, {beta}, {first_cotangent})[0];
  const Var to_last = ad::Vjp({trace}, {last}, {weight})[0];
  const std::vector<std::pair<Var, std::vector<Var>>> ends = {
      {first, {beta}}, {to_beta, {beta, first_cotangent}}, {trace, {last}}, {to_last, {last, weight}}};
  for (const auto& [output, inputs] : ends) {
    TENFERRO_ASSIGN_OR_RETURN(Prepared end, tenferro::Make(engine, {output}, inputs, times));
    staged->ends_.push_back(std::move(end));
  }
  return staged;
}

absl::StatusOr<double> StagedTrg::Forward(double beta, std::vector<Tensor>* tensors) const {
  TENFERRO_ASSIGN_OR_RETURN(std::vector<Tensor> outputs, ends_[0].Run({Tensor::Scalar(beta)}));
  double sum = 0, weight = 1;
  for (size_t stage : stage_of_) {
    const Tensor tensor = outputs[0];
    if (tensors != nullptr) tensors->push_back(tensor);
    TENFERRO_ASSIGN_OR_RETURN(outputs, stages_[stage].forward.Run({tensor}));
    TENFERRO_ASSIGN_OR_RETURN(const double log_norm, outputs[1].Item<double>());
    sum += log_norm * weight;
    weight /= 2;
  }
  if (tensors != nullptr) tensors->push_back(outputs[0]);
  TENFERRO_ASSIGN_OR_RETURN(const std::vector<Tensor> trace, ends_[2].Run({outputs[0]}));
  TENFERRO_ASSIGN_OR_RETURN(const double log_trace, trace[0].Item<double>());
  return sum + log_trace * weight;
}

absl::StatusOr<double> StagedTrg::Value(double beta) const { return Forward(beta, nullptr); }

absl::StatusOr<TrgProgram::ValueAndGradient> StagedTrg::ValueAndGrad(double beta) const {
  std::vector<Tensor> tensors;
  TENFERRO_ASSIGN_OR_RETURN(const double lnz, Forward(beta, &tensors));
  double weight = 1;
  for (size_t i = 0; i < stage_of_.size(); ++i) weight /= 2;
  TENFERRO_ASSIGN_OR_RETURN(std::vector<Tensor> cotangent, ends_[3].Run({tensors.back(), Tensor::Scalar(weight)}));
  for (size_t i = stage_of_.size(); i-- > 0;) {
    weight *= 2;
    TENFERRO_ASSIGN_OR_RETURN(cotangent,
                              stages_[stage_of_[i]].reverse.Run({tensors[i], cotangent[0], Tensor::Scalar(weight)}));
  }
  TENFERRO_ASSIGN_OR_RETURN(const std::vector<Tensor> gradient, ends_[1].Run({Tensor::Scalar(beta), cotangent[0]}));
  TENFERRO_ASSIGN_OR_RETURN(const double dlnz, gradient[0].Item<double>());
  return ValueAndGradient{lnz, dlnz};
}

absl::StatusOr<std::vector<int64_t>> MeasuredSchedule(const Engine& engine, int64_t chi, int64_t steps,
                                                      absl::Span<const double> betas) {
  // Two tensors of one step may keep different numbers of values; the larger counts.
  const auto significant = [&](const Tensor& tensor) -> absl::StatusOr<int64_t> {
    const Var t = Immediate(engine, tensor);
    const int64_t d = tensor.dim(0);
    int64_t most = 1;
    for (const Var& matrix : {Reshape(t, {d * d, d * d}), Reshape(Transpose(t, {1, 2, 3, 0}), {d * d, d * d})}) {
      const Var s = linalg::Svd(matrix).s;
      const double tau = static_cast<double>(d * d) * std::numeric_limits<double>::epsilon();
      const Var count = ReduceSum(Cast(Gt(s, ReduceMax(s) * tau), DType::kI64));
      TENFERRO_ASSIGN_OR_RETURN(const Tensor number, count.ToTensor());
      TENFERRO_ASSIGN_OR_RETURN(const int64_t value, number.Item<int64_t>());
      most = std::max(most, value);
    }
    return most;
  };
  std::vector<int64_t> ranks(steps, 1);
  // Extents must agree between the betas, so all go through the steps together.
  std::vector<Tensor> tensors;
  for (double beta : betas) {
    TENFERRO_ASSIGN_OR_RETURN(const Tensor tensor, IsingTensor(Immediate(engine, Tensor::Scalar(beta))).ToTensor());
    tensors.push_back(tensor);
  }
  for (int64_t i = 0; i < steps; ++i) {
    for (const Tensor& tensor : tensors) {
      TENFERRO_ASSIGN_OR_RETURN(const int64_t rank, significant(tensor));
      ranks[i] = std::max(ranks[i], std::min(chi, rank));
    }
    for (Tensor& tensor : tensors) {
      const TrgStep step = Renormalize(Immediate(engine, tensor), ranks[i], BondSplit::kSplit);
      TENFERRO_ASSIGN_OR_RETURN(tensor, step.next.ToTensor());
    }
  }
  return ranks;
}

}  // namespace tenferro
