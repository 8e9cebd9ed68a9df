#ifndef TENFERRO_CPU_CONVOLUTION_IM2COL_H_
#define TENFERRO_CPU_CONVOLUTION_IM2COL_H_

#include <cstdint>
#include <vector>

namespace tenferro {

// One spatial axis of a convolution: place o sees element i of x through element k of the window where
// o·stride + k·window_dilation = i·x_dilation + low.
struct ConvAxis {
  int64_t places, window, extent;
  int64_t stride, window_dilation, x_dilation, low;
  int64_t x_stride;  // elements in memory from one element of x to the next
};

// The matrix of one channel that turns a convolution into a product: rows are places, columns elements of the window,
// each counted over all axes with the first one fastest; an entry is the element of x that the place sees through the
// element of the window, or 0. Both are alike, so that it can also be written with rows and columns exchanged.
class Im2col {
 public:
  static constexpr int kMostAxes = 62;
  static constexpr int64_t kMostRows = 256;

  // `axes` may be empty: one place, one element of the window.
  Im2col(int element_size, std::vector<ConvAxis> axes);

  // Writes rows [row, row + rows) of columns [column, column + columns), at most kMostRows rows, to `out`: rows one
  // after another, `column_step` elements from one column to the next. `x` is element (0, …, 0) of the channel.
  void Fill(const void* x, int64_t row, int64_t rows, int64_t column, int64_t columns, void* out,
            int64_t column_step) const;

 private:
  template <class Element>
  void FillAs(const Element* x, int64_t row, int64_t rows, int64_t column, int64_t columns, Element* out,
              int64_t column_step) const;

  int element_size_;
  std::vector<ConvAxis> axes_;
};

}  // namespace tenferro

#endif  // TENFERRO_CPU_CONVOLUTION_IM2COL_H_
