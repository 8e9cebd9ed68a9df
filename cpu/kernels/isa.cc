#include "tenferro/cpu/kernels/isa.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace tenferro {
namespace {

#if defined(__x86_64__)

// Bits of CPUID's output registers (Intel SDM volume 2A, table 3-8; AMD APM volume 3, appendix E).
constexpr uint32_t kLeaf1Ecx2 = 1u << 0 | 1u << 1 | 1u << 9 | 1u << 13 | 1u << 19 | 1u << 20 | 1u << 23 |
                                1u << 25;  // SSE3 PCLMUL SSSE3 CX16 SSE4.1 SSE4.2 POPCNT AES
constexpr uint32_t kLeaf1Ecx3 = 1u << 12 | 1u << 22 | 1u << 27 | 1u << 28 | 1u << 29;  // FMA MOVBE OSXSAVE AVX F16C
constexpr uint32_t kLeaf7Ebx3 = 1u << 3 | 1u << 5 | 1u << 8;                           // BMI1 AVX2 BMI2
constexpr uint32_t kLeaf7Ebx4 = 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31;  // AVX-512 F DQ CD BW VL
constexpr uint32_t kExtendedEcx3 = 1u << 5;                                            // LZCNT
// Register states that the operating system saves (XCR0): SSE and AVX; with opmask and the AVX-512 registers.
constexpr uint32_t kState3 = 0x06;
constexpr uint32_t kState4 = 0xe6;

constexpr bool HasAll(uint32_t value, uint32_t bits) { return (value & bits) == bits; }

Isa Detect() {
  uint32_t eax, ebx, ecx, edx;
  __cpuid(1, eax, ebx, ecx, edx);
  if (!HasAll(ecx, kLeaf1Ecx2 | kLeaf1Ecx3)) return Isa::kV2;
  uint32_t state, state_high;
  __asm__("xgetbv" : "=a"(state), "=d"(state_high) : "c"(0));
  __cpuid(0x80000001, eax, ebx, ecx, edx);
  if (!HasAll(state, kState3) || !HasAll(ecx, kExtendedEcx3)) return Isa::kV2;
  __cpuid_count(7, 0, eax, ebx, ecx, edx);
  if (!HasAll(ebx, kLeaf7Ebx3)) return Isa::kV2;
  return HasAll(ebx, kLeaf7Ebx4) && HasAll(state, kState4) ? Isa::kV4 : Isa::kV3;
}

#else

Isa Detect() { return Isa::kNeon; }

#endif

}  // namespace

Isa BestIsa() {
  static const Isa best = Detect();
  return best;
}

bool IsSupported(Isa isa) { return BestIsa() == Isa::kNeon ? isa == Isa::kNeon : isa <= BestIsa(); }

}  // namespace tenferro
