#ifndef TENFERRO_EXAMPLES_CUSTOM_OP_TROPICAL_H_
#define TENFERRO_EXAMPLES_CUSTOM_OP_TROPICAL_H_

#include "tenferro/cpu/custom_op.h"

// The max-plus product of two f64 matrices, C_ij = max_k (A_ik + B_kj), and the k (i64) that gives each maximum.
// Derivative: that of the chosen path, dC_ij = dA_ik + dB_kj.
extern const tenferro::CustomOp tropical_product;

#endif  // TENFERRO_EXAMPLES_CUSTOM_OP_TROPICAL_H_
