#include "tenferro/experiments/benchmarks/figures.h"

#include <set>

#include "gtest/gtest.h"
#include "tenferro/experiments/benchmarks/row.h"

namespace tenferro {
namespace {

TEST(ParseFigures, ReadsWhatFormatWrites) {
  const std::vector<Figure> figures = {{"matmul f64 64", "NumPy", 4.5}, {"einsum ab,bc", "JAX", 1.25e6}};
  const auto read = ParseFigures("# a remark\n\n" + FormatFigures(figures));
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ((*read)[0].name, "matmul f64 64");
  EXPECT_EQ((*read)[1].name, "einsum ab,bc");
  EXPECT_EQ((*read)[1].peer, "JAX");
  EXPECT_EQ((*read)[1].value, 1.25e6);
}

TEST(ParseFigures, NamesTheLineThatIsWrong) {
  const auto message = [](const std::string& csv) { return std::string(ParseFigures(csv).status().message()); };
  EXPECT_EQ(message(""), "no line name,peer,microseconds");
  EXPECT_EQ(message("name,value\n"), "line 1: expected name,peer,microseconds, got name,value");
  const std::string header = "name,peer,microseconds\n";
  for (const char* line : {"matmul,NumPy", "matmul,NumPy,fast", "matmul,NumPy,0", "matmul,NumPy,inf"}) {
    EXPECT_EQ(message(header + line),
              std::string("line 2: expected a name, a peer and a positive number, got ") + line);
  }
}

TEST(FormatTable, HasAColumnForEachPeerAndRatios) {
  const std::vector<Measured> measured = {{"matmul", 50, 1e6}, {"exp", 2000}, {"peak MiB", 4}};
  const std::vector<Figure> figures = {{"matmul", "A", 100}, {"peak MiB", "B", 8}, {"unknown", "C", 1}};
  EXPECT_EQ(FormatTable(measured, figures),
            "| | here | GFLOP/s | A | B |\n"
            "|---|---|---|---|---|\n"
            "| matmul | 50.0 µs | 20.0 | 100 µs (0.50) | |\n"
            "| exp | 2.00 ms |  | | |\n"
            "| peak MiB | 4.00 |  | | 8.00 (0.50) |\n");
}

TEST(AddQuotients, DividesForEveryPeerThatHasBoth) {
  std::vector<Measured> measured = {{"value", 10}, {"grad", 25}};
  std::vector<Figure> figures = {{"value", "A", 10}, {"grad", "A", 40}, {"grad", "B", 7}};
  AddQuotients({{{"grad / value", "grad", "value"}, {"x / value", "x", "value"}}}, measured, figures);
  EXPECT_EQ(FormatTable(measured, figures),
            "| | here | GFLOP/s | A | B |\n"
            "|---|---|---|---|---|\n"
            "| value | 10.0 µs |  | 10.0 µs (1.00) | |\n"
            "| grad | 25.0 µs |  | 40.0 µs (0.62) | 7.00 µs (3.57) |\n"
            "| grad / value | 2.50 |  | 4.00 (0.62) | |\n");
}

// A name that is misspelt would silently drop a peer's figure from the table.
TEST(PublishedFigures, BelongToRows) {
  std::set<std::string> names = {"process: /usr/bin/true", "process to first gradient", "peak resident MiB",
                                 "stripped program MiB"};
  for (const BenchRow& row : AllRows()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
  std::set<std::pair<std::string, std::string>> seen;
  for (const Figure& figure : PublishedFigures()) {
    EXPECT_EQ(names.count(figure.name), 1u) << figure.name;
    EXPECT_TRUE(seen.insert({figure.name, figure.peer}).second) << figure.name << " " << figure.peer;
    EXPECT_GT(figure.value, 0) << figure.name;
  }
}

}  // namespace
}  // namespace tenferro
