#include "tenferro/cpu/kernels/every_kernel.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "tenferro/cpu/kernels/arithmetic.h"
#include "tenferro/cpu/kernels/element.h"
#include "tenferro/cpu/kernels/elementwise.h"
#include "tenferro/cpu/kernels/isa.h"
#include "tenferro/cpu/kernels/math.h"
#include "tenferro/runtime/ops/arithmetic_records.h"
#include "tenferro/runtime/ops/elementwise_records.h"
#include "tenferro/runtime/ops/math_records.h"

namespace tenferro {

const std::vector<NamedOp>& ElementwiseOps() {
  static const std::vector<NamedOp> ops = {{"add", &kAdd, 2},
                                           {"sub", &kSub, 2},
                                           {"mul", &kMul, 2},
                                           {"div", &kDiv, 2},
                                           {"neg", &kNeg, 1},
                                           {"pow", &kPow, 2},
                                           {"max", &kMax, 2},
                                           {"min", &kMin, 2},
                                           {"abs", &kAbs, 1},
                                           {"sign", &kSign, 1},
                                           {"sqrt", &kSqrt, 1},
                                           {"rsqrt", &kRsqrt, 1},
                                           {"square", &kSquare, 1},
                                           {"exp", &kExp, 1},
                                           {"expm1", &kExpm1, 1},
                                           {"log", &kLog, 1},
                                           {"log1p", &kLog1p, 1},
                                           {"sin", &kSin, 1},
                                           {"cos", &kCos, 1},
                                           {"tanh", &kTanh, 1},
                                           {"sinh", &kSinh, 1},
                                           {"cosh", &kCosh, 1},
                                           {"conj", &kConj, 1},
                                           {"real", &kReal, 1},
                                           {"imag", &kImag, 1},
                                           {"and", &kAnd, 2},
                                           {"or", &kOr, 2},
                                           {"not", &kNot, 1},
                                           {"eq", &kEq, 2},
                                           {"ne", &kNe, 2},
                                           {"lt", &kLt, 2},
                                           {"le", &kLe, 2},
                                           {"gt", &kGt, 2},
                                           {"ge", &kGe, 2},
                                           {"select", &kSelect, 3},
                                           {"convert", &kConvert, 1},
                                           {"cast", &kCast, 1},
                                           {"make_complex", &kMakeComplex, 2},
                                           {"reciprocal", &kReciprocal, 1},
                                           {"integer_pow 3", &kIntegerPow, 1, 3},
                                           {"integer_pow -2", &kIntegerPow, 1, -2},
                                           {"exp2", &kExp2, 1},
                                           {"log2", &kLog2, 1},
                                           {"log10", &kLog10, 1},
                                           {"cbrt", &kCbrt, 1},
                                           {"hypot", &kHypot, 2},
                                           {"logistic", &kLogistic, 1},
                                           {"tan", &kTan, 1},
                                           {"log_add_exp", &kLogAddExp, 2},
                                           {"asin", &kAsin, 1},
                                           {"acos", &kAcos, 1},
                                           {"atan", &kAtan, 1},
                                           {"atan2", &kAtan2, 2},
                                           {"asinh", &kAsinh, 1},
                                           {"acosh", &kAcosh, 1},
                                           {"atanh", &kAtanh, 1},
                                           {"angle", &kAngle, 1},
                                           {"erf", &kErf, 1},
                                           {"next_after", &kNextAfter, 2},
                                           {"erfc", &kErfc, 1},
                                           {"erf_inv", &kErfInv, 1},
                                           {"lgamma", &kLgamma, 1},
                                           {"digamma", &kDigamma, 1},
                                           {"polygamma 1", &kPolygamma, 1, 1}};
  return ops;
}

namespace {

const std::vector<NamedOp>& ArithmeticOps() {
  static const std::vector<NamedOp> ops = {{"rem", &kRem, 2},
                                           {"floor_divide", &kFloorDivide, 2},
                                           {"mod", &kMod, 2},
                                           {"floor", &kFloor, 1},
                                           {"ceil", &kCeil, 1},
                                           {"round", &kRound, 1},
                                           {"round_half_away", &kRoundHalfAway, 1},
                                           {"trunc", &kTrunc, 1},
                                           {"sign_bit", &kSignBit, 1},
                                           {"clamp", &kClamp, 3},
                                           {"xor", &kXor, 2},
                                           {"shift_left", &kShiftLeft, 2},
                                           {"shift_right_arithmetic", &kShiftRightArithmetic, 2},
                                           {"shift_right_logical", &kShiftRightLogical, 2},
                                           {"population_count", &kPopulationCount, 1},
                                           {"count_leading_zeros", &kCountLeadingZeros, 1}};
  return ops;
}

// Of all families.
std::vector<NamedOp> EveryOp() {
  std::vector<NamedOp> ops = ElementwiseOps();
  ops.insert(ops.end(), ArithmeticOps().begin(), ArithmeticOps().end());
  return ops;
}

}  // namespace

TileFn FindTile(Isa isa, const OpDef* op, uint8_t from, uint8_t to) {
  for (const auto find : {FindElementwise, FindArithmetic, FindMath}) {
    if (const TileFn fn = find(isa, op, from, to)) return fn;
  }
  return nullptr;
}

const OpDef* OpNamed(const std::string& name) {
  for (const NamedOp& op : EveryOp()) {
    if (name == op.name) return op.op;
  }
  return nullptr;
}

const char* Name(Isa isa) {
  constexpr const char* kNames[] = {"v2", "v3", "v4", "neon"};
  return kNames[static_cast<int>(isa)];
}

std::vector<Isa> SupportedIsas() {
  std::vector<Isa> isas;
  for (Isa isa : {Isa::kV2, Isa::kV3, Isa::kV4, Isa::kNeon}) {
    if (IsSupported(isa)) isas.push_back(isa);
  }
  return isas;
}

std::vector<NamedKernel> EveryKernel(Isa isa) {
  constexpr const char* kCodes[] = {"bool", "i32", "i64", "u8", "u32", "u64", "f32", "f64", "c64", "c128"};
  std::vector<NamedKernel> kernels;
  for (const NamedOp& op : EveryOp()) {
    for (uint8_t from = 0; from < kElementCodes; ++from) {
      for (uint8_t to = 0; to < kElementCodes; ++to) {
        if (TileFn fn = FindTile(isa, op.op, from, to)) {
          kernels.push_back(
              {std::string(Name(isa)) + " " + op.name + " " + kCodes[from] + " -> " + kCodes[to], op, from, to, fn});
        }
      }
    }
  }
  return kernels;
}

int64_t ElementSize(uint8_t code) {
  constexpr int64_t kSizes[] = {1, 4, 8, 1, 4, 8, 4, 8, 8, 16};
  return kSizes[code];
}

uint8_t OperandCode(const NamedKernel& kernel, int k) {
  const bool is_condition = std::string(kernel.op.name) == "select" && k == 0;
  return is_condition ? uint8_t{kCodeBool} : kernel.from;
}

namespace {

template <class T>
void Fill(std::vector<char>& bytes, std::mt19937_64& random) {
  using Limits = std::numeric_limits<T>;
  const T special[] = {T(0),
                       T(1),
                       static_cast<T>(-T(1)),
                       Limits::max(),
                       Limits::lowest(),
                       Limits::min(),
                       T(2),
                       T(3),
                       static_cast<T>(-T(0)),
                       Limits::denorm_min(),
                       Limits::infinity(),
                       -Limits::infinity(),
                       Limits::quiet_NaN()};
  constexpr int kSpecial = Limits::is_integer ? 8 : 13;
  for (size_t i = 0; i < bytes.size(); i += sizeof(T)) {
    T value;
    if (random() % 4 == 0) {
      value = special[random() % kSpecial];
    } else if (Limits::is_integer) {
      value = static_cast<T>(random() >> random() % 64);
    } else {
      value = static_cast<T>((static_cast<double>(random() >> 11) / 0x1p53 - 0.5) * std::exp2(random() % 12));
    }
    std::memcpy(&bytes[i], &value, sizeof(T));
  }
}

}  // namespace

std::vector<char> RandomElements(uint8_t code, int64_t n, uint64_t seed) {
  std::vector<char> bytes(static_cast<size_t>(n * ElementSize(code)));
  std::mt19937_64 random(seed);
  switch (code) {
    case kCodeBool:
      for (char& byte : bytes) byte = random() % 2;
      break;
    case kCodeI32: Fill<int32_t>(bytes, random); break;
    case kCodeI64: Fill<int64_t>(bytes, random); break;
    case kCodeU8: Fill<uint8_t>(bytes, random); break;
    case kCodeU32: Fill<uint32_t>(bytes, random); break;
    case kCodeU64: Fill<uint64_t>(bytes, random); break;
    case kCodeF32:
    case kCodeC64: Fill<float>(bytes, random); break;
    default: Fill<double>(bytes, random); break;
  }
  return bytes;
}

}  // namespace tenferro
