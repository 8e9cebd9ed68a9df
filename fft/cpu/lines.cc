#include "tenferro/fft/cpu/lines.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tenferro/cpu/share_work.h"

namespace tenferro::fft {
namespace {

template <class T>
Kernels<T> KernelsFor([[maybe_unused]] Isa isa) {
  Kernels<T> kernels;
#if defined(__aarch64__)
  isa_neon::GetKernels(&kernels);
#else
  isa == Isa::kV4   ? isa_v4::GetKernels(&kernels)
  : isa == Isa::kV3 ? isa_v3::GetKernels(&kernels)
                    : isa_v2::GetKernels(&kernels);
#endif
  return kernels;
}

// A tile's buffers up to this many bytes; longer lines are copied and done one by one.
constexpr int64_t kTileBytes = 2 << 20;

int64_t RoundUp(int64_t n, int64_t multiple) { return (n + multiple - 1) / multiple * multiple; }

// Two buffers, and a row for the last frequency of a real line.
int64_t TileScalars(int64_t n, int64_t lanes) { return RoundUp(4 * lanes * n + 2 * lanes, 16); }

template <class T>
bool HasSixStep(const Plan<T>& plan) {
  if (plan.kind() == Plan<T>::Kind::kBluestein) return HasSixStep(plan.inner());
  return plan.kind() == Plan<T>::Kind::kSixStep;
}

template <class T>
int64_t SixStepShared(const SixStepPlan<T>& plan, int64_t lanes) {
  return 2 * plan.rows.n * RoundUp(plan.columns.n, lanes);
}
// Tiles of a matrix that are read or written side by side, a few cache lines of each row at a time: rows lie far apart.
template <class T>
int64_t TilesTogether(int64_t n, int64_t lanes) {
  constexpr int64_t kTogether = 4, kBytes = 512 << 10;
  return std::clamp<int64_t>(kBytes / (2 * lanes * n * static_cast<int64_t>(sizeof(T))), 1, kTogether);
}
// Room between them, so that their rows do not meet in one set of the cache.
template <class T>
int64_t SideBySideScalars(int64_t n, int64_t lanes) {
  return 2 * lanes * n + 128 / static_cast<int64_t>(sizeof(T));
}
template <class T>
int64_t SixStepOwn(const SixStepPlan<T>& plan, int64_t lanes) {
  const int64_t n = std::max(plan.rows.n, plan.columns.n);
  return TileScalars(n, lanes) + TilesTogether<T>(n, lanes) * SideBySideScalars<T>(n, lanes);
}

// Of RunComplex, but for what each thread of a long line has to itself.
template <class T>
int64_t LineScalars(const Plan<T>& plan, int64_t lanes) {
  switch (plan.kind()) {
    case Plan<T>::Kind::kSmooth:
      return plan.smooth().single == SingleLine::kNone ? TileScalars(plan.n(), lanes) : 2 * plan.smooth().line_scalars;
    case Plan<T>::Kind::kSixStep: return SixStepShared(plan.six_step(), lanes);
    case Plan<T>::Kind::kBluestein: return 2 * plan.inner().n() + LineScalars(plan.inner(), lanes);
  }
  return 0;
}
template <class T>
int64_t OwnScalars(const Plan<T>& plan, int64_t lanes) {
  if (plan.kind() == Plan<T>::Kind::kBluestein) return OwnScalars(plan.inner(), lanes);
  return plan.kind() == Plan<T>::Kind::kSixStep ? SixStepOwn(plan.six_step(), lanes) : 0;
}

double Nanoseconds(int64_t n, int64_t lines) {
  return 0.5 * static_cast<double>(n) * std::log2(static_cast<double>(n) + 1) * static_cast<double>(lines);
}

}  // namespace

template <class T>
LineTransform<T>::LineTransform(Isa isa, const LinesOptions& options)
    : options_(options), kernels_(KernelsFor<T>(isa)) {
  if (lines() == 0) return;
  const bool halved = real() && even();
  plan_ = Plan<T>::Get(halved ? options_.n / 2 : options_.n, kernels_.lanes);
  if (halved) half_roots_ = RootsOfHalfLine<T>(options_.n);
  ChooseWay();
  SizeWorkspaces();
}

template <class T>
int64_t LineTransform<T>::in_scalars() const {
  return options_.kind == LineKind::kHalfToReal ? 2 * (options_.n / 2 + 1) : in_parts() * options_.n;
}
template <class T>
int64_t LineTransform<T>::out_scalars() const {
  return options_.kind == LineKind::kRealToHalf ? 2 * (options_.n / 2 + 1) : out_parts() * options_.n;
}

template <class T>
HalfLine<T> LineTransform<T>::half() const {
  return {options_.n / 2, half_roots_.data(), static_cast<T>(options_.scale), static_cast<T>(options_.inner)};
}

template <class T>
Direction<T> LineTransform<T>::direction() const {
  return {options_.inverse ? T(-1) : T(1), static_cast<T>(options_.scale)};
}

template <class T>
void LineTransform<T>::ChooseWay() {
  const int64_t lanes = kernels_.lanes;
  const bool smooth = plan_->kind() == Plan<T>::Kind::kSmooth;
  const bool tiles = smooth && TileScalars(plan_->n(), lanes) * static_cast<int64_t>(sizeof(T)) <= kTileBytes;
  const SingleLine single = plan_->smooth().single;
  // A tile with a few lines costs as much as a full one.
  const bool alone =
      !smooth || single == SingleLine::kEights || (single == SingleLine::kGather && 2 * lines() <= lanes);
  if (options_.before == 1 && (alone || !tiles)) {
    way_ = Way::kOneByOne;
  } else {
    way_ = tiles ? Way::kTiles : Way::kCopied;
  }
  long_ = way_ != Way::kTiles && HasSixStep(*plan_);
}

template <class T>
void LineTransform<T>::SizeWorkspaces() {
  const int64_t lanes = kernels_.lanes;
  if (way_ == Way::kTiles) {
    own_ = TileScalars(plan_->n(), lanes);
    return;
  }
  int64_t line = RoundUp(LineScalars(*plan_, lanes), 16);
  if (real()) line += RoundUp(2 * options_.n + 2, 16);
  if (way_ == Way::kCopied) line += lanes * RoundUp(in_scalars(), 16) + RoundUp(out_scalars(), 16);
  (long_ ? shared_ : own_) = line;
  if (long_) own_ = OwnScalars(*plan_, lanes);
}

// Where a line begins in a tensor whose lines have so many scalars.
template <class T>
int64_t LineTransform<T>::FirstOf(int64_t line, int64_t scalars, int64_t parts) const {
  return line / options_.before * scalars * options_.before + line % options_.before * parts;
}

// The lines of a tile, fewer at the end.
template <class T>
template <class P>
Lines<P> LineTransform<T>::LinesFrom(P* memory, int64_t first, int64_t scalars, int64_t parts) const {
  Lines<P> tile{.count = std::min(kernels_.lanes, lines() - first), .parts = parts, .stride = options_.before * parts};
  for (int64_t lane = 0; lane < tile.count; ++lane) tile.first[lane] = memory + FirstOf(first + lane, scalars, parts);
  return tile;
}

template <class T>
void LineTransform<T>::Run(const T* in, T* out, const KernelArguments& arguments) const {
  const int64_t count = lines();
  if (count == 0) return;
  const double nanoseconds = Nanoseconds(options_.n, count);
  const auto own = [&](int worker) { return static_cast<T*>(arguments.WorkspaceOf(worker)); };
  const int64_t step = way_ == Way::kOneByOne ? 1 : kernels_.lanes;
  const auto run = [&](int64_t first, const Work& work) {
    if (way_ == Way::kOneByOne) {
      RunOne(in + first * in_scalars(), out + first * out_scalars(), work);
    } else if (way_ == Way::kCopied) {
      RunCopied(first, in, out, work);
    } else if (real()) {
      RunRealTile(first, in, out, work.shared);
    } else {
      RunTile(first, in, out, work.shared);
    }
  };
  if (long_) {
    for (int64_t first = 0; first < count; first += step)
      run(first, {static_cast<T*>(arguments.workspace), &arguments});
    return;
  }
  ForEachRange(arguments.workers, (count + step - 1) / step, nanoseconds, [&](int64_t begin, int64_t end, int worker) {
    for (int64_t i = begin; i < end; ++i) run(i * step, {own(worker), nullptr});
  });
}

template <class T>
void LineTransform<T>::RunTile(int64_t first, const T* in, T* out, T* workspace) const {
  const SmoothPlan<T>& plan = plan_->smooth();
  const int64_t lanes = kernels_.lanes, before = options_.before, n = options_.n;
  if (first % before + lanes <= before) {
    const int64_t at = FirstOf(first, 2 * n, 2);
    return kernels_.tile(plan, {in + at, 2 * before, 0, true}, {out + at, 2 * before, 0, true}, workspace, direction());
  }
  T* const result = workspace + plan.count % 2 * 2 * lanes * n;
  kernels_.gather(LinesFrom(in, first, 2 * n, 2), 2 * n, direction().im_sign, workspace);
  kernels_.tile(plan, {workspace, 2 * lanes, lanes, false}, {result, 2 * lanes, lanes, false}, workspace, direction());
  kernels_.scatter(result, 2 * n, direction(), LinesFrom(out, first, 2 * n, 2));
}

template <class T>
void LineTransform<T>::RunRealTile(int64_t first, const T* in, T* out, T* workspace) const {
  const SmoothPlan<T>& plan = plan_->smooth();
  const int64_t lanes = kernels_.lanes, before = options_.before, n = options_.n, row = 2 * lanes;
  const int64_t frequencies = n / 2 + 1;
  T* const second = workspace + row * plan.n;
  T* const result = plan.count % 2 == 0 ? workspace : second;
  const TileSide<const T> from{workspace, row, lanes, false};
  const TileSide<T> to{result, row, lanes, false};
  const Lines<const T> in_lines = LinesFrom(in, first, in_scalars(), in_parts());
  const Lines<T> out_lines = LinesFrom(out, first, out_scalars(), out_parts());
  const T ends = half().ends, inner = half().inner;
  const auto scale_row = [&](int64_t k, T re, T im) {
    for (int64_t lane = 0; lane < lanes; ++lane) {
      result[k * row + lane] *= re;
      result[k * row + lanes + lane] *= im;
    }
  };
  if (options_.kind == LineKind::kRealToHalf) {
    if (even() && first % before + lanes <= before) {
      const TileSide<const T> rows{in_lines.first[0], 2 * before, before, false};
      kernels_.tile(plan, rows, to, workspace, {1, 1});
    } else {
      kernels_.gather(in_lines, n, 1, workspace);
      for (int64_t t = even() ? -1 : n - 1; t >= 0; --t) {
        std::memmove(workspace + t * row, workspace + t * lanes, lanes * sizeof(T));
        std::fill_n(workspace + t * row + lanes, lanes, T(0));
      }
      kernels_.tile(plan, from, to, workspace, {1, 1});
    }
    if (even()) {
      kernels_.finish_half_tile(half(), result);
    } else {
      scale_row(0, ends, 0);
      for (int64_t k = 1; k < frequencies; ++k) scale_row(k, inner, inner);
    }
    return kernels_.scatter(result, 2 * frequencies, {1, 1}, out_lines);
  }
  if (even()) {
    kernels_.gather(in_lines, 2 * frequencies, 1, second);
    kernels_.begin_half_tile(half(), second, workspace);
    kernels_.tile(plan, from, to, workspace, {1, 1});
    return kernels_.scatter(result, n, {-1, 1}, out_lines);
  }
  // The conjugates of all frequencies, and the real parts of the result.
  kernels_.gather(in_lines, 2 * frequencies, -1, workspace);
  for (int64_t lane = 0; lane < lanes; ++lane) {
    workspace[lane] *= ends;
    workspace[lanes + lane] = 0;
  }
  for (int64_t k = 1; k < frequencies; ++k) {
    T* const low = workspace + k * row;
    T* const high = workspace + (n - k) * row;
    for (int64_t lane = 0; lane < row; ++lane) low[lane] *= inner * T(0.5);
    for (int64_t lane = 0; lane < lanes; ++lane) {
      high[lane] = low[lane];
      high[lanes + lane] = -low[lanes + lane];
    }
  }
  kernels_.tile(plan, from, to, workspace, {1, 1});
  for (int64_t t = 1; t < n; ++t) std::memmove(result + t * lanes, result + t * row, lanes * sizeof(T));
  kernels_.scatter(result, n, {1, 1}, out_lines);
}

template <class T>
void LineTransform<T>::RunCopied(int64_t first, const T* in, T* out, const Work& work) const {
  const int64_t size = RoundUp(in_scalars(), 16), in_part = in_parts(), out_part = out_parts();
  const Lines<const T> from = LinesFrom(in, first, in_scalars(), in_part);
  const Lines<T> to = LinesFrom(out, first, out_scalars(), out_part);
  T* const copies = work.shared;
  T* const result = copies + kernels_.lanes * size;
  for (int64_t t = 0; t < in_scalars() / in_part; ++t) {
    for (int64_t lane = 0; lane < from.count; ++lane) {
      std::memcpy(copies + lane * size + t * in_part, from.first[lane] + t * from.stride, in_part * sizeof(T));
    }
  }
  for (int64_t lane = 0; lane < from.count; ++lane) {
    RunOne(copies + lane * size, result, {result + RoundUp(out_scalars(), 16), work.arguments});
    for (int64_t t = 0; t < out_scalars() / out_part; ++t) {
      std::memcpy(to.first[lane] + t * to.stride, result + t * out_part, out_part * sizeof(T));
    }
  }
}

template <class T>
void LineTransform<T>::RunOne(const T* in, T* out, const Work& work) const {
  if (!real()) return RunComplex(*plan_, in, out, direction(), work);
  if (!even()) return RunOddLine(in, out, work);
  if (options_.kind == LineKind::kRealToHalf) {
    RunComplex(*plan_, in, out, {1, 1}, work);
    return kernels_.finish_half_line(half(), out);
  }
  T* const line = work.shared;
  kernels_.begin_half_line(half(), in, line);
  RunComplex(*plan_, line, out, {-1, 1}, {line + RoundUp(2 * options_.n + 2, 16), work.arguments});
}

template <class T>
void LineTransform<T>::RunOddLine(const T* in, T* out, const Work& work) const {
  const int64_t n = options_.n, frequencies = n / 2 + 1;
  const T ends = half().ends, inner = half().inner;
  T* const line = work.shared;
  const Work rest{line + RoundUp(2 * n + 2, 16), work.arguments};
  if (options_.kind == LineKind::kRealToHalf) {
    for (int64_t t = 0; t < n; ++t) {
      line[2 * t] = in[t];
      line[2 * t + 1] = 0;
    }
    RunComplex(*plan_, line, line, {1, 1}, rest);
    out[0] = line[0] * ends;
    out[1] = 0;
    for (int64_t s = 2; s < 2 * frequencies; ++s) out[s] = line[s] * inner;
    return;
  }
  line[0] = in[0] * ends;
  line[1] = 0;
  for (int64_t k = 1; k < frequencies; ++k) {
    line[2 * k] = line[2 * (n - k)] = in[2 * k] * (inner * T(0.5));
    line[2 * k + 1] = in[2 * k + 1] * (inner * T(0.5));
    line[2 * (n - k) + 1] = -line[2 * k + 1];
  }
  RunComplex(*plan_, line, line, {-1, 1}, rest);
  for (int64_t t = 0; t < n; ++t) out[t] = line[2 * t];
}

template <class T>
void LineTransform<T>::RunComplex(const Plan<T>& plan, const T* in, T* out, Direction<T> direction,
                                  const Work& work) const {
  switch (plan.kind()) {
    case Plan<T>::Kind::kSmooth: break;
    case Plan<T>::Kind::kSixStep: return RunSixStep(plan.six_step(), in, out, direction, work);
    case Plan<T>::Kind::kBluestein: return RunBluestein(plan, in, out, direction, work);
  }
  const SmoothPlan<T>& smooth = plan.smooth();
  if (smooth.single != SingleLine::kNone) return kernels_.line(smooth, in, out, work.shared, direction);
  const int64_t lanes = kernels_.lanes, n = smooth.n;
  T* const tile = work.shared;
  T* const result = tile + smooth.count % 2 * 2 * lanes * n;
  kernels_.gather({{in}, 1, 2, 2}, 2 * n, direction.im_sign, tile);
  kernels_.tile(smooth, {tile, 2 * lanes, lanes, false}, {result, 2 * lanes, lanes, false}, tile, direction);
  kernels_.scatter(result, 2 * n, direction, {{out}, 1, 2, 2});
}

// D. H. Bailey, J. Supercomputing 4 (1990) 23: a matrix of rows.n × columns.n. Tiles of neighbouring columns are
// transformed, multiplied by roots and written as the tiles that the rows are transformed in.
template <class T>
void LineTransform<T>::RunSixStep(const SixStepPlan<T>& plan, const T* in, T* out, Direction<T> direction,
                                  const Work& work) const {
  const int64_t lanes = kernels_.lanes, columns = plan.rows.n, rows = plan.columns.n, row = 2 * lanes;
  const int64_t longest = std::max(columns, rows), together = TilesTogether<T>(longest, lanes);
  const int64_t tile_scalars = SideBySideScalars<T>(longest, lanes), step = together * lanes;
  T* const turned = work.shared;
  const KernelArguments& arguments = *work.arguments;
  const double nanoseconds = Nanoseconds(rows * columns, 1) / 2;
  // task(first, count, buffers, tiles) for groups of a few tiles of 0 … all − 1.
  const auto for_tiles = [&](int64_t all, const auto& task) {
    ForEachRange(arguments.workers, (all + step - 1) / step, nanoseconds, [&](int64_t begin, int64_t end, int worker) {
      T* const buffers = static_cast<T*>(arguments.WorkspaceOf(worker));
      for (int64_t first = begin * step; first < std::min(end * step, all); first += step) {
        task(first, std::min(step, all - first), buffers, buffers + TileScalars(longest, lanes));
      }
    });
  };
  for_tiles(columns, [&](int64_t first, int64_t count, T* buffers, T* tiles) {
    const SmoothPlan<T>& smooth = plan.columns;
    T* const result = buffers + smooth.count % 2 * row * rows;
    const int64_t whole = count / lanes;
    kernels_.gather_tiles(in + 2 * first, 2 * columns, rows, whole, direction.im_sign, tiles, tile_scalars);
    if (whole * lanes < count) {
      Lines<const T> lines{.count = count - whole * lanes, .parts = 2, .stride = 2 * columns};
      for (int64_t lane = 0; lane < lines.count; ++lane) lines.first[lane] = in + 2 * (first + whole * lanes + lane);
      kernels_.gather(lines, 2 * rows, direction.im_sign, tiles + whole * tile_scalars);
    }
    for (int64_t k = 0; k * lanes < count; ++k) {
      kernels_.tile(smooth, {tiles + k * tile_scalars, row, lanes, false}, {result, row, lanes, false}, buffers,
                    {1, 1});
      kernels_.turn_columns(plan, result, first + k * lanes, turned);
    }
  });
  for_tiles(rows, [&](int64_t first, int64_t count, T* buffers, T* tiles) {
    const int64_t whole = count / lanes;
    for (int64_t k = 0; k * lanes < count; ++k) {
      const T* const from = turned + 2 * (first + k * lanes) * columns;
      kernels_.tile(plan.rows, {from, row, lanes, false}, {tiles + k * tile_scalars, row, lanes, false}, buffers,
                    {1, 1});
    }
    kernels_.scatter_tiles(tiles, tile_scalars, whole, columns, direction, out + 2 * first, 2 * rows);
    if (whole * lanes < count) {
      Lines<T> lines{.count = count - whole * lanes, .parts = 2, .stride = 2 * rows};
      for (int64_t lane = 0; lane < lines.count; ++lane) lines.first[lane] = out + 2 * (first + whole * lanes + lane);
      kernels_.scatter(tiles + whole * tile_scalars, 2 * columns, direction, lines);
    }
  });
}

// L. Bluestein, IEEE Trans. Audio Electroacoust. 18 (1970) 451: with c_j = e^(−πi·j²/n), −2jk = (j − k)² − j² − k²
// makes the transform y_k = c_k Σ_j (x_j c_j) conj c_(k−j), a convolution.
template <class T>
void LineTransform<T>::RunBluestein(const Plan<T>& plan, const T* in, T* out, Direction<T> direction,
                                    const Work& work) const {
  const int64_t n = plan.n(), length = plan.inner().n();
  T* const circle = work.shared;
  const Work rest{circle + 2 * length, work.arguments};
  kernels_.multiply(n, in, plan.chirp(), direction.im_sign, circle, {1, 1});
  std::fill_n(circle + 2 * n, 2 * (length - n), T(0));
  RunComplex(plan.inner(), circle, circle, {1, 1}, rest);
  kernels_.multiply(length, circle, plan.spectrum(), 1, circle, {1, 1});
  RunComplex(plan.inner(), circle, circle, {-1, 1}, rest);
  kernels_.multiply(n, circle, plan.chirp(), 1, out, direction);
}

template class LineTransform<float>;
template class LineTransform<double>;

}  // namespace tenferro::fft
