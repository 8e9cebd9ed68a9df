// Small matrices are decomposed without the heap: the only source of scratch memory is counted here.
#include <stdlib.h>

#include <atomic>
#include <thread>

#include "gtest/gtest.h"
#include "tenferro/linalg/cpu/test_matrices.h"

namespace {
std::atomic<int> allocations = 0;
}  // namespace

extern "C" void* aligned_alloc(size_t alignment, size_t size) noexcept {
  ++allocations;
  void* memory = nullptr;
  return posix_memalign(&memory, alignment, size) == 0 ? memory : nullptr;
}

namespace tenferro::linalg {
namespace {

// On a thread of its own, which has no scratch memory of earlier decompositions.
template <class F>
int AllocationsOf(const F& f) {
  int count = 0;
  std::thread([&] {
    allocations = 0;
    f();
    count = allocations;
  }).join();
  return count;
}

template <class T>
class SmallSvdTest : public ::testing::Test {};
using Scalars = ::testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(SmallSvdTest, Scalars);

TYPED_TEST(SmallSvdTest, NeedsNoHeap) {
  for (const auto& [m, n] : {std::pair<int64_t, int64_t>{1, 1}, {2, 2}, {3, 5}, {16, 12}, {16, 16}}) {
    const int64_t k = std::min(m, n);
    const auto a = testing::Gaussian<TypeParam>(m, n, 3);
    testing::Dense<TypeParam> u(m, m), v(n, n), x(m, k), y(n, k);
    std::vector<RealOf<TypeParam>> s(k);
    const auto decompose_all = [&, m = m, n = n] {
      Svd(BestIsa(), m, n, a.data.data(), u.data.data(), s.data(), v.data.data());
      SvdFull(BestIsa(), m, n, a.data.data(), u.data.data(), s.data(), v.data.data());
      SvdValues(BestIsa(), m, n, a.data.data(), s.data());
      SvdTruncated(BestIsa(), m, n, a.data.data(), k - 1, 1, u.data.data(), s.data(), v.data.data());
      TruncatedComplement(BestIsa(), m, n, a.data.data(), k - 1, 1, u.data.data(), s.data(), v.data.data(),
                          u.data.data(), v.data.data(), x.data.data(), y.data.data());
    };
    EXPECT_EQ(AllocationsOf(decompose_all), 0) << m << "×" << n;
  }
  const auto large = testing::Gaussian<TypeParam>(200, 200, 3);
  std::vector<RealOf<TypeParam>> s(200);
  EXPECT_GT(AllocationsOf([&] { SvdValues(BestIsa(), 200, 200, large.data.data(), s.data()); }), 0);
}

}  // namespace
}  // namespace tenferro::linalg
