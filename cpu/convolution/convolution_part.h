#ifndef TENFERRO_CPU_CONVOLUTION_CONVOLUTION_PART_H_
#define TENFERRO_CPU_CONVOLUTION_CONVOLUTION_PART_H_

#include <cstdint>
#include <vector>

#include "tenferro/cpu/convolution/im2col.h"
#include "tenferro/cpu/kernels/merged_axis.h"
#include "tenferro/cpu/kernels/move.h"
#include "tenferro/tensor/dtype.h"

namespace tenferro {

// What all parts of a convolution have in common. Strides count elements.
struct ConvOperands {
  Isa isa;
  DType dtype;
  int64_t groups;
  int64_t channels, made;  // of a group: what the sums run over beside the window, and the output channels
  int64_t images;          // of the result
  int64_t x_channel, x_image, x_group;
  int64_t w_channel, w_made;
  int64_t result_made;  // from one output channel of the result to the next; images come after all channels
};

// One axis of a part.
struct ConvPartAxis {
  ConvAxis axis;
  int64_t w_first, w_stride;            // where the window's element 0 lies, and the next
  int64_t result_first, result_stride;  // likewise the places
};

// Some places of a convolution, which are a convolution without dilation of x where that can be had: rows are places
// (of several images, where one has few), columns the output channels, and sums run over window and channels. The work
// is cut into tiles of fixed size. The left factor of a tile is written out (Im2col), 256 terms at a time, for the
// matrix product, whose sums come in blocks of 256 too: cutting the sum there changes no bit. Where x itself is the
// left factor, or the window has few places and never lies beside x, nothing is written out.
class ConvPart {
 public:
  ConvPart(const ConvOperands& operands, const std::vector<ConvPartAxis>& axes);

  int64_t tiles() const;
  // Window times channels; a part of depth 0 has no tile to run.
  int64_t depth() const { return window_ * operands_.channels; }
  int64_t places() const { return places_; }
  int64_t worker_bytes() const { return table_bytes_ + product_bytes_; }
  // Of w as the product likes it; 0 where it lies so.
  int64_t packed_bytes() const;
  // The copy that makes it, from element `w_start()` of w.
  const StridedCopyPlan& packing() const { return packing_; }
  int64_t w_start() const { return w_start_; }

  // `w` is the packed one where there is one. `workspace` has worker_bytes().
  void RunTile(int64_t tile, const char* x, const char* w, char* result, char* workspace) const;

 private:
  struct Tile;
  Tile TileOf(int64_t index) const;
  void WriteTable(const Tile& tile, const char* x, int64_t begin, int64_t count, char* table) const;

  ConvOperands operands_;
  int64_t size_;
  bool along_window_;
  Im2col table_;
  int64_t places_ = 1, window_ = 1, tile_images_ = 1;
  bool is_packed_ = false, is_direct_ = false;
  int64_t x_start_ = 0, w_start_ = 0, result_start_ = 0;
  MergedAxis w_rows_, result_rows_;
  MergedAxis x_rows_, x_summed_;  // where the left factor is x
  int64_t column_step_ = 0, table_bytes_ = 0, product_bytes_ = 0;
  StridedCopyPlan packing_{};
};

}  // namespace tenferro

#endif  // TENFERRO_CPU_CONVOLUTION_CONVOLUTION_PART_H_
