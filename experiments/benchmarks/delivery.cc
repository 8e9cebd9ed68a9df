#include "tenferro/experiments/benchmarks/delivery.h"

#include <sys/stat.h>

#include <cstdio>

#include "absl/strings/str_cat.h"
#include "tenferro/tensor/status.h"

namespace tenferro {
namespace {

constexpr double kMebi = 1 << 20;

struct Spawned {
  double microseconds;
  double resident_kib;
};

absl::StatusOr<Spawned> Spawn(const std::string& spawn, int processes, const std::string& program) {
  const std::string command = absl::StrCat("'", spawn, "' ", processes, " '", program, "'");
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return absl::UnavailableError(absl::StrCat("cannot run ", command));
  Spawned result{};
  double least;
  const int fields = std::fscanf(pipe, "%lf %lf %lf", &least, &result.microseconds, &result.resident_kib);
  if (pclose(pipe) != 0 || fields != 3) return absl::UnavailableError(absl::StrCat("no figures from ", command));
  return result;
}

}  // namespace

absl::StatusOr<std::vector<Measured>> MeasureDelivery(const std::string& spawn, const std::string& program,
                                                      int processes) {
  struct stat info;
  if (stat(program.c_str(), &info) != 0) return absl::NotFoundError(absl::StrCat("cannot read ", program));
  TENFERRO_ASSIGN_OR_RETURN(const Spawned floor, Spawn(spawn, processes, "/usr/bin/true"));
  TENFERRO_ASSIGN_OR_RETURN(const Spawned grad, Spawn(spawn, processes, program));
  return std::vector<Measured>{{"process: /usr/bin/true", floor.microseconds},
                               {"process to first gradient", grad.microseconds},
                               {"peak resident MiB", grad.resident_kib * 1024 / kMebi},
                               {"stripped program MiB", static_cast<double>(info.st_size) / kMebi}};
}

}  // namespace tenferro
