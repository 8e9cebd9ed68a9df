#include "tenferro/cpu/kernels/math.h"

#include "tenferro/cpu/kernels/math_families.h"

namespace tenferro {
namespace {

using Finder = TileFn (*)(const OpDef* op, uint8_t from, uint8_t to);

// In the order of Isa's values; an instruction set of another processor has none.
constexpr int kFamilies = 3;
#define TENFERRO_FAMILIES(isa) \
  { isa::FindRealMath, isa::FindFloatPower, isa::FindErfInverse }
constexpr Finder kFinders[][kFamilies] = {
#if defined(__x86_64__)
    TENFERRO_FAMILIES(isa_v2),
    TENFERRO_FAMILIES(isa_v3),
    TENFERRO_FAMILIES(isa_v4),
    {},
#else
    {},
    {},
    {},
    TENFERRO_FAMILIES(isa_neon),
#endif
};
#undef TENFERRO_FAMILIES

constexpr Finder kBaselineFinders[] = {FindComplexMath, FindGamma, FindIntegerPower};

}  // namespace

TileFn FindMath(Isa isa, const OpDef* op, uint8_t from, uint8_t to) {
  for (Finder find : kFinders[static_cast<int>(isa)]) {
    if (find == nullptr) return nullptr;
    if (TileFn fn = find(op, from, to)) return fn;
  }
  for (Finder find : kBaselineFinders) {
    if (TileFn fn = find(op, from, to)) return fn;
  }
  return nullptr;
}

}  // namespace tenferro
