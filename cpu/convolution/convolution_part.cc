#include "tenferro/cpu/convolution/convolution_part.h"

#include <algorithm>
#include <utility>

#include "tenferro/cpu/gemm/gemm.h"

namespace tenferro {
namespace {

constexpr int64_t kTileRows = Im2col::kMostRows;
constexpr int64_t kTileColumns = 256;
constexpr int64_t kTileDepth = 256;  // that of the product's own blocks
constexpr int64_t kFewPlaces = 16;

int64_t Blocks(int64_t count, int64_t size) { return (count + size - 1) / size; }

std::vector<ConvAxis> AxesOf(const std::vector<ConvPartAxis>& axes) {
  std::vector<ConvAxis> plain;
  for (const ConvPartAxis& axis : axes) plain.push_back(axis.axis);
  return plain;
}

// Places and elements of the window in each other's role: the same entries.
std::vector<ConvAxis> Exchanged(std::vector<ConvAxis> axes) {
  for (ConvAxis& axis : axes) {
    std::swap(axis.places, axis.window);
    std::swap(axis.stride, axis.window_dilation);
  }
  return axes;
}

// A run of the table is written at once, so the longer of the two is better.
bool IsAlongWindow(const std::vector<ConvPartAxis>& axes) {
  return !axes.empty() && axes[0].axis.window > axes[0].axis.places;
}

// Every place sees an element of x through every element of the window.
bool IsInside(const std::vector<ConvPartAxis>& axes) {
  return std::all_of(axes.begin(), axes.end(), [](const ConvPartAxis& part) {
    const ConvAxis& axis = part.axis;
    return axis.x_dilation == 1 && axis.low <= 0 &&
           (axis.places - 1) * axis.stride + (axis.window - 1) * axis.window_dilation - axis.low < axis.extent;
  });
}

MergedAxis Merged(const Ints& extents, const Ints& strides) {
  Ints all;
  for (size_t i = 0; i < extents.size(); ++i) all.push_back(static_cast<int64_t>(i));
  return MergedAxis(Shape(absl::MakeConstSpan(extents)), strides, all);
}

// Elements [begin, begin + count) of an axis; `data` moves to the first.
template <class Byte>
GemmAxis Part(const MergedAxis& axis, int64_t begin, int64_t count, int64_t element_size, Byte*& data) {
  GemmAxis part = axis.ToGemm();
  part.extent = count;
  if (part.offsets != nullptr) {
    part.offsets += begin;
  } else {
    data += begin * part.stride * element_size;
  }
  return part;
}

}  // namespace

// Output channels [column, column + columns) of a group at places [row, row + rows) of some images.
struct ConvPart::Tile {
  int64_t group, image, images, row, rows, column, columns;
};

ConvPart::ConvPart(const ConvOperands& operands, const std::vector<ConvPartAxis>& axes)
    : operands_(operands),
      size_(SizeOf(operands.dtype)),
      along_window_(IsAlongWindow(axes)),
      table_(static_cast<int>(size_), along_window_ ? Exchanged(AxesOf(axes)) : AxesOf(axes)) {
  Ints summed, w_strides, x_summed, rows, x_strides, result_strides;
  for (const ConvPartAxis& part : axes) {
    const ConvAxis& axis = part.axis;
    places_ *= axis.places;
    window_ *= axis.window;
    summed.push_back(axis.window);
    w_strides.push_back(part.w_stride);
    x_summed.push_back(axis.window_dilation * axis.x_stride);
    rows.push_back(axis.places);
    x_strides.push_back(axis.stride * axis.x_stride);
    result_strides.push_back(part.result_stride);
    w_start_ += part.w_first;
    x_start_ -= axis.low * axis.x_stride;
    result_start_ += part.result_first;
  }
  tile_images_ = std::clamp<int64_t>(kTileRows / places_, 1, operands.images);
  summed.push_back(operands.channels);
  w_strides.push_back(operands.w_channel);
  x_summed.push_back(operands.x_channel);
  rows.push_back(tile_images_);
  x_strides.push_back(operands.x_image);
  result_strides.push_back(operands.result_made * operands.made * operands.groups);
  result_rows_ = Merged(rows, result_strides);
  w_rows_ = Merged(summed, w_strides);
  is_packed_ = !w_rows_.is_consecutive();
  if (is_packed_) {
    summed.push_back(operands.made * operands.groups);
    w_strides.push_back(operands.w_made);
    const Ints dense = Shape(absl::MakeConstSpan(summed)).ColMajorStrides();
    packing_ = PlanStridedCopy(static_cast<int>(size_), static_cast<int>(summed.size()), summed.data(), dense.data(),
                               w_strides.data());
    operands_.w_made = depth();
    w_rows_ = Merged({depth()}, {1});
  }
  x_rows_ = Merged(rows, x_strides);
  is_direct_ = IsInside(axes) && ((window_ == 1 && x_rows_.is_consecutive()) || places_ < kFewPlaces);
  if (is_direct_) {
    summed.resize(axes.size() + 1);
    x_summed_ = Merged(summed, x_summed);
  } else {
    // One more line of the cache from column to column, which would fight for the same places in it otherwise.
    column_step_ = kTileRows + 64 / size_;
    table_bytes_ = kTileDepth * column_step_ * size_;
  }
  GemmArgs args{};
  args.dtype = static_cast<uint8_t>(operands.dtype);
  args.c_rows = {std::min(kTileRows, places_ * tile_images_), 1, nullptr};
  args.c_cols = {std::min(kTileColumns, operands.made), 1, nullptr};
  args.a_cols = {is_direct_ ? depth() : std::min(kTileDepth, depth()), 1, nullptr};
  product_bytes_ = GemmWorkspaceBytes(operands.isa, args);
}

int64_t ConvPart::packed_bytes() const { return is_packed_ ? depth() * operands_.made * operands_.groups * size_ : 0; }

int64_t ConvPart::tiles() const {
  return operands_.groups * Blocks(operands_.images, tile_images_) * Blocks(places_, kTileRows) *
         Blocks(operands_.made, kTileColumns);
}

ConvPart::Tile ConvPart::TileOf(int64_t index) const {
  const auto next = [&index](int64_t count) {
    const int64_t digit = index % count;
    index /= count;
    return digit;
  };
  Tile tile;
  tile.column = next(Blocks(operands_.made, kTileColumns)) * kTileColumns;
  tile.row = next(Blocks(places_, kTileRows)) * kTileRows;
  tile.image = next(Blocks(operands_.images, tile_images_)) * tile_images_;
  tile.group = index;
  tile.columns = std::min(kTileColumns, operands_.made - tile.column);
  tile.rows = std::min(kTileRows, places_ - tile.row);
  tile.images = std::min(tile_images_, operands_.images - tile.image);
  return tile;
}

void ConvPart::RunTile(int64_t index, const char* x, const char* w, char* result, char* workspace) const {
  const Tile tile = TileOf(index);
  const int64_t column = tile.group * operands_.made + tile.column;
  const int64_t all_made = operands_.made * operands_.groups;
  const int64_t rows = tile.rows * tile.images;  // of one image from tile.row on, or all of several
  x += (tile.group * operands_.x_group + tile.image * operands_.x_image) * size_;
  w += ((is_packed_ ? 0 : w_start_) + column * operands_.w_made) * size_;
  result += (result_start_ + (tile.image * all_made + column) * operands_.result_made) * size_;
  GemmArgs args{};
  args.dtype = static_cast<uint8_t>(operands_.dtype);
  args.c_rows = Part(result_rows_, tile.row, rows, size_, result);
  args.c_cols = {tile.columns, operands_.result_made, nullptr};
  args.c = result;
  args.b_cols = {tile.columns, operands_.w_made, nullptr};
  if (is_direct_) {
    x += x_start_ * size_;
    args.a_rows = Part(x_rows_, tile.row, rows, size_, x);
    args.a_cols = x_summed_.ToGemm();
    args.a = x;
    args.b_rows = w_rows_.ToGemm();
    args.b = w;
    return GemmBlock(operands_.isa, args, 0, rows, 0, tile.columns, workspace);
  }
  args.a = workspace;
  for (int64_t begin = 0; begin < depth(); begin += kTileDepth) {
    const int64_t count = std::min(kTileDepth, depth() - begin);
    WriteTable(tile, x, begin, count, workspace);
    args.a_rows = {rows, along_window_ ? column_step_ : 1, nullptr};
    args.a_cols = {count, along_window_ ? 1 : column_step_, nullptr};
    const char* from = w;
    args.b_rows = Part(w_rows_, begin, count, size_, from);
    args.b = from;
    args.accumulate = begin > 0;
    GemmBlock(operands_.isa, args, 0, rows, 0, tile.columns, workspace + table_bytes_);
  }
}

// Terms [begin, begin + count) of the sums of a tile's rows.
void ConvPart::WriteTable(const Tile& tile, const char* x, int64_t begin, int64_t count, char* table) const {
  for (int64_t done = 0; done < count;) {
    const int64_t channel = (begin + done) / window_, element = (begin + done) % window_;
    const int64_t elements = std::min(window_ - element, count - done);
    for (int64_t image = 0; image < tile.images; ++image) {
      const char* const from = x + (channel * operands_.x_channel + image * operands_.x_image) * size_;
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

}  // namespace tenferro
