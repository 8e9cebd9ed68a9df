// Compiled once per instruction set.
#include "tenferro/cpu/gemm/kernels.h"

#include "tenferro/cpu/gemm/gemv-inl.h"
#include "tenferro/cpu/gemm/lane-inl.h"
#include "tenferro/cpu/gemm/nonzeros-inl.h"
#include "tenferro/cpu/gemm/pack-inl.h"
#include "tenferro/cpu/gemm/spread-inl.h"
#include "tenferro/cpu/gemm/tile-inl.h"

namespace tenferro {
namespace TENFERRO_ISA {
namespace {

template <class T, bool kComplex>
constexpr GemmKernel MakeKernel() {
  GemmKernel kernel = {};
  kernel.element_bytes = sizeof(ElementOf<T, kComplex>);
  kernel.lanes = kLanesOf<ElementOf<T, kComplex>>;
  kernel.tile_vectors = kTileVectors;
  kernel.tile_columns = kComplex ? kTileColumns / 2 : kTileColumns;
  kernel.is_complex = kComplex;
  kernel.masked_rows = kMaskedRows;
  FillTiles<T, kComplex, kTileVectors, kTileColumns>(kernel);
  FillLaneTiles<T, kComplex>(kernel);
  kernel.pack = Pack<ElementOf<T, kComplex>>;
  kernel.nonzeros = Nonzeros<T, kComplex>;
  kernel.squeeze = Squeeze<ElementOf<T, kComplex>>;
  kernel.spread = Spread<ElementOf<T, kComplex>>;
  kernel.add_columns = AddColumns<T, kComplex>;
  kernel.sum_rows = SumRows<T, kComplex>;
  kernel.sum_blocks = SumBlocks<T, kComplex>;
  kernel.sum_in_turns = SumInTurns<T, kComplex>;
  kernel.add_in_turns = AddInTurns<T, kComplex>;
  return kernel;
}

}  // namespace

constinit const GemmKernels kGemmKernels = {
    {MakeKernel<float, false>(), MakeKernel<double, false>(), MakeKernel<float, true>(), MakeKernel<double, true>()}};

}  // namespace TENFERRO_ISA
}  // namespace tenferro
