// Whether results depend on the number of threads: every case at every width against the first width, bit for bit.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

#include "absl/strings/str_cat.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/experiments/determinism_cases.h"
#include "tenferro/experiments/flags.h"
#include "tenferro/tensor/status.h"

namespace {

using namespace tenferro;

// Largest |a − b| over the elements, −1 when all bits agree.
absl::StatusOr<double> Difference(const Tensor& a, const Tensor& b) {
  TENFERRO_ASSIGN_OR_RETURN(const void* const first, a.HostData());
  TENFERRO_ASSIGN_OR_RETURN(const void* const second, b.HostData());
  if (std::memcmp(first, second, a.size() * SizeOf(a.dtype())) == 0) return -1;
  return Dispatch(a.dtype(), [&]<class T>() -> double {
    double largest = 0;
    for (int64_t i = 0; i < a.size(); ++i) {
      const std::complex<double> x(static_cast<const T*>(first)[i]), y(static_cast<const T*>(second)[i]);
      largest = std::max(largest, std::abs(x - y));
    }
    return largest;
  });
}

// NaN agree whatever was computed: a case that makes some is a mistake.
absl::StatusOr<bool> HasNaN(const Tensor& tensor) {
  TENFERRO_ASSIGN_OR_RETURN(const void* const data, tensor.HostData());
  return Dispatch(tensor.dtype(), [&]<class T>() {
    const T* const elements = static_cast<const T*>(data);
    return !std::all_of(elements, elements + tensor.size(), [](const T& x) { return x == x; });
  });
}

absl::StatusOr<bool> Run(const std::vector<int64_t>& widths) {
  std::vector<CpuEngine> engines;
  for (int64_t width : widths) engines.push_back(CpuEngine::WithThreads(static_cast<int>(width)));
  bool all_equal = true;
  TENFERRO_ASSIGN_OR_RETURN(const std::vector<DeterminismCase> cases, DeterminismCases());
  for (const DeterminismCase& c : cases) {
    std::vector<std::vector<Tensor>> results;
    for (const CpuEngine& engine : engines) {
      TENFERRO_ASSIGN_OR_RETURN(const Prepared prepared, engine.Prepare(c.program));
      absl::StatusOr<std::vector<Tensor>> result = prepared.Run(c.arguments);
      if (!result.ok()) {
        return absl::Status(result.status().code(), absl::StrCat(c.name, ": ", result.status().message()));
      }
      results.push_back(*std::move(result));
    }
    for (const Tensor& result : results[0]) {
      TENFERRO_ASSIGN_OR_RETURN(const bool has_nan, HasNaN(result));
      if (has_nan) return absl::InternalError(absl::StrCat(c.name, ": a result has NaN"));
    }
    double largest = -1;
    for (const std::vector<Tensor>& result : results) {
      for (size_t k = 0; k < result.size(); ++k) {
        TENFERRO_ASSIGN_OR_RETURN(const double difference, Difference(result[k], results[0][k]));
        largest = std::max(largest, difference);
      }
    }
    if (largest < 0) {
      std::printf("%-32s bitwise equal\n", c.name.c_str());
    } else {
      std::printf("%-32s %.3g\n", c.name.c_str(), largest);
      all_equal = false;
    }
  }
  for (size_t i = 0; i < engines.size(); ++i) {
    std::printf("width %lld: %d threads did work\n", static_cast<long long>(widths[i]), engines[i].threads_used());
  }
  return all_equal;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<int64_t> widths = {1, 2, 3, 8};
  int64_t threads = 1;
  Flags flags("Compares the results of several numbers of threads bit by bit.");
  flags.Add("widths", &widths, "numbers of threads; the first is what the others are compared with");
  flags.Add("threads", &threads, "accepted for uniformity; --widths says the numbers");
  flags.ParseOrExit(argc, argv);
  const absl::StatusOr<bool> all_equal = Run(widths);
  if (!all_equal.ok()) {
    std::fprintf(stderr, "%s\n", std::string(all_equal.status().message()).c_str());
    return 1;
  }
  return *all_equal ? 0 : 1;
}
