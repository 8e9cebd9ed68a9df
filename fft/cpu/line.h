#ifndef TENFERRO_FFT_CPU_LINE_H_
#define TENFERRO_FFT_CPU_LINE_H_

#include "tenferro/fft/cpu/isa_kernels.h"

// The functions of Kernels, for one instruction set.
namespace tenferro::fft::TENFERRO_ISA {

template <class T>
void RunLine(const SmoothPlan<T>& plan, const T* in, T* out, T* workspace, Direction<T> direction);
template <class T>
void RunTile(const SmoothPlan<T>& plan, TileSide<const T> in, TileSide<T> out, T* workspace, Direction<T> direction);
template <class T>
void Gather(const Lines<const T>& lines, int64_t scalars, T im_sign, T* rows);
template <class T>
void GatherTiles(const T* from, int64_t stride, int64_t rows, int64_t tiles, T im_sign, T* to, int64_t tile_scalars);
template <class T>
void ScatterTiles(const T* from, int64_t tile_scalars, int64_t tiles, int64_t rows, Direction<T> direction, T* to,
                  int64_t stride);
template <class T>
void Scatter(const T* rows, int64_t scalars, Direction<T> direction, const Lines<T>& lines);
template <class T>
void FinishHalfLine(const HalfLine<T>& half, T* x);
template <class T>
void FinishHalfTile(const HalfLine<T>& half, T* tile);
template <class T>
void BeginHalfLine(const HalfLine<T>& half, const T* x, T* z);
template <class T>
void BeginHalfTile(const HalfLine<T>& half, const T* x, T* z);
template <class T>
void TurnColumns(const SixStepPlan<T>& plan, const T* tile, int64_t first, T* workspace);
template <class T>
void Multiply(int64_t count, const T* in, const T* factors, T in_sign, T* out, Direction<T> direction);

}  // namespace tenferro::fft::TENFERRO_ISA

#endif  // TENFERRO_FFT_CPU_LINE_H_
