#ifndef TENFERRO_EXPERIMENTS_FLAGS_H_
#define TENFERRO_EXPERIMENTS_FLAGS_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace tenferro {

// The command line of an experiment: --name=value and positional arguments, each bound to a variable that holds its
// default.
//
//   int64_t steps = 20;
//   std::string schedule = "rank";
//   Flags flags("TRG of the square-lattice Ising model.");
//   flags.Add("steps", &steps, "renormalisation steps");
//   flags.Add("schedule", &schedule, {"rank", "full"}, "how the bond dimension grows");
//   flags.ParseOrExit(argc, argv);
class Flags {
 public:
  explicit Flags(std::string description) : description_(std::move(description)) {}

  // Integers from `minimum` on; finite numbers; any text; one of `choices`; non-empty comma-separated lists.
  void Add(const char* name, int64_t* value, const char* help, int64_t minimum = 1);
  void Add(const char* name, double* value, const char* help);
  void Add(const char* name, std::string* value, const char* help);
  void Add(const char* name, std::string* value, std::vector<std::string> choices, const char* help);
  void Add(const char* name, std::vector<int64_t>* values, const char* help, int64_t minimum = 1);
  void Add(const char* name, std::vector<double>* values, const char* help);

  // Arguments without dashes, in the order of these calls; the optional ones last.
  void AddPositional(const char* name, std::string* value, const char* help);
  void AddOptionalPositional(const char* name, double* value, const char* help);

  enum class Outcome { kRun, kHelp };
  // Errors: an unknown flag, one given twice or without a value, a value that does not fit, a positional argument too
  // few or too many. Variables may have changed then.
  absl::StatusOr<Outcome> Parse(absl::Span<const char* const> arguments);
  // The text of --help.
  std::string Help(const std::string& program) const;
  // Parses a program's arguments. --help prints the text and ends the program with 0; an error goes to stderr and ends
  // it with 2.
  void ParseOrExit(int argc, char** argv);

 private:
  // Assigns the text to the bound variable, or says what the value should have been.
  using Assign = std::function<std::string(const std::string& text)>;
  struct Entry {
    std::string name;
    std::string default_text;
    std::string help;
    Assign assign;
    bool required = false;
    bool given = false;
  };

  void AddEntry(const char* name, std::string default_text, std::string help, Assign assign);

  std::string description_;
  std::vector<Entry> flags_;
  std::vector<Entry> positionals_;
};

}  // namespace tenferro

#endif  // TENFERRO_EXPERIMENTS_FLAGS_H_
