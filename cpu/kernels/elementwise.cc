#include "tenferro/cpu/kernels/elementwise.h"

#include "tenferro/cpu/kernels/families.h"

namespace tenferro {
namespace {

using Finder = TileFn (*)(const OpDef* op, uint8_t from, uint8_t to);

// The families in the order of Isa's values; an instruction set of another processor has none.
constexpr int kFamilies = 5;
#define TENFERRO_FAMILIES(isa) \
  { isa::FindReal, isa::FindRealFunction, isa::FindComplex, isa::FindSelect, isa::FindIntegerVectors }
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

using PairFinder = TileFn (*)(const OpDef* first, const OpDef* second, uint8_t dtype);
constexpr PairFinder kPairFinders[] = {
#if defined(__x86_64__)
    isa_v2::FindRealPair,
    isa_v3::FindRealPair,
    isa_v4::FindRealPair,
    nullptr,
#else
    nullptr,
    nullptr,
    nullptr,
    isa_neon::FindRealPair,
#endif
};

constexpr Finder kBaselineFinders[] = {FindInteger, FindLogic, FindConvert, FindComplexFunction};

}  // namespace

TileFn FindElementwise(Isa isa, const OpDef* op, uint8_t from, uint8_t to) {
  for (Finder find : kFinders[static_cast<int>(isa)]) {
    if (find == nullptr) return nullptr;
    if (TileFn fn = find(op, from, to)) return fn;
  }
  for (Finder find : kBaselineFinders) {
    if (TileFn fn = find(op, from, to)) return fn;
  }
  return nullptr;
}

TileFn FindElementwisePair(Isa isa, const OpDef* first, const OpDef* second, uint8_t dtype) {
  const PairFinder find = kPairFinders[static_cast<int>(isa)];
  return find == nullptr ? nullptr : find(first, second, dtype);
}

}  // namespace tenferro
