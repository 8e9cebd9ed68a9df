#ifndef TENFERRO_CPU_KERNELS_ACCURACY_TABLE_H_
#define TENFERRO_CPU_KERNELS_ACCURACY_TABLE_H_

#include <cstdio>
#include <string>

namespace tenferro {

// A row of the table of docs/accuracy.md: the errors by instruction set, and the arguments of the largest.
class AccuracyRow {
 public:
  AccuracyRow(const char* function, const char* dtype) : text_(std::string("| ") + function + " | " + dtype + " |") {}

  void Add(double error, const std::string& arguments) {
    char cell[40];
    std::snprintf(cell, sizeof(cell), " %.3f |", error);
    text_ += cell;
    if (largest_ < error) {
      largest_ = error;
      arguments_ = arguments;
    }
    last_ = error;
  }
  // For a kernel that is the same as that of the instruction set before.
  void Repeat() { Add(last_, arguments_); }
  void Print() const { std::printf("%s %s |\n", text_.c_str(), arguments_.c_str()); }

 private:
  std::string text_, arguments_;
  double largest_ = 0;
  double last_ = 0;
};

inline std::string Text(const char* format, double x) {
  char text[40];
  std::snprintf(text, sizeof(text), format, x);
  return text;
}

}  // namespace tenferro

#endif  // TENFERRO_CPU_KERNELS_ACCURACY_TABLE_H_
