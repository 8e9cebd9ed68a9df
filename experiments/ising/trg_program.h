#ifndef TENFERRO_EXPERIMENTS_ISING_TRG_PROGRAM_H_
#define TENFERRO_EXPERIMENTS_ISING_TRG_PROGRAM_H_

#include <memory>
#include <string>
#include <vector>

#include "tenferro/experiments/ising/trg.h"
#include "tenferro/runtime/engine.h"

namespace tenferro {

// Milliseconds that making the programs took.
struct TrgPreparation {
  double trace_ms = 0;
  double derivative_ms = 0;
  double compile_ms = 0;
  double prepare_ms = 0;
  int64_t programs = 0;
};

// ln Z / N and its derivative as prepared programs, to be evaluated at any beta.
class TrgProgram {
 public:
  struct ValueAndGradient {
    double lnz;
    double dlnz;
  };

  virtual ~TrgProgram() = default;
  virtual absl::StatusOr<double> Value(double beta) const = 0;
  virtual absl::StatusOr<ValueAndGradient> ValueAndGrad(double beta) const = 0;
  // Runs value and gradient once with RunOptions::trace. Errors: the form runs more than one program.
  virtual absl::Status Trace(double beta, const std::string& path) const = 0;
  const TrgPreparation& preparation() const { return preparation_; }

 protected:
  TrgPreparation preparation_;
};

// One graph, one gradient, and one program for each of value and value with gradient.
class WholeTrg final : public TrgProgram {
 public:
  static absl::StatusOr<std::unique_ptr<WholeTrg>> Make(const Engine& engine, std::vector<int64_t> ranks,
                                                        BondSplit split);
  absl::StatusOr<double> Value(double beta) const override;
  absl::StatusOr<ValueAndGradient> ValueAndGrad(double beta) const override;
  absl::Status Trace(double beta, const std::string& path) const override;
  // The program of value and gradient.
  const Program& program() const { return program_; }

 private:
  WholeTrg(Program program, Prepared value, Prepared value_and_grad)
      : program_(std::move(program)), value_(std::move(value)), value_and_grad_(std::move(value_and_grad)) {}

  Program program_;
  Prepared value_;
  Prepared value_and_grad_;
};

// One program a step and direction, shared by steps of the same extents: step i's reverse program takes T_i, the
// cotangent of T_{i+1} and the weight of log_norm_i, and returns the cotangent of T_i.
class StagedTrg final : public TrgProgram {
 public:
  static absl::StatusOr<std::unique_ptr<StagedTrg>> Make(const Engine& engine, std::vector<int64_t> ranks,
                                                         BondSplit split);
  absl::StatusOr<double> Value(double beta) const override;
  absl::StatusOr<ValueAndGradient> ValueAndGrad(double beta) const override;
  absl::Status Trace(double beta, const std::string& path) const override;

 private:
  struct Stage {
    int64_t d, k;
    Prepared forward, reverse;
  };
  // All tensors T_0 … T_n of a run and its value.
  absl::StatusOr<double> Forward(double beta, std::vector<Tensor>* tensors) const;

  std::vector<Stage> stages_;     // one for each pair of extents
  std::vector<size_t> stage_of_;  // of each step
  std::vector<Prepared> ends_;    // first tensor, its reverse, last trace, its reverse
};

// For chi > 16: the number of singular values above max(m, n)·eps·s_1 at each step, at most chi, the largest over
// `betas`.
absl::StatusOr<std::vector<int64_t>> MeasuredSchedule(const Engine& engine, int64_t chi, int64_t steps,
                                                      absl::Span<const double> betas);

}  // namespace tenferro

#endif  // TENFERRO_EXPERIMENTS_ISING_TRG_PROGRAM_H_
