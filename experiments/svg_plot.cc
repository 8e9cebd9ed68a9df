#include "tenferro/experiments/svg_plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "tenferro/experiments/file.h"

namespace tenferro {
namespace {

constexpr double kWidth = 720, kHeight = 420;
constexpr double kLeft = 90, kRight = 20, kTop = 40, kBottom = 60;
// Distinguishable with every common form of colour blindness (Okabe and Ito, 2008).
constexpr const char* kColors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};

std::string Escape(const std::string& text) {
  return absl::StrReplaceAll(text, {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

std::string Number(double value, const char* format = "%.2f") {
  char text[32];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

// One axis: from values to a position between 0 and 1.
struct Axis {
  bool logarithmic = false;
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  bool Shows(double value) const { return std::isfinite(value) && (!logarithmic || value > 0); }

  void Include(double value) {
    if (!Shows(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }

  // Leaves some room around the values, and a range where there is none.
  void Widen() {
    if (low > high) low = high = 1;
    if (logarithmic) {
      const double factor = low == high ? 10 : std::pow(high / low, 0.03);
      low /= factor;
      high *= factor;
    } else {
      const double room = low == high ? std::max(1.0, std::abs(low)) : 0.03 * (high - low);
      low -= room;
      high += room;
    }
  }

  double Position(double value) const {
    return logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  }
};

void AppendText(std::string* svg, double x, double y, const char* anchor, const std::string& text,
                const char* more = "") {
  absl::StrAppend(svg, "<text x=\"", Number(x), "\" y=\"", Number(y), "\" text-anchor=\"", anchor, "\"", more, ">",
                  Escape(text), "</text>\n");
}

void AppendSeries(std::string* svg, const PlotSeries& series, const char* color, const Axis& x_axis, const Axis& y_axis,
                  double left, double top, double width, double height) {
  std::string path, points;
  bool pen_down = false;
  for (size_t i = 0; i < std::min(series.x.size(), series.y.size()); ++i) {
    if (!x_axis.Shows(series.x[i]) || !y_axis.Shows(series.y[i])) {
      pen_down = false;
      continue;
    }
    const std::string x = Number(left + width * x_axis.Position(series.x[i]));
    const std::string y = Number(top + height * (1 - y_axis.Position(series.y[i])));
    absl::StrAppend(&path, pen_down ? "L" : "M", x, " ", y, " ");
    absl::StrAppend(&points, "<circle cx=\"", x, "\" cy=\"", y, "\" r=\"3.5\" fill=\"", color, "\"/>\n");
    pen_down = true;
  }
  if (series.line && !path.empty()) {
    absl::StrAppend(svg, "<path d=\"", path, "\" fill=\"none\" stroke=\"", color, "\" stroke-width=\"1.5\"/>\n");
  }
  if (series.points) absl::StrAppend(svg, points);
}

void AppendPlot(std::string* svg, const Plot& plot, double offset) {
  Axis x_axis{plot.log_x}, y_axis{plot.log_y};
  for (const PlotSeries& series : plot.series) {
    for (double x : series.x) x_axis.Include(x);
    for (double y : series.y) y_axis.Include(y);
  }
  x_axis.Widen();
  y_axis.Widen();
  const double left = kLeft, top = offset + kTop, width = kWidth - kLeft - kRight, height = kHeight - kTop - kBottom;

  for (double tick : TickPositions(x_axis.low, x_axis.high, plot.log_x, 8)) {
    const double x = left + width * x_axis.Position(tick);
    absl::StrAppend(svg, "<path d=\"M", Number(x), " ", Number(top), "V", Number(top + height),
                    "\" stroke=\"#dddddd\"/>\n");
    AppendText(svg, x, top + height + 18, "middle", Number(tick, "%.6g"));
  }
  for (double tick : TickPositions(y_axis.low, y_axis.high, plot.log_y, 6)) {
    const double y = top + height * (1 - y_axis.Position(tick));
    absl::StrAppend(svg, "<path d=\"M", Number(left), " ", Number(y), "H", Number(left + width),
                    "\" stroke=\"#dddddd\"/>\n");
    AppendText(svg, left - 8, y + 4, "end", Number(tick, "%.6g"));
  }
  absl::StrAppend(svg, "<rect x=\"", Number(left), "\" y=\"", Number(top), "\" width=\"", Number(width), "\" height=\"",
                  Number(height), "\" fill=\"none\" stroke=\"#333333\"/>\n");
  AppendText(svg, left + width / 2, offset + 24, "middle", plot.title, " font-size=\"15\"");
  AppendText(svg, left + width / 2, offset + kHeight - 14, "middle", plot.x_label);
  const double middle = top + height / 2;
  const std::string turn = absl::StrCat(" transform=\"rotate(-90 18 ", Number(middle), ")\"");
  AppendText(svg, 18, middle, "middle", plot.y_label, turn.c_str());

  for (size_t i = 0; i < plot.series.size(); ++i) {
    const PlotSeries& series = plot.series[i];
    const char* color = kColors[i % std::size(kColors)];
    AppendSeries(svg, series, color, x_axis, y_axis, left, top, width, height);
    const double y = top + 16 + 18 * i;
    AppendSeries(svg, {"", {0, 0.5, 1}, {0.5, 0.5, 0.5}, series.line, false}, color, {false, 0, 1}, {false, 0, 1},
                 left + 10, y - 8, 26, 8);
    if (series.points) {
      AppendSeries(svg, {"", {0.5}, {0.5}, false, true}, color, {false, 0, 1}, {false, 0, 1}, left + 10, y - 8, 26, 8);
    }
    AppendText(svg, left + 42, y, "start", series.name);
  }
}

}  // namespace

std::vector<double> TickPositions(double low, double high, bool logarithmic, int count) {
  std::vector<double> ticks;
  if (logarithmic) {
    const int first = std::floor(std::log10(low)), last = std::ceil(std::log10(high));
    const bool fine = high / low < 100;
    const int step = std::max(1, (last - first) / count);
    for (int exponent = first; exponent <= last; exponent += step) {
      for (double factor : {1.0, 2.0, 5.0}) {
        const double tick = factor * std::pow(10.0, exponent);
        if ((fine || factor == 1) && tick >= low && tick <= high) ticks.push_back(tick);
      }
    }
    return ticks;
  }
  const double rough = (high - low) / count;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double mantissa = rough / power;
  const double step = power * (mantissa <= 1 ? 1 : mantissa <= 2 ? 2 : mantissa <= 5 ? 5 : 10);
  for (double i = std::ceil(low / step); i * step <= high; ++i) ticks.push_back(i * step);
  return ticks;
}

std::string ToSvg(absl::Span<const Plot> plots) {
  const double height = kHeight * plots.size();
  std::string svg = absl::StrCat("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"", kWidth, "\" height=\"", height,
                                 "\" viewBox=\"0 0 ", kWidth, " ", height,
                                 "\" font-family=\"sans-serif\" font-size=\"12\">\n"
                                 "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
  for (size_t i = 0; i < plots.size(); ++i) AppendPlot(&svg, plots[i], kHeight * i);
  return svg + "</svg>\n";
}

absl::Status WriteSvg(const std::string& path, absl::Span<const Plot> plots) { return WriteFile(path, ToSvg(plots)); }

}  // namespace tenferro
