#include "tenferro/experiments/flags.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"

namespace tenferro {
namespace {

template <class T>
bool ParseNumber(const std::string& text, T* value) {
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, *value);
  return error == std::errc() && rest == end;
}

std::string AssignInteger(const std::string& text, int64_t minimum, int64_t* value) {
  int64_t parsed = 0;
  if (!ParseNumber(text, &parsed)) return "not an integer";
  if (parsed < minimum) return absl::StrCat("less than ", minimum);
  *value = parsed;
  return "";
}

std::string AssignDouble(const std::string& text, double* value) {
  double parsed = 0;
  if (!ParseNumber(text, &parsed) || !std::isfinite(parsed)) return "not a finite number";
  *value = parsed;
  return "";
}

// Splits at commas; `assign_one` turns each part into a value.
template <class T, class AssignOne>
std::string AssignList(const std::string& text, std::vector<T>* values, AssignOne assign_one) {
  std::vector<T> parsed;
  for (const std::string& part : std::vector<std::string>(absl::StrSplit(text, ','))) {
    T value = 0;
    if (std::string problem = assign_one(part, &value); !problem.empty())
      return absl::StrCat("'", part, "' is ", problem);
    parsed.push_back(value);
  }
  *values = std::move(parsed);
  return "";
}

// The shortest text that reads back as the same number.
std::string ShortText(double value) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof(text), value).ptr);
}

}  // namespace

void Flags::AddEntry(const char* name, std::string default_text, std::string help, Assign assign) {
  flags_.push_back({name, std::move(default_text), std::move(help), std::move(assign)});
}

void Flags::Add(const char* name, int64_t* value, const char* help, int64_t minimum) {
  AddEntry(name, absl::StrCat(*value), help,
           [=](const std::string& text) { return AssignInteger(text, minimum, value); });
}

void Flags::Add(const char* name, double* value, const char* help) {
  AddEntry(name, ShortText(*value), help, [=](const std::string& text) { return AssignDouble(text, value); });
}

void Flags::Add(const char* name, std::string* value, const char* help) {
  AddEntry(name, *value, help, [=](const std::string& text) {
    *value = text;
    return "";
  });
}

void Flags::Add(const char* name, std::string* value, std::vector<std::string> choices, const char* help) {
  const std::string listed = absl::StrJoin(choices, "|");
  AddEntry(name, *value, absl::StrCat(help, " (", listed, ")"),
           [choices = std::move(choices), listed, value](const std::string& text) -> std::string {
             for (const std::string& choice : choices) {
               if (text == choice) {
                 *value = text;
                 return "";
               }
             }
             return absl::StrCat("not one of ", listed);
           });
}

void Flags::Add(const char* name, std::vector<int64_t>* values, const char* help, int64_t minimum) {
  AddEntry(name, absl::StrJoin(*values, ","), help, [=](const std::string& text) {
    return AssignList(text, values,
                      [=](const std::string& part, int64_t* value) { return AssignInteger(part, minimum, value); });
  });
}

void Flags::Add(const char* name, std::vector<double>* values, const char* help) {
  const std::string default_text =
      absl::StrJoin(*values, ",", [](std::string* out, double value) { out->append(ShortText(value)); });
  AddEntry(name, default_text, help, [=](const std::string& text) { return AssignList(text, values, AssignDouble); });
}

void Flags::AddPositional(const char* name, std::string* value, const char* help) {
  positionals_.push_back({name, "", help,
                          [=](const std::string& text) {
                            *value = text;
                            return "";
                          },
                          /*required=*/true});
}

void Flags::AddOptionalPositional(const char* name, double* value, const char* help) {
  positionals_.push_back(
      {name, ShortText(*value), help, [=](const std::string& text) { return AssignDouble(text, value); }});
}

absl::StatusOr<Flags::Outcome> Flags::Parse(absl::Span<const char* const> arguments) {
  for (const char* argument : arguments) {
    if (std::strcmp(argument, "--help") == 0) return Outcome::kHelp;
  }
  size_t positional = 0;
  for (const std::string argument : arguments) {
    Entry* entry = nullptr;
    std::string text = argument;
    if (argument.starts_with("--")) {
      const size_t equals = argument.find('=');
      const std::string name = argument.substr(2, equals == std::string::npos ? equals : equals - 2);
      for (Entry& flag : flags_) {
        if (flag.name == name) entry = &flag;
      }
      if (entry == nullptr) return absl::InvalidArgumentError(absl::StrCat("unknown flag --", name));
      if (entry->given) return absl::InvalidArgumentError(absl::StrCat("--", name, " is given twice"));
      if (equals == std::string::npos || equals + 1 == argument.size()) {
        return absl::InvalidArgumentError(absl::StrCat("--", name, " needs a value: --", name, "=…"));
      }
      text = argument.substr(equals + 1);
    } else {
      if (positional == positionals_.size()) {
        return absl::InvalidArgumentError(absl::StrCat("unexpected argument '", argument, "'"));
      }
      entry = &positionals_[positional++];
    }
    entry->given = true;
    if (const std::string problem = entry->assign(text); !problem.empty()) {
      return absl::InvalidArgumentError(absl::StrCat(argument, ": ", problem));
    }
  }
  if (positional < positionals_.size() && positionals_[positional].required) {
    return absl::InvalidArgumentError(absl::StrCat("missing argument ", positionals_[positional].name));
  }
  return Outcome::kRun;
}

std::string Flags::Help(const std::string& program) const {
  std::string text = absl::StrCat(description_, "\n\nUsage: ", program, flags_.empty() ? "" : " [--flag=value …]");
  std::string details;
  for (const Entry& positional : positionals_) {
    absl::StrAppend(&text, positional.required ? " " : " [", positional.name,
                    positional.required ? "" : absl::StrCat("=", positional.default_text, "]"));
    absl::StrAppend(&details, "  ", positional.name, "\n      ", positional.help, "\n");
  }
  for (const Entry& flag : flags_) {
    absl::StrAppend(&details, "  --", flag.name, "=", flag.default_text, "\n      ", flag.help, "\n");
  }
  return absl::StrCat(text, "\n\n", details, "  --help\n      this text\n");
}

void Flags::ParseOrExit(int argc, char** argv) {
  std::string program = argc > 0 ? argv[0] : "";
  program = program.substr(program.rfind('/') + 1);
  const absl::StatusOr<Outcome> outcome = Parse(absl::MakeConstSpan(argv, argc).subspan(argc > 0 ? 1 : 0));
  if (!outcome.ok()) {
    const std::string message(outcome.status().message());
    std::fprintf(stderr, "%s: %s (see --help)\n", program.c_str(), message.c_str());
    std::exit(2);
  }
  if (*outcome == Outcome::kHelp) {
    std::fputs(Help(program).c_str(), stdout);
    std::exit(0);
  }
}

}  // namespace tenferro
