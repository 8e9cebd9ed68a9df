#ifndef TENFERRO_LINALG_SLOTS_H_
#define TENFERRO_LINALG_SLOTS_H_

#include "tenferro/runtime/op.h"

namespace tenferro::linalg {

// Filled by "//linalg:cpu", "//linalg:autodiff" and, asked first, "//linalg:lapack".
extern constinit FamilySlots linalg_slots;

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_SLOTS_H_
