// Traces that Perfetto and Chrome's about:tracing show, one row for each thread.
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tenferro/cpu/describe.h"
#include "tenferro/cpu/run_trace.h"

namespace tenferro {
namespace {

// Tasks of a task are part of it.
thread_local bool inside_task = false;

std::string Quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return quoted + "\"";
}

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f", value);
  return text;
}

class TraceRecorder final : public RunTrace {
 public:
  static absl::StatusOr<std::unique_ptr<RunTrace>> Open(const std::string& path, const Workers& workers);

  int width() const override { return workers_.width(); }
  bool awake() const override { return workers_.awake(); }
  void ForEachWorker(int64_t count, absl::FunctionRef<void(int64_t, int)> task) const override;
  absl::Status RunInstruction(const Instruction& instruction, const Cluster& cluster, int32_t index,
                              const RunFrame& frame) override;
  absl::Status Write(const Plan& plan, Instructions instructions) override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Slice {
    int32_t instruction;
    int64_t task;   // of kernels that run side by side: which; else kNone
    int64_t tasks;  // how many in a row
    Clock::time_point begin, end;
  };
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  TraceRecorder(const std::string& path, std::FILE* file, const Workers& workers)
      : path_(path), file_(file), workers_(workers), tasks_(workers.width()), start_(Clock::now()) {}
  void AppendSlice(std::string& text, int thread, const Slice& slice, const std::string& name,
                   const std::string& arguments) const;

  std::string path_;
  std::unique_ptr<std::FILE, Closer> file_;
  const Workers& workers_;
  int32_t running_ = kNone;
  bool side_by_side_ = false;
  std::vector<Slice> instructions_;                // of the calling thread
  mutable std::vector<std::vector<Slice>> tasks_;  // by worker
  Clock::time_point start_;
};

absl::StatusOr<std::unique_ptr<RunTrace>> TraceRecorder::Open(const std::string& path, const Workers& workers) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) {
    return absl::UnavailableError(absl::StrCat("run: cannot write the trace ", path, ": ", std::strerror(errno)));
  }
  return std::unique_ptr<RunTrace>(new TraceRecorder(path, file, workers));
}

void TraceRecorder::ForEachWorker(int64_t count, absl::FunctionRef<void(int64_t, int)> task) const {
  if (inside_task) return workers_.ForEachWorker(count, task);
  workers_.ForEachWorker(count, [&](int64_t i, int worker) {
    const Clock::time_point begin = Clock::now();
    inside_task = true;
    task(i, worker);
    inside_task = false;
    std::vector<Slice>& slices = tasks_[worker];
    // The many short tasks of one instruction are one slice.
    if (!side_by_side_ && !slices.empty() && slices.back().instruction == running_) {
      slices.back().end = Clock::now();
      ++slices.back().tasks;
    } else {
      slices.push_back({running_, side_by_side_ ? i : kNone, 1, begin, Clock::now()});
    }
  });
}

absl::Status TraceRecorder::RunInstruction(const Instruction& instruction, const Cluster& cluster, int32_t index,
                                           const RunFrame& frame) {
  running_ = index;
  side_by_side_ = !cluster.is_loop && cluster.items.size() > 1;
  const Clock::time_point begin = Clock::now();
  const absl::Status status = instruction.Run(frame);
  instructions_.push_back({index, kNone, 1, begin, Clock::now()});
  return status;
}

void TraceRecorder::AppendSlice(std::string& text, int thread, const Slice& slice, const std::string& name,
                                const std::string& arguments) const {
  const auto microseconds = [](Clock::duration duration) {
    return std::chrono::duration<double, std::micro>(duration).count();
  };
  char when[96];
  std::snprintf(when, sizeof when, "\"ts\":%.3f,\"dur\":%.3f", microseconds(slice.begin - start_),
                microseconds(slice.end - slice.begin));
  absl::StrAppend(&text, ",\n{\"name\":", Quoted(name), ",\"ph\":\"X\",\"pid\":1,\"tid\":", thread, ",", when,
                  ",\"args\":{\"instruction\":", slice.instruction, arguments, "}}");
}

absl::Status TraceRecorder::Write(const Plan& plan, Instructions instructions) {
  std::string text =
      "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
      "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"tenferro\"}}";
  for (int thread = 0; thread < width(); ++thread) {
    absl::StrAppend(&text, ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":", thread,
                    ",\"args\":{\"name\":\"", thread == 0 ? "caller" : "worker ",
                    thread == 0 ? "" : absl::StrCat(thread), "\"}}");
  }
  std::vector<Description> descriptions;
  for (const Slice& slice : instructions_) {
    const Cluster& cluster = plan.clusters[slice.instruction];
    descriptions.push_back(Describe(plan, cluster, *instructions[slice.instruction]));
    const Description& description = descriptions.back();
    AppendSlice(text, 0, slice, description.operations,
                absl::StrCat(",\"place\":", Quoted(description.places), ",\"flops\":", Number(description.flops),
                             ",\"bytes\":", Number(description.bytes)));
  }
  for (int thread = 0; thread < width(); ++thread) {
    for (const Slice& slice : tasks_[thread]) {
      const Cluster& cluster = plan.clusters[slice.instruction];
      if (slice.task != kNone) {
        const Item& item = plan.items[cluster.items[slice.task]];
        AppendSlice(text, thread, slice, NameOf(item),
                    absl::StrCat(",\"place\":", Quoted(ToString(item.node->location))));
      } else if (thread > 0) {  // on the caller's row the instruction is there already
        AppendSlice(
            text, thread, slice, descriptions[slice.instruction].operations,
            absl::StrCat(",\"place\":", Quoted(descriptions[slice.instruction].places), ",\"tasks\":", slice.tasks));
      }
    }
  }
  text += "\n]}\n";
  const bool written = std::fwrite(text.data(), 1, text.size(), file_.get()) == text.size();
  if (std::fclose(file_.release()) != 0 || !written) {
    return absl::UnavailableError(absl::StrCat("run: cannot write all of the trace ", path_));
  }
  return absl::OkStatus();
}

constexpr ProgramInspection kInspection = {Summarize, TraceRecorder::Open};
[[maybe_unused]] const bool filled = [] {
  program_inspection = &kInspection;
  return true;
}();

}  // namespace
}  // namespace tenferro
