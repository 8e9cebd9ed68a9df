#ifndef TENFERRO_LINALG_FACTOR_SLOTS_H_
#define TENFERRO_LINALG_FACTOR_SLOTS_H_

#include "tenferro/runtime/op.h"

namespace tenferro::linalg {

// Of the triangular factorisations and the solutions of equations. Filled by "//linalg:cpu", "//linalg:autodiff" and,
// asked first, "//linalg:lapack".
extern constinit FamilySlots factor_slots;

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_FACTOR_SLOTS_H_
