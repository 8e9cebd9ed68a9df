// A run of the engine's kernels of decompositions allocates nothing: what it needs beyond its results is in the
// workspace that it asked for, for matrices of any size, dtype and structure, at every instruction set.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <random>

#include "gtest/gtest.h"
#include "tenferro/cpu/kernel.h"
#include "tenferro/cpu/kernels/isa.h"
#include "tenferro/linalg/cholesky.h"
#include "tenferro/linalg/cpu/factor/kernels.h"
#include "tenferro/linalg/cpu/scratch.h"
#include "tenferro/linalg/eig.h"
#include "tenferro/linalg/eigh.h"
#include "tenferro/linalg/incremental_qr.h"
#include "tenferro/linalg/least_squares.h"
#include "tenferro/linalg/lu.h"
#include "tenferro/linalg/matrix_function.h"
#include "tenferro/linalg/qr.h"
#include "tenferro/linalg/solve.h"
#include "tenferro/linalg/svd.h"
#include "tenferro/linalg/triangular_solve.h"
#include "tenferro/runtime/attributes.h"

namespace {
int64_t allocations = 0;

void* Take(size_t size, size_t alignment) {
  ++allocations;
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment, size) != 0) std::abort();
  return memory;
}
}  // namespace

void* operator new(size_t size) { return Take(size, 16); }
void* operator new(size_t size, std::align_val_t alignment) { return Take(size, static_cast<size_t>(alignment)); }
void* operator new(size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return Take(size, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, size_t, std::align_val_t) noexcept { std::free(memory); }

namespace tenferro::linalg {
namespace {

class OneWorker final : public Workers {
 public:
  int width() const override { return 1; }
  void ForEachWorker(int64_t count, absl::FunctionRef<void(int64_t, int)> task) const override {
    for (int64_t i = 0; i < count; ++i) task(i, 0);
  }
};

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};
using Buffer = std::unique_ptr<char, Free>;

Buffer NewBuffer(int64_t bytes) {
  return Buffer(static_cast<char*>(std::aligned_alloc(64, static_cast<size_t>((bytes + 127) / 64 * 64))));
}

struct Value {
  ValueType type;
  std::shared_ptr<char> bytes;
};
using Values = std::vector<Value>;

Value NewValue(const ValueType& type) {
  return {type, std::shared_ptr<char>(NewBuffer(type.shape.size() * SizeOf(type.dtype)).release(), Free())};
}

// What the run of the operation at one instruction set gives, and how many allocations it made.
Values RunKernel(Isa isa, const OpDef& op, const Words& attributes, const Values& inputs, int64_t* count) {
  std::vector<ValueType> types;
  std::vector<const void*> from;
  for (const Value& input : inputs) {
    types.push_back(input.type);
    from.push_back(input.bytes.get());
  }
  ValueTypes result_types;
  const absl::Status status = op.infer(op, attributes, types, result_types);
  EXPECT_TRUE(status.ok()) << op.name << status;
  Values results;
  std::vector<void*> to;
  for (const ValueType& type : result_types) {
    results.push_back(NewValue(type));
    to.push_back(results.back().bytes.get());
  }
  const absl::StatusOr<std::unique_ptr<Kernel>> kernel =
      op.slots->cpu->make({.op = op, .attributes = attributes, .inputs = types, .outputs = result_types, .isa = isa});
  EXPECT_TRUE(kernel.ok()) << op.name << kernel.status();
  const Buffer workspace = NewBuffer((*kernel)->workspace_bytes());
  const Buffer of_worker = NewBuffer((*kernel)->worker_workspace_bytes());
  const OneWorker workers;
  const KernelArguments arguments{from, to, workspace.get(), of_worker.get(), 0, workers};
  const int64_t before = allocations;
  const absl::Status ran = (*kernel)->Run(arguments);
  *count = kPiecesApart ? 0 : allocations - before;
  EXPECT_TRUE(ran.ok()) << op.name << ran;
  return results;
}

// How the elements of a matrix lie.
enum class Structure { kDense, kDiagonal, kBlocks, kLowRank, kEqualValues };
constexpr Structure kStructures[] = {Structure::kDense, Structure::kDiagonal, Structure::kBlocks, Structure::kLowRank,
                                     Structure::kEqualValues};

template <class Number>
void Fill(Structure structure, bool hermitian, const Value& value) {
  const int64_t m = value.type.shape.extent(0), n = value.type.shape.extent(1);
  std::mt19937_64 bits(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Number* const a = reinterpret_cast<Number*>(value.bytes.get());
  const int64_t parts = IsComplex(value.type.dtype) ? 2 : 1;
  const auto entry = [&](int64_t i, int64_t j) -> Number* { return a + (i + j * m) * parts; };
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = 0; i < m; ++i) {
      for (int64_t part = 0; part < parts; ++part) {
        double x = uniform(bits);
        if (structure == Structure::kDiagonal && i != j) x = 0;
        if (structure == Structure::kBlocks && i % 3 != j % 3) x = 0;
        if (structure == Structure::kLowRank) x = static_cast<double>((i + 1) * (j + 1) % 5 + part);
        if (structure == Structure::kEqualValues) x = (i == j && part == 0 ? 1 : 0) - 2.0 / static_cast<double>(m);
        entry(i, j)[part] = static_cast<Number>(x);
      }
    }
  }
  if (!hermitian) return;
  // Positive definite, too.
  for (int64_t j = 0; j < n; ++j) {
    for (int64_t i = j + 1; i < n; ++i) {
      entry(j, i)[0] = entry(i, j)[0];
      if (parts == 2) entry(j, i)[1] = -entry(i, j)[1];
    }
    entry(j, j)[0] += static_cast<Number>(8 * n);
    if (parts == 2) entry(j, j)[1] = 0;
  }
}

Value NewMatrix(DType dtype, int64_t m, int64_t n, Structure structure, bool hermitian = false) {
  const Value value = NewValue({dtype, Shape{m, n}});
  if (dtype == DType::kF32 || dtype == DType::kC64) {
    Fill<float>(structure, hermitian, value);
  } else {
    Fill<double>(structure, hermitian, value);
  }
  return value;
}

std::vector<Isa> SupportedIsas() {
  std::vector<Isa> isas;
  for (const Isa isa : {Isa::kNeon, Isa::kV2, Isa::kV3, Isa::kV4}) {
    if (IsSupported(isa)) isas.push_back(isa);
  }
  return isas;
}

class AllocationsTest : public ::testing::TestWithParam<DType> {
 protected:
  Values Check(const OpDef& op, const Words& attributes, const Values& inputs) {
    int64_t count = 0;
    const Values results = RunKernel(isa_, op, attributes, inputs, &count);
    EXPECT_EQ(count, 0) << op.name << ' ' << inputs[0].type.ToString() << " structure " << static_cast<int>(structure_)
                        << " isa " << static_cast<int>(isa_);
    return results;
  }

  void CheckFactorisations(int64_t m, int64_t n) {
    const DType dtype = GetParam();
    const Value a = NewMatrix(dtype, m, n, structure_);
    Check(kQr, Encode(QrOptions{}), {a});
    Check(kQr, Encode(QrOptions{.complete = true, .positive = true}), {a});
    Check(kPivotedQr, Encode(RankRevealingQrOptions{}), {a});
    Check(kFullPivotLu, {}, {a});
    const Values factors = Check(kLu, {}, {a});
    const Values svd = Check(kSvd, {}, {a});
    Check(kSvdFull, {}, {a});
    Check(kSvdVals, {}, {a});
    Check(kPinvSolve, Encode(PinvSolveAttributes{}), {a, svd[0], svd[1], svd[2], NewMatrix(dtype, m, 3, structure_)});
    if (m < n) return;
    const Value no_columns = NewValue({dtype, Shape{m, 0}}), no_factors = NewValue({dtype, Shape{0}});
    const Values reflected = Check(kAppendReflectors, {}, {no_columns, no_factors, a});
    Check(kReflectedQr, {}, {reflected[0], reflected[1], a});
    Check(kAppendReflectors, {}, {reflected[0], reflected[1], NewMatrix(dtype, m, 2, structure_)});
  }

  void CheckTruncated(int64_t m, int64_t n, int64_t k) {
    const DType dtype = GetParam();
    const Value a = NewMatrix(dtype, m, n, structure_);
    for (const int64_t extra : {int64_t{0}, std::min<int64_t>(8, std::min(m, n) - k)}) {
      const Words kept = Encode(TruncationAttributes{k, extra, 0});
      const Values triplets = Check(kSvdTruncated, kept, {a});
      Check(kIsometry, kept, {a});
      Check(kSplitSvd, Encode(SplitAttributes{{k, extra, 0}, 0}), {a});
      const Value p = NewMatrix(dtype, m, k, Structure::kDense), q = NewMatrix(dtype, n, k, Structure::kDense);
      const Value values = NewMatrix(dtype, k, k, Structure::kDiagonal);
      Check(kTruncatedComplement, {}, {a, triplets[0], triplets[1], triplets[2], values, p, q});
    }
  }

  void CheckSquare(int64_t n) {
    const DType dtype = GetParam();
    const Value positive = NewMatrix(dtype, n, n, structure_, true), b = NewMatrix(dtype, n, 5, structure_),
                wide = NewMatrix(dtype, n, 2 * n, structure_), tall = NewMatrix(dtype, 2 * n, n, structure_);
    Check(kCholesky, {}, {positive});
    const Values lu = Check(kLu, {}, {positive});
    for (const Value& sides : {b, wide}) {
      Check(kTriangularSolve, Encode(TriangularSolveOptions{.lower = true}), {positive, sides});
      Check(kLuSolve, Encode(LuSolveOptions{}), {positive, lu[0], lu[1], sides});
      Check(kLuSolve, Encode(LuSolveOptions{.transpose = true}), {positive, lu[0], lu[1], sides});
    }
    Check(kTriangularSolve, Encode(TriangularSolveOptions{.right = true}), {positive, tall});
    Check(kDet, {}, {lu[2], lu[1], lu[0], positive});
    Check(kSlogdet, {}, {lu[2], lu[1], lu[0], positive});
    Check(kEigh, Encode(EighAttributes{}), {positive});
    Check(kEigvalsh, {}, {positive});
    Check(kGeneralizedEigh, {}, {positive, positive});
    Check(kEig, {}, {positive});
    Check(kEigvals, {}, {positive});
    Check(kSchur, {}, {positive});
    Check(kPolar, {}, {positive});
    Check(kExpm, {}, {positive});
    Check(kExpmDerivative, {}, {positive, positive});
    Check(kSqrtm, {}, {positive});
    Check(kSqrtmDerivative, {}, {positive, positive});
    Check(kLogm, {}, {positive});
    Check(kLogmDerivative, {}, {positive, positive});
    Check(kHermitianSylvester, {}, {positive, positive});
  }

  Isa isa_ = BestIsa();
  Structure structure_ = Structure::kDense;
};

TEST_P(AllocationsTest, NoneForSmallMatrices) {
  for (const Isa isa : SupportedIsas()) {
    isa_ = isa;
    for (const int64_t n : {1, 2, 3, 7, 16}) {
      for (const Structure structure : kStructures) {
        structure_ = structure;
        CheckSquare(n);
        CheckFactorisations(n, n);
        CheckFactorisations(n, n + 3);
        CheckFactorisations(2 * n, n);
        CheckTruncated(n, n, (n + 1) / 2);
      }
    }
  }
}

TEST_P(AllocationsTest, NoneForLargerMatrices) {
  for (const Isa isa : SupportedIsas()) {
    isa_ = isa;
    for (const Structure structure : kStructures) {
      structure_ = structure;
      CheckSquare(64);
      CheckFactorisations(64, 64);
      CheckFactorisations(33, 70);
      CheckFactorisations(150, 40);
      CheckTruncated(64, 64, 7);
      CheckTruncated(120, 40, 10);
    }
  }
}

TEST(Allocations, AreCountedWhereNoMemoryIsLent) {
  const Value a = NewMatrix(DType::kF64, 64, 64, Structure::kDense, true), l = NewValue(a.type);
  const Isa isa = BestIsa();
  const auto factor = [&](Memory memory) {
    const int64_t before = allocations;
    factor::Cholesky(isa, 64, reinterpret_cast<const double*>(a.bytes.get()),
                     reinterpret_cast<double*>(l.bytes.get()), memory);
    return allocations - before;
  };
  const int64_t bytes = factor::CholeskyBytes<double>(BestIsa(), 64);
  const Buffer memory = NewBuffer(bytes);
  const int64_t pieces = factor({memory.get(), bytes});
  if (!kPiecesApart) EXPECT_EQ(pieces, 0);
  EXPECT_EQ(factor({memory.get(), bytes - 64}), pieces + 1);
  EXPECT_EQ(factor({}), pieces + 1);
}

INSTANTIATE_TEST_SUITE_P(DTypes, AllocationsTest,
                         ::testing::Values(DType::kF32, DType::kF64, DType::kC64, DType::kC128),
                         [](const auto& info) { return Name(info.param); });

}  // namespace
}  // namespace tenferro::linalg
