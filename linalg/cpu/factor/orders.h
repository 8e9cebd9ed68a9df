#ifndef TENFERRO_LINALG_CPU_FACTOR_ORDERS_H_
#define TENFERRO_LINALG_CPU_FACTOR_ORDERS_H_

#include <stdint.h>

// Where the factorisations change from one method to another; all instruction sets agree on them, and so do the counts
// of the scratch memory that they need.
namespace tenferro::linalg::factor {

// Order of the triangles that are factored and solved with in registers; products do the rest.
inline constexpr int64_t kLeafOrder = 32;
// Rows and columns of what Lu eliminates on the stack.
inline constexpr int64_t kSmallLuOrder = 16;
// Columns that Lu eliminates one by one.
inline constexpr int64_t kEliminationStrip = 8;
// Reflections that act on a matrix together.
inline constexpr int64_t kReflectionBlock = 32;

}  // namespace tenferro::linalg::factor

#endif  // TENFERRO_LINALG_CPU_FACTOR_ORDERS_H_
