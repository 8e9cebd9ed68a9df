#ifndef TENFERRO_TENFERRO_H_
#define TENFERRO_TENFERRO_H_

// Everything for programs that do not count bytes: tensors, graphs, the core operations, derivatives, vmap, the CPU
// engine, einsum. For linear algebra depend on "//linalg", "//linalg:cpu" and "//linalg:autodiff", for Fourier
// transforms on the same three of "//fft".
#include "tenferro/ad/checkpoint.h"
#include "tenferro/ad/custom_rule.h"
#include "tenferro/ad/grad.h"
#include "tenferro/ad/jacobian.h"
#include "tenferro/ad/jvp.h"
#include "tenferro/ad/linearize.h"
#include "tenferro/ad/stop_gradient.h"
#include "tenferro/ad/vjp.h"
#include "tenferro/cpu/cpu_engine.h"
#include "tenferro/einsum/einsum.h"
#include "tenferro/runtime/engine.h"
#include "tenferro/runtime/function.h"
#include "tenferro/runtime/graph.h"
#include "tenferro/runtime/ops/activations.h"
#include "tenferro/runtime/ops/arithmetic.h"
#include "tenferro/runtime/ops/call.h"
#include "tenferro/runtime/ops/convolution.h"
#include "tenferro/runtime/ops/cumulative.h"
#include "tenferro/runtime/ops/dot.h"
#include "tenferro/runtime/ops/elementwise.h"
#include "tenferro/runtime/ops/indexing.h"
#include "tenferro/runtime/ops/math.h"
#include "tenferro/runtime/ops/matrix_parts.h"
#include "tenferro/runtime/ops/products.h"
#include "tenferro/runtime/ops/rearrange.h"
#include "tenferro/runtime/ops/reduce.h"
#include "tenferro/runtime/ops/reductions.h"
#include "tenferro/runtime/ops/sort.h"
#include "tenferro/runtime/ops/source.h"
#include "tenferro/runtime/ops/structural.h"
#include "tenferro/runtime/program.h"
#include "tenferro/tensor/npy.h"
#include "tenferro/tensor/status.h"
#include "tenferro/tensor/tensor.h"
#include "tenferro/transforms/vmap.h"

#endif  // TENFERRO_TENFERRO_H_
