#include "tenferro/experiments/svg_plot.h"

#include <cmath>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace tenferro {
namespace {

// The first thing that keeps the text from being well-formed XML (for documents without comments and declarations).
std::string XmlProblem(const std::string& xml) {
  std::vector<std::string> open;
  for (size_t i = 0; i < xml.size();) {
    if (xml[i] == '&') {
      const size_t end = xml.find(';', i);
      const std::string entity = xml.substr(i, end - i);
      if (entity != "&amp" && entity != "&lt" && entity != "&gt" && entity != "&quot") return "a bare ampersand";
      i = end + 1;
    } else if (xml[i] == '>') {
      return "a bare >";
    } else if (xml[i] == '<') {
      const size_t end = xml.find('>', i);
      if (end == std::string::npos) return "an unfinished tag";
      const std::string tag = xml.substr(i + 1, end - i - 1);
      if (tag.find('<') != std::string::npos) return "a < inside a tag";
      int quotes = 0;
      for (char c : tag) quotes += c == '"';
      if (quotes % 2 != 0) return "an unfinished attribute";
      if (tag.starts_with("/")) {
        if (open.empty() || open.back() != tag.substr(1)) return "an end tag without its start";
        open.pop_back();
        if (open.empty() && xml.find_first_not_of(" \n", end + 1) != std::string::npos) return "text after the root";
      } else if (!tag.ends_with("/")) {
        open.push_back(tag.substr(0, tag.find(' ')));
      }
      i = end + 1;
    } else {
      ++i;
    }
  }
  return open.empty() ? "" : "an unfinished element";
}

int Count(const std::string& text, const std::string& part) {
  int count = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

Plot Example() {
  Plot plot{"Energy <u> & \"more\"", "beta", "u"};
  plot.series.push_back({"exact", {0, 1, 2, 3}, {0, 1, 4, 9}, true, false});
  plot.series.push_back({"TRG", {0, 1.5}, {0, 2.25}, false, true});
  return plot;
}

TEST(SvgPlot, IsWellFormed) {
  EXPECT_EQ(XmlProblem(ToSvg({Example(), Example()})), "");
  EXPECT_NE(XmlProblem("<a><b></a>"), "");
  EXPECT_NE(XmlProblem("<a>&</a>"), "");
}

TEST(SvgPlot, DrawsLinesPointsAndText) {
  const std::string svg = ToSvg({Example()});
  EXPECT_EQ(Count(svg, "<circle"), 2 + 1);  // the series and its mark in the legend
  EXPECT_EQ(Count(svg, "stroke-width=\"1.5\""), 1 + 1);
  EXPECT_EQ(Count(svg, ">exact</text>"), 1);
  EXPECT_EQ(Count(svg, ">TRG</text>"), 1);
  EXPECT_EQ(Count(svg, "Energy &lt;u&gt; &amp; &quot;more&quot;"), 1);
}

TEST(SvgPlot, SkipsWhatCannotBeDrawn) {
  Plot plot{"t", "x", "y"};
  plot.log_y = true;
  plot.series.push_back({"s", {0, 1, 2, 3, 4}, {1, 10, -1, NAN, 100}, true, true});
  const std::string svg = ToSvg({plot});
  EXPECT_EQ(XmlProblem(svg), "");
  EXPECT_EQ(Count(svg, "<circle"), 3 + 1);
  EXPECT_EQ(Count(svg, "nan"), 0);
  EXPECT_EQ(Count(svg, "inf"), 0);
}

TEST(SvgPlot, DrawsNothingAsAnEmptyDiagram) {
  const std::string svg = ToSvg({Plot{"t", "x", "y"}});
  EXPECT_EQ(XmlProblem(svg), "");
  EXPECT_EQ(Count(svg, "nan"), 0);
}

TEST(SvgPlot, TicksAreRoundNumbers) {
  EXPECT_EQ(TickPositions(-0.1, 1.05, false, 6), std::vector<double>({0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
  EXPECT_EQ(TickPositions(0.5, 2000, true, 8), std::vector<double>({1, 10, 100, 1000}));
  EXPECT_EQ(TickPositions(1, 12, true, 8), std::vector<double>({1, 2, 5, 10}));
}

TEST(SvgPlot, ReportsAFileItCannotWrite) {
  EXPECT_EQ(WriteSvg("/nonexistent/plot.svg", {Example()}).message(), "cannot write /nonexistent/plot.svg");
  const std::string path = testing::TempDir() + "/plot.svg";
  EXPECT_TRUE(WriteSvg(path, {Example()}).ok());
}

}  // namespace
}  // namespace tenferro
