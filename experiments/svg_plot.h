#ifndef TENFERRO_EXPERIMENTS_SVG_PLOT_H_
#define TENFERRO_EXPERIMENTS_SVG_PLOT_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace tenferro {

// One curve: points, a line through them, or both. A point that cannot be drawn (not finite, or not positive on a
// logarithmic axis) interrupts the line.
struct PlotSeries {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;  // as many as x
  bool line = true;
  bool points = false;
};

// One diagram with axes, ticks, a grid and a legend.
struct Plot {
  std::string title;
  std::string x_label;
  std::string y_label;
  bool log_x = false;
  bool log_y = false;
  std::vector<PlotSeries> series = {};
};

// Positions of about `count` ticks in [low, high], low < high: multiples of 1, 2 or 5 times a power of ten, or, on a
// logarithmic axis, powers of ten (with their doubles and quintuples where the axis covers less than two decades).
std::vector<double> TickPositions(double low, double high, bool logarithmic, int count);

// An SVG document with the plots one below the other.
std::string ToSvg(absl::Span<const Plot> plots);
// Errors: the file cannot be written.
absl::Status WriteSvg(const std::string& path, absl::Span<const Plot> plots);

}  // namespace tenferro

#endif  // TENFERRO_EXPERIMENTS_SVG_PLOT_H_
