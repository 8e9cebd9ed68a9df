#include "tenferro/cpu/convolution/im2col.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "tenferro/cpu/kernels/move_elements.h"

namespace tenferro {
namespace {

constexpr int64_t kBeside = INT64_MIN;

// Where in memory the element of x lies that a place sees, or kBeside.
int64_t Seen(const ConvAxis& axis, int64_t element, int64_t place) {
  int64_t at = place * axis.stride + element * axis.window_dilation - axis.low;
  if (at < 0) return kBeside;
  if (axis.x_dilation != 1) {
    if (at % axis.x_dilation != 0) return kBeside;
    at /= axis.x_dilation;
  }
  return at < axis.extent ? at * axis.x_stride : kBeside;
}

// Consecutive places of the first axis that have the others in common, from row `at` on.
struct Run {
  int64_t begin, end, at;
};

// Which places see x through one element of the window: first, first + step, … below last; the next of them sees the
// element `advance` further on in memory.
struct Hits {
  int64_t first, last, step, advance;
};

Hits HitsOf(const ConvAxis& axis, int64_t element) {
  const auto ceiling = [](int64_t a, int64_t b) { return b == 1 ? a : (a + b - 1) / b; };
  const int64_t start = axis.low - element * axis.window_dilation;  // where x begins, as places are counted, · stride
  const int64_t length = axis.extent == 0 ? 0 : (axis.extent - 1) * axis.x_dilation + 1;
  Hits hits;
  hits.first = start > 0 ? ceiling(start, axis.stride) : 0;
  hits.last = start + length > 0 ? std::min(ceiling(start + length, axis.stride), axis.places) : 0;
  hits.step = 1;
  if (axis.x_dilation != 1) {
    hits.step = axis.x_dilation / std::gcd(axis.stride, axis.x_dilation);
    const int64_t end = std::min(hits.last, hits.first + hits.step);
    while (hits.first < end && (hits.first * axis.stride - start) % axis.x_dilation != 0) ++hits.first;
    if (hits.first == end) hits.last = hits.first;
  }
  hits.advance = hits.step * axis.stride / axis.x_dilation * axis.x_stride;
  return hits;
}

template <class Element>
void CopyRun(Element* out, const Element* in, int64_t n) {
  // Shorter runs cost less than a call of memcpy.
  constexpr int64_t kShortestCall = 96;
  if (n * static_cast<int64_t>(sizeof(Element)) >= kShortestCall) {
    std::memcpy(out, in, static_cast<size_t>(n) * sizeof(Element));
    return;
  }
  TENFERRO_INDEPENDENT
  for (int64_t i = 0; i < n; ++i) out[i].bits = in[i].bits;
}

// `x` is where the first axis is 0.
template <class Element>
void FillRun(const ConvAxis& axis, int64_t element, const Hits& hits, const Element* x, const Run& run, Element* out) {
  const int64_t length = run.end - run.begin;
  const Element zero{};
  int64_t first = std::max(hits.first, run.begin);
  if (hits.step != 1) first = hits.first + (first - hits.first + hits.step - 1) / hits.step * hits.step;
  const int64_t last = std::min(hits.last, run.end);
  if (first >= last) return FillElements(out, zero, length);
  const Element* const in = x + Seen(axis, element, first);
  if (hits.step != 1) {
    FillElements(out, zero, length);
    MoveElements(out + (first - run.begin), hits.step, in, hits.advance, (last - first - 1) / hits.step + 1);
    return;
  }
  FillElements(out, zero, first - run.begin);
  if (hits.advance == 1) {
    CopyRun(out + (first - run.begin), in, last - first);
  } else {
    MoveElements(out + (first - run.begin), 1, in, hits.advance, last - first);
  }
  FillElements(out + (last - run.begin), zero, run.end - last);
}

}  // namespace

Im2col::Im2col(int element_size, std::vector<ConvAxis> axes) : element_size_(element_size), axes_(std::move(axes)) {
  if (axes_.empty()) axes_.push_back({1, 1, 1, 1, 1, 1, 0, 0});
}

template <class Element>
void Im2col::FillAs(const Element* x, int64_t row, int64_t rows, int64_t column, int64_t columns, Element* out,
                    int64_t column_step) const {
  const ConvAxis& fastest = axes_[0];
  const int axes = static_cast<int>(axes_.size());
  // Element of the window and place on the axes beyond the first.
  int64_t element[kMostAxes], first_place[kMostAxes], place[kMostAxes];
  int64_t tap = column % fastest.window, rest = column / fastest.window;
  for (int i = 1; i < axes; ++i) {
    element[i] = rest % axes_[i].window;
    rest /= axes_[i].window;
  }
  const int64_t first_run = row % fastest.places;
  rest = row / fastest.places;
  for (int i = 1; i < axes; ++i) {
    first_place[i] = rest % axes_[i].places;
    rest /= axes_[i].places;
  }
  Run runs[kMostRows];
  int64_t offsets[kMostRows];
  int num_runs = 0;
  for (int64_t at = 0, begin = first_run; at < rows; begin = 0) {
    const int64_t end = std::min(fastest.places, begin + rows - at);
    runs[num_runs++] = {begin, end, at};
    at += end - begin;
  }

  for (int64_t done = 0; done < columns;) {
    std::copy(first_place + 1, first_place + axes, place + 1);
    for (int r = 0; r < num_runs; ++r) {
      offsets[r] = 0;
      for (int i = 1; i < axes && offsets[r] != kBeside; ++i) {
        const int64_t seen = Seen(axes_[i], element[i], place[i]);
        offsets[r] = seen == kBeside ? kBeside : offsets[r] + seen;
      }
      for (int i = 1; i < axes && ++place[i] == axes_[i].places; ++i) place[i] = 0;
    }
    for (; tap < fastest.window && done < columns; ++tap, ++done, out += column_step) {
      const Hits hits = HitsOf(fastest, tap);
      for (int r = 0; r < num_runs; ++r) {
        if (offsets[r] == kBeside) {
          FillElements(out + runs[r].at, Element{}, runs[r].end - runs[r].begin);
        } else {
          FillRun(fastest, tap, hits, x + offsets[r], runs[r], out + runs[r].at);
        }
      }
    }
    tap = 0;
    for (int i = 1; i < axes && ++element[i] == axes_[i].window; ++i) element[i] = 0;
  }
}

void Im2col::Fill(const void* x, int64_t row, int64_t rows, int64_t column, int64_t columns, void* out,
                  int64_t column_step) const {
  const auto fill = [&]<class Element>(Element) {
    FillAs(static_cast<const Element*>(x), row, rows, column, columns, static_cast<Element*>(out), column_step);
  };
  switch (element_size_) {
    case 1: return fill(Element1());
    case 4: return fill(Element4());
    case 8: return fill(Element8());
    default: return fill(Element16());
  }
}

}  // namespace tenferro
