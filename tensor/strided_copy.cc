#include "tenferro/tensor/strided_copy.h"

#include <algorithm>
#include <cstdlib>

namespace tenferro {
namespace {

// Elements are moved as words of their size, of any type and at any address: the bytes may come from a file. Structs,
// because a template argument that is a plain integer type loses its attributes.
struct __attribute__((may_alias)) Word1 {
  uint8_t bits;
};
struct __attribute__((may_alias, packed)) Word4 {
  uint32_t bits;
};
struct __attribute__((may_alias, packed)) Word8 {
  uint64_t bits;
};
struct __attribute__((may_alias, packed)) Word16 {
  uint64_t low, high;
};

struct Axis {
  int64_t extent;
  int64_t source_stride;
  int64_t destination_stride;
};
using Axes = absl::InlinedVector<Axis, 6>;

// Axes without those of extent 1, neighbours merged where both sides step alike.
Axes MergedAxes(const Shape& shape, absl::Span<const int64_t> strides) {
  Axes axes;
  int64_t destination_stride = 1;
  for (int i = 0; i < shape.rank(); ++i) {
    const int64_t extent = shape.extent(i);
    if (extent == 1) continue;
    if (!axes.empty() && strides[i] == axes.back().extent * axes.back().source_stride) {
      axes.back().extent *= extent;
    } else {
      axes.push_back({extent, strides[i], destination_stride});
    }
    destination_stride *= extent;
  }
  if (axes.empty()) axes.push_back({1, 1, 1});
  return axes;
}

// Copies the elements along axis `a`, which are neighbours in the destination, for each index along axis `b`, by tiles.
template <class Word>
void CopyPlane(const Axis& a, const Axis& b, const Word* source, Word* destination) {
  // Whole cache lines at either end, and so few of them that strides of a power of two leave them in the cache.
  constexpr int64_t kTile = sizeof(Word) < 8 ? 64 / sizeof(Word) : 8;
  for (int64_t b0 = 0; b0 < b.extent; b0 += kTile) {
    const int64_t b1 = std::min(b0 + kTile, b.extent);
    for (int64_t a0 = 0; a0 < a.extent; a0 += kTile) {
      const int64_t a1 = std::min(a0 + kTile, a.extent);
      for (int64_t j = b0; j < b1; ++j) {
        const Word* from = source + j * b.source_stride;
        Word* to = destination + j * b.destination_stride;
        for (int64_t i = a0; i < a1; ++i) to[i] = from[i * a.source_stride];
      }
    }
  }
}

template <class Word>
void CopyRow(const Axis& a, const Word* source, Word* destination) {
  if (a.source_stride == 1) {
    std::copy_n(source, a.extent, destination);
  } else {
    for (int64_t i = 0; i < a.extent; ++i) destination[i] = source[i * a.source_stride];
  }
}

template <class Word>
void Copy(Axes axes, const Word* source, Word* destination) {
  // The axis whose elements lie closest together in the source: walking it in the outer loop would fetch each of its
  // cache lines many times.
  size_t near = 0;
  for (size_t i = 1; i < axes.size(); ++i) {
    if (std::abs(axes[i].source_stride) < std::abs(axes[near].source_stride)) near = i;
  }
  const Axis inner = axes[0];
  const bool by_planes = near != 0 && axes[near].source_stride != 0;
  const Axis other = axes[near];
  if (by_planes) axes.erase(axes.begin() + near);

  Ints index(axes.size(), 0);
  while (true) {
    if (by_planes) {
      CopyPlane(inner, other, source, destination);
    } else {
      CopyRow(inner, source, destination);
    }
    size_t axis = 1;
    for (; axis < axes.size(); ++axis) {
      source += axes[axis].source_stride;
      destination += axes[axis].destination_stride;
      if (++index[axis] < axes[axis].extent) break;
      source -= axes[axis].source_stride * axes[axis].extent;
      destination -= axes[axis].destination_stride * axes[axis].extent;
      index[axis] = 0;
    }
    if (axis == axes.size()) return;
  }
}

template <class Word>
void Copy(const Axes& axes, const void* source, void* destination) {
  Copy(axes, static_cast<const Word*>(source), static_cast<Word*>(destination));
}

}  // namespace

void CopyToColMajor(int64_t element_bytes, const Shape& shape, absl::Span<const int64_t> strides, const void* source,
                    void* destination) {
  if (shape.size() == 0) return;
  const Axes axes = MergedAxes(shape, strides);
  switch (element_bytes) {
    case 1: return Copy<Word1>(axes, source, destination);
    case 4: return Copy<Word4>(axes, source, destination);
    case 8: return Copy<Word8>(axes, source, destination);
    default: return Copy<Word16>(axes, source, destination);
  }
}

}  // namespace tenferro
