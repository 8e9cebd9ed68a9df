#ifndef TENFERRO_LINALG_CPU_COPIES_H_
#define TENFERRO_LINALG_CPU_COPIES_H_

#include <algorithm>
#include <cstdint>

namespace tenferro::linalg {

// r [rows, n]: the upper triangle of a, of which the first rows are filled.
template <class T>
void CopyUpper(const T* a, int64_t lda, int64_t rows, int64_t n, int64_t filled_rows, T* r) {
  for (int64_t j = 0; j < n; ++j) {
    const int64_t filled = std::min(j + 1, filled_rows);
    std::copy_n(a + j * lda, filled, r + j * rows);
    std::fill_n(r + j * rows + filled, rows - filled, T(0));
  }
}
// The first columns of the unit matrix.
template <class T>
void SetUnit(int64_t rows, int64_t columns, T* a) {
  std::fill_n(a, rows * columns, T(0));
  for (int64_t j = 0; j < std::min(rows, columns); ++j) a[j + j * rows] = 1;
}

}  // namespace tenferro::linalg

#endif  // TENFERRO_LINALG_CPU_COPIES_H_
