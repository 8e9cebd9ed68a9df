// conv_general as matrix products: rows are the places of the window (of several images, where one has few), columns
// the output channels, and the sum runs over window and channels. A tile of the left factor is written out (Im2col),
// 256 terms at a time, for the matrix product, whose sums come in blocks of 256 too: cutting the sum there changes no
// bit. Where x itself is the left factor, or the window has few places and never lies beside x, nothing is written out.

#include <algorithm>
#include <utility>
#include <vector>

#include "tenferro/cpu/cost.h"
#include "tenferro/cpu/gemm/gemm.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/cpu/kernels/im2col.h"
#include "tenferro/cpu/kernels/merged_axis.h"
#include "tenferro/runtime/ops/convolution.h"

namespace tenferro {
namespace {

constexpr int64_t kTileRows = Im2col::kMostRows;
constexpr int64_t kTileColumns = 256;
constexpr int64_t kTileDepth = 256;  // that of the product's own blocks
constexpr int64_t kFewPlaces = 16;

int64_t Blocks(int64_t count, int64_t size) { return (count + size - 1) / size; }

std::vector<ConvAxis> AxesOf(const KernelRequest& request) {
  const ConvAttributes conv = Decode<ConvAttributes>(request.attributes);
  std::vector<ConvAxis> axes;
  for (int i = 0; i + 2 < request.inputs[0].shape.rank(); ++i) {
    axes.push_back({.places = request.outputs[0].shape.extent(i),
                    .window = request.inputs[1].shape.extent(i),
                    .extent = request.inputs[0].shape.extent(i),
                    .stride = conv.strides[i],
                    .window_dilation = conv.rhs_dilation[i],
                    .x_dilation = conv.lhs_dilation[i],
                    .low = conv.low[i],
                    .x_stride = request.input_strides[0][i]});
  }
  return axes;
}

// Places and elements of the window in each other's role: the same entries.
std::vector<ConvAxis> Exchanged(std::vector<ConvAxis> axes) {
  for (ConvAxis& axis : axes) {
    std::swap(axis.places, axis.window);
    std::swap(axis.stride, axis.window_dilation);
  }
  return axes;
}

// Every place sees an element of x through every element of the window.
bool IsInside(const std::vector<ConvAxis>& axes) {
  return std::all_of(axes.begin(), axes.end(), [](const ConvAxis& axis) {
    return axis.x_dilation == 1 && axis.low <= 0 &&
           (axis.places - 1) * axis.stride + (axis.window - 1) * axis.window_dilation - axis.low < axis.extent;
  });
}

// Rows are worth the window's time where its first axis has more places than elements.
bool AlongWindow(const std::vector<ConvAxis>& axes) { return !axes.empty() && axes[0].window > axes[0].places; }

class ConvKernel final : public Kernel {
 public:
  explicit ConvKernel(const KernelRequest& request) : ConvKernel(request, AxesOf(request)) {}

  int64_t worker_workspace_bytes() const override { return table_bytes_ + product_bytes_; }

  absl::Status Run(const KernelArguments& arguments) const override {
    const int64_t tasks =
        groups_ * Blocks(images_, tile_images_) * Blocks(places_, kTileRows) * Blocks(made_, kTileColumns);
    const auto run = [&](int64_t begin, int64_t end, int worker) {
      for (int64_t task = begin; task < end; ++task) RunTile(arguments, task, arguments.WorkspaceOf(worker));
    };
    if (arguments.workers.width() == 1 || tasks < 2 || nanoseconds_ < kForkNanoseconds) {
      run(0, tasks, 0);
      return absl::OkStatus();
    }
    const int64_t pieces = std::min(tasks, static_cast<int64_t>(nanoseconds_ / kTaskNanoseconds) + 1);
    const int64_t each = Blocks(tasks, pieces);
    arguments.workers.ForEachWorker(Blocks(tasks, each), [&](int64_t piece, int worker) {
      run(piece * each, std::min(tasks, (piece + 1) * each), worker);
    });
    return absl::OkStatus();
  }

 private:
  // Output channels [column, column + columns) of a group at places [row, row + rows) of images [image, image +
  // images).
  struct Tile {
    int64_t group, image, images, row, rows, column, columns;
  };

  ConvKernel(const KernelRequest& request, const std::vector<ConvAxis>& axes)
      : isa_(request.isa),
        dtype_(request.outputs[0].dtype),
        size_(SizeOf(dtype_)),
        along_window_(AlongWindow(axes)),
        table_(static_cast<int>(size_), along_window_ ? Exchanged(axes) : axes) {
    const ConvAttributes conv = Decode<ConvAttributes>(request.attributes);
    const Shape &w = request.inputs[1].shape, &out = request.outputs[0].shape;
    const Ints &x_strides = request.input_strides[0], &w_strides = request.input_strides[1];
    const int spatial = static_cast<int>(axes.size());
    groups_ = std::max(conv.feature_groups, conv.batch_groups);
    channels_ = w.extent(spatial);
    made_ = w.extent(spatial + 1) / groups_;
    all_made_ = w.extent(spatial + 1);
    images_ = out.extent(spatial + 1);
    for (const ConvAxis& axis : axes) {
      places_ *= axis.places;
      window_ *= axis.window;
    }
    if (out.size() == 0) {
      groups_ = 0;
      return;
    }
    x_channel_ = x_strides[spatial];
    x_image_ = x_strides[spatial + 1];
    x_group_ = conv.feature_groups > 1 ? channels_ * x_channel_ : images_ * x_image_;
    tile_images_ = std::clamp<int64_t>(kTileRows / places_, 1, images_);

    // The right factor: window and channels by output channels.
    Shape summed, rows;
    Ints w_along, x_along, rows_along;
    for (int i = 0; i < spatial; ++i) {
      const ConvAxis& axis = axes[i];
      summed.push_back(axis.window);
      w_along.push_back(conv.reverse_window ? -w_strides[i] : w_strides[i]);
      if (conv.reverse_window) w_start_ += (axis.window - 1) * w_strides[i];
      x_along.push_back(axis.window_dilation * axis.x_stride);
      x_start_ -= axis.low * axis.x_stride;
      rows.push_back(axis.places);
      rows_along.push_back(axis.stride * axis.x_stride);
    }
    summed.push_back(channels_);
    w_along.push_back(w_strides[spatial]);
    x_along.push_back(x_channel_);
    rows.push_back(tile_images_);
    rows_along.push_back(x_image_);
    const auto merged = [](const Shape& shape, const Ints& strides) {
      Ints all;
      for (int i = 0; i < shape.rank(); ++i) all.push_back(i);
      return MergedAxis(shape, strides, all);
    };
    w_rows_ = merged(summed, w_along);
    w_column_ = w_strides[spatial + 1];
    out_rows_ = merged({places_, tile_images_}, {1, all_made_ * places_});
    direct_ = channels_ * window_ > 0 && IsInside(axes) && (window_ == 1 || places_ < kFewPlaces);
    if (direct_) {
      x_rows_ = merged(rows, rows_along);
      x_summed_ = merged(summed, x_along);
    } else {
      // One more line of the cache from column to column, which would fight for the same places in it otherwise.
      column_step_ = kTileRows + 64 / size_;
      table_bytes_ = kTileDepth * column_step_ * size_;
    }
    GemmArgs args{};
    args.dtype = static_cast<uint8_t>(dtype_);
    args.c_rows = {std::min(kTileRows, places_ * tile_images_), 1, nullptr};
    args.c_cols = {std::min(kTileColumns, made_), 1, nullptr};
    args.a_cols = {std::min(direct_ ? depth() : kTileDepth, depth()), 1, nullptr};
    product_bytes_ = GemmWorkspaceBytes(isa_, args);
    nanoseconds_ = kProductNanoseconds * static_cast<double>(out.size()) * static_cast<double>(depth() + 1) *
                   static_cast<double>(size_) / 8;
  }

  int64_t depth() const { return window_ * channels_; }

  Tile TileOf(int64_t task) const {
    const int64_t row_blocks = Blocks(places_, kTileRows), column_blocks = Blocks(made_, kTileColumns);
    const int64_t image_blocks = Blocks(images_, tile_images_);
    Tile tile;
    tile.column = task % column_blocks * kTileColumns;
    task /= column_blocks;
    tile.row = task % row_blocks * kTileRows;
    task /= row_blocks;
    tile.image = task % image_blocks * tile_images_;
    tile.group = task / image_blocks;
    tile.columns = std::min(kTileColumns, made_ - tile.column);
    tile.rows = std::min(kTileRows, places_ - tile.row);
    tile.images = std::min(tile_images_, images_ - tile.image);
    return tile;
  }

  void RunTile(const KernelArguments& arguments, int64_t task, void* workspace) const {
    const Tile tile = TileOf(task);
    const char* const x =
        static_cast<const char*>(arguments.inputs[0]) + (tile.group * x_group_ + tile.image * x_image_) * size_;
    const char* const w = static_cast<const char*>(arguments.inputs[1]) +
                          (w_start_ + (tile.group * made_ + tile.column) * w_column_) * size_;
    char* const table = static_cast<char*>(workspace);
    GemmArgs args{};
    args.dtype = static_cast<uint8_t>(dtype_);
    args.b_cols = {tile.columns, w_column_, nullptr};
    args.c = static_cast<char*>(arguments.outputs[0]) +
             ((tile.image * all_made_ + tile.group * made_ + tile.column) * places_ + tile.row) * size_;
    args.c_rows = Prefix(out_rows_, tile);
    args.c_cols = {tile.columns, places_, nullptr};
    if (direct_) {
      // Rows of one image from tile.row on, or all of several.
      args.a_rows = Prefix(x_rows_, tile);
      const int64_t skipped = tile.row == 0 ? 0 : x_rows_.offset(tile.row);
      if (args.a_rows.offsets != nullptr) {
        args.a_rows.offsets += tile.row;
        args.a = x + x_start_ * size_;
      } else {
        args.a = x + (x_start_ + skipped) * size_;
      }
      args.a_cols = x_summed_.ToGemm();
      args.b_rows = w_rows_.ToGemm();
      args.b = w;
      return GemmBlock(isa_, args, 0, args.c_rows.extent, 0, tile.columns, table);
    }
    args.a = table;
    for (int64_t begin = 0; begin == 0 || begin < depth(); begin += kTileDepth) {
      const int64_t count = std::min(kTileDepth, depth() - begin);
      WriteTable(tile, x, begin, count, table);
      args.a_rows = {args.c_rows.extent, along_window_ ? column_step_ : 1, nullptr};
      args.a_cols = {count, along_window_ ? 1 : column_step_, nullptr};
      args.b_rows = w_rows_.ToGemm();
      args.b_rows.extent = count;
      args.b = w;
      if (args.b_rows.offsets != nullptr) {
        args.b_rows.offsets += begin;
      } else {
        args.b = w + begin * args.b_rows.stride * size_;
      }
      args.accumulate = begin > 0;
      GemmBlock(isa_, args, 0, args.c_rows.extent, 0, tile.columns, table + table_bytes_);
    }
  }

  // The first rows of an axis over the places of some images.
  static GemmAxis Prefix(const MergedAxis& rows, const Tile& tile) {
    GemmAxis axis = rows.ToGemm();
    axis.extent = tile.rows * tile.images;
    return axis;
  }

  // Terms [begin, begin + count) of the sums of a tile's rows.
  void WriteTable(const Tile& tile, const char* x, int64_t begin, int64_t count, char* table) const {
    for (int64_t done = 0; done < count;) {
      const int64_t channel = (begin + done) / window_, element = (begin + done) % window_;
      const int64_t elements = std::min(window_ - element, count - done);
      for (int64_t image = 0; image < tile.images; ++image) {
        const char* const from = x + (channel * x_channel_ + image * x_image_) * size_;
        const int64_t at = image * tile.rows;
        if (along_window_) {
          table_.Fill(from, element, elements, tile.row, tile.rows, table + (done + at * column_step_) * size_,
                      column_step_);
        } else {
          table_.Fill(from, tile.row, tile.rows, element, elements, table + (at + done * column_step_) * size_,
                      column_step_);
        }
      }
      done += elements;
    }
  }

  Isa isa_;
  DType dtype_;
  int64_t size_;
  bool along_window_;
  Im2col table_;
  int64_t groups_, channels_, made_, all_made_,
      images_;  // channels and output channels of a group; images of the result
  int64_t places_ = 1, window_ = 1, tile_images_ = 1;
  int64_t x_channel_ = 0, x_image_ = 0, x_group_ = 0, x_start_ = 0;
  int64_t w_column_ = 0, w_start_ = 0;
  bool direct_ = false;
  MergedAxis w_rows_, out_rows_, x_rows_, x_summed_;
  int64_t column_step_ = 0, table_bytes_ = 0, product_bytes_ = 0;
  double nanoseconds_ = 0;
};

absl::StatusOr<std::unique_ptr<Kernel>> MakeConv(const KernelRequest& request) {
  if (request.inputs[0].shape.rank() - 2 > Im2col::kMostAxes) return absl::UnimplementedError("has too many axes");
  return std::make_unique<ConvKernel>(request);
}

constexpr CpuFamily kFamily{.make = MakeConv, .strided_operands = true};

[[maybe_unused]] const bool kFilled = FillSlot(convolution_slots, &FamilySlots::cpu, &kFamily);

}  // namespace
}  // namespace tenferro
