#include "tenferro/cpu/cumulative/cumulative.h"

#include <cmath>
#include <limits>

#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/scalar_arithmetic.h"
#include "tenferro/cpu/kernels/scalar_loop.h"

namespace tenferro {
namespace {

// A step of each walk. Operations of one operand begin with its element, the recurrence with b.
struct SumStep {
  static constexpr int kOperands = 1;
  template <class T>
  static T Next(T y, T x) {
    return scalar::Add(y, x);
  }
};
struct ProdStep {
  static constexpr int kOperands = 1;
  template <class T>
  static T Next(T y, T x) {
    return scalar::Multiply(y, x);
  }
};
struct MaxStep {
  static constexpr int kOperands = 1;
  template <class T>
  static T Next(T y, T x) {
    return scalar::Larger(y, x);
  }
};
struct MinStep {
  static constexpr int kOperands = 1;
  template <class T>
  static T Next(T y, T x) {
    return scalar::Smaller(y, x);
  }
};
struct RecurrenceStep {
  static constexpr int kOperands = 2;
  template <class T>
  static T Next(T h, T a, T b) {
    return scalar::Add(scalar::Multiply(a, h), b);
  }
};

// kLines lines side by side: a step waits for the one before it, steps of other lines do not.
template <class T, class Step, int kLines>
void Together(T* out, const T* const* in, int64_t n, int64_t step, int64_t line_stride) {
  const T* const x = in[0];
  const T* const first = in[Step::kOperands - 1];
  T y[kLines];
  for (int k = 0; k < kLines; ++k) out[k * line_stride] = y[k] = first[k * line_stride];
  for (int64_t i = 1; i < n; ++i) {
    for (int k = 0; k < kLines; ++k) {
      const int64_t at = i * step + k * line_stride;
      if constexpr (Step::kOperands == 2) {
        y[k] = Step::Next(y[k], x[at], first[at]);
      } else {
        y[k] = Step::Next(y[k], x[at]);
      }
      out[at] = y[k];
    }
  }
}

template <class T, class Step>
void Lines(void* out, const void* const* in, int64_t n, int64_t step, int64_t lines, int64_t line_stride) {
  if (n == 0) return;
  constexpr int kTogether = 4;
  const auto run = [&]<int kLines>(int64_t line) {
    const int64_t offset = line * line_stride;
    const T* const from[2] = {static_cast<const T*>(in[0]) + offset,
                              static_cast<const T*>(in[Step::kOperands - 1]) + offset};
    Together<T, Step, kLines>(static_cast<T*>(out) + offset, from, n, step, line_stride);
  };
  int64_t line = 0;
  for (; line + kTogether <= lines; line += kTogether) run.template operator()<kTogether>(line);
  for (; line < lines; ++line) run.template operator()<1>(line);
}

template <class T, class Step>
void Rows(void* out, const void* const* in, int64_t n, int64_t step, int64_t columns) {
  if (n == 0) return;
  const T* const x = static_cast<const T*>(in[0]);
  const T* const first = static_cast<const T*>(in[Step::kOperands - 1]);
  T* const y = static_cast<T*>(out);
  std::memcpy(y, first, columns * sizeof(T));
  for (int64_t i = 1; i < n; ++i) {
    const T *const before = y + (i - 1) * step, *const now = x + i * step, *const b = first + i * step;
    T* const result = y + i * step;
    TENFERRO_INDEPENDENT
    for (int64_t c = 0; c < columns; ++c) {
      if constexpr (Step::kOperands == 2) {
        result[c] = Step::Next(before[c], now[c], b[c]);
      } else {
        result[c] = Step::Next(before[c], now[c]);
      }
    }
  }
}

// The largest so far and the sum of exponentials relative to it. Equal infinities have no difference, hence the cases.
template <class T>
void LogSumExpLines(void* out, const void* const* in, int64_t n, int64_t step, int64_t lines, int64_t line_stride) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (int64_t line = 0; line < lines; ++line) {
    const T* const x = static_cast<const T*>(in[0]) + line * line_stride;
    T* const y = static_cast<T*>(out) + line * line_stride;
    double largest = -kInfinity, sum = 0;
    for (int64_t i = 0; i < n; ++i) {
      const double term = static_cast<double>(x[i * step]);
      if (term == largest) {
        if (term != -kInfinity) sum += 1;
      } else if (term > largest) {
        sum = sum * std::exp(largest - term) + 1;
        largest = term;
      } else {
        sum += std::exp(term - largest);
      }
      y[i * step] = static_cast<T>(largest + std::log(sum));
    }
  }
}

template <class T, class Step>
CumulativeLoops LoopsOf() {
  return {Lines<T, Step>, Rows<T, Step>, 1};
}

template <class Step>
CumulativeLoops NumberLoops(uint8_t dtype) {
  switch (dtype) {
    case kCodeI32:
    case kCodeU32: return LoopsOf<uint32_t, Step>();
    case kCodeI64:
    case kCodeU64: return LoopsOf<uint64_t, Step>();
    case kCodeU8: return LoopsOf<uint8_t, Step>();
    case kCodeF32: return LoopsOf<float, Step>();
    case kCodeF64: return LoopsOf<double, Step>();
    case kCodeC64: return LoopsOf<scalar::Complex<float>, Step>();
    case kCodeC128: return LoopsOf<scalar::Complex<double>, Step>();
  }
  return {};
}

template <class Step>
CumulativeLoops RealLoops(uint8_t dtype) {
  switch (dtype) {
    case kCodeBool:
    case kCodeU8: return LoopsOf<uint8_t, Step>();
    case kCodeI32: return LoopsOf<int32_t, Step>();
    case kCodeI64: return LoopsOf<int64_t, Step>();
    case kCodeU32: return LoopsOf<uint32_t, Step>();
    case kCodeU64: return LoopsOf<uint64_t, Step>();
    case kCodeF32: return LoopsOf<float, Step>();
    case kCodeF64: return LoopsOf<double, Step>();
  }
  return {};
}

}  // namespace

CumulativeLoops FindCumulative(CumulativeKind kind, uint8_t dtype) {
  switch (kind) {
    case CumulativeKind::kSum: return NumberLoops<SumStep>(dtype);
    case CumulativeKind::kProd: return NumberLoops<ProdStep>(dtype);
    case CumulativeKind::kMax: return RealLoops<MaxStep>(dtype);
    case CumulativeKind::kMin: return RealLoops<MinStep>(dtype);
    case CumulativeKind::kRecurrence: return NumberLoops<RecurrenceStep>(dtype);
    case CumulativeKind::kLogSumExp: break;
  }
  if (dtype == kCodeF32) return {LogSumExpLines<float>, nullptr, 20};
  if (dtype == kCodeF64) return {LogSumExpLines<double>, nullptr, 20};
  return {};
}

}  // namespace tenferro
