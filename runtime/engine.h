#ifndef TENFERRO_RUNTIME_ENGINE_H_
#define TENFERRO_RUNTIME_ENGINE_H_

#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "tenferro/runtime/program.h"
#include "tenferro/tensor/tensor.h"

namespace tenferro {

// One argument of a run: `Argument(tensor)` borrows it, `Argument(std::move(tensor))` donates it, so that its bytes may
// be reused.
class Argument {
 public:
  Argument(const Tensor& tensor) : borrowed_(&tensor) {}      // NOLINT: tensors are arguments
  Argument(Tensor&& tensor) : donated_(std::move(tensor)) {}  // NOLINT: tensors are arguments

  const Tensor& tensor() const { return borrowed_ == nullptr ? *donated_ : *borrowed_; }
  bool donates() const { return borrowed_ == nullptr; }

 private:
  friend class Arguments;
  // A donated tensor goes along: elements of a braced list are const, and a copy would share the bytes that are to be
  // reused.
  Argument Take() const { return donates() ? Argument(*std::move(donated_)) : *this; }

  const Tensor* borrowed_ = nullptr;
  mutable std::optional<Tensor> donated_;
};

// The list of a run's arguments, written {x, y} or given as a vector of tensors.
class Arguments {
 public:
  Arguments() = default;
  Arguments(std::initializer_list<Argument> arguments) {
    for (const Argument& argument : arguments) Add(argument);
  }
  Arguments(absl::Span<const Tensor> tensors) : list_(tensors.begin(), tensors.end()) {}    // NOLINT
  Arguments(const std::vector<Tensor>& tensors) : list_(tensors.begin(), tensors.end()) {}  // NOLINT

  // Appends one, for lists whose length or donations are found at run time.
  void Add(const Argument& argument) { list_.push_back(argument.Take()); }

  size_t size() const { return list_.size(); }
  const Argument& operator[](size_t i) const { return list_[i]; }

 private:
  absl::InlinedVector<Argument, 4> list_;
};

struct RunOptions {
  // When not empty: a file to write when each thread worked at which instruction, as JSON that ui.perfetto.dev and
  // chrome://tracing show. A slice has the operations' names and the places where they were called.
  std::string trace = {};
};

// An engine's own form of a program.
class PreparedProgram {
 public:
  virtual ~PreparedProgram() = default;
  // `outputs` has one tensor for each output; one with storage of its own of the right type is written in place.
  virtual absl::Status Run(const Arguments& arguments, absl::Span<Tensor> outputs, bool reuse_outputs) const = 0;
  // The same, with a trace in the file `path`.
  virtual absl::Status RunTraced(const Arguments& arguments, absl::Span<Tensor> outputs, bool reuse_outputs,
                                 const std::string& path) const;
  virtual std::string Explain() const = 0;
  virtual int64_t arena_bytes() const = 0;
  virtual size_t num_outputs() const = 0;
};

// A program made ready on an engine. Copies share it. Runs may happen on several threads at once.
class Prepared {
 public:
  explicit Prepared(std::shared_ptr<const PreparedProgram> program) : program_(std::move(program)) {}

  // Errors: another number of arguments than the program has inputs; a dtype or shape that differs; bytes elsewhere
  // than on the engine's device; what the operations themselves refuse (a NaN in a decomposition).
  absl::StatusOr<std::vector<Tensor>> Run(const Arguments& arguments) const;
  // Writes into `outputs` where they have the right type, are dense and share their bytes with nobody; else replaces
  // them.
  absl::Status RunInto(const Arguments& arguments, absl::Span<Tensor> outputs) const;
  // Errors: also when the trace cannot be written, or the engine has none.
  absl::StatusOr<std::vector<Tensor>> Run(const Arguments& arguments, const RunOptions& options) const;
  absl::Status RunInto(const Arguments& arguments, absl::Span<Tensor> outputs, const RunOptions& options) const;

  // The memory plan, estimates of the work, and the instructions with what was fused into them, as text.
  std::string Explain() const { return program_->Explain(); }
  // Bytes of intermediate values that one run holds at once.
  int64_t arena_bytes() const { return program_->arena_bytes(); }

 private:
  std::shared_ptr<const PreparedProgram> program_;
};

// What runs programs. Implemented by //cpu and by whoever brings another device.
class EngineBackend {
 public:
  virtual ~EngineBackend() = default;
  virtual absl::StatusOr<Prepared> Prepare(const Program& program) = 0;
  // One operation at once, on tensors of this engine's device.
  virtual absl::StatusOr<std::vector<Tensor>> RunOp(const OpDef& op, WordSpan attributes,
                                                    absl::Span<const Tensor> inputs) = 0;
  // Copies to and from the engine's device; on the host they return the tensor itself.
  virtual absl::StatusOr<Tensor> Upload(const Tensor& tensor) = 0;
  virtual absl::StatusOr<Tensor> Download(const Tensor& tensor) = 0;
};

// A handle of an engine: cheap to copy, shared by what was prepared with it.
class Engine {
 public:
  explicit Engine(std::shared_ptr<EngineBackend> backend) : backend_(std::move(backend)) {}

  absl::StatusOr<Prepared> Prepare(const Program& program) const { return backend_->Prepare(program); }
  absl::StatusOr<Tensor> Upload(const Tensor& tensor) const { return backend_->Upload(tensor); }
  absl::StatusOr<Tensor> Download(const Tensor& tensor) const { return backend_->Download(tensor); }
  EngineBackend& backend() const { return *backend_; }

 private:
  std::shared_ptr<EngineBackend> backend_;
};

// A number to compute with at once: operations on it and on others of the same engine run when they are called. It has
// no derivative. Each result is an object of its own and dies with its last Var.
Var Immediate(const Engine& engine, const Tensor& value);

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_ENGINE_H_
