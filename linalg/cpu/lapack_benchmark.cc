// Singular value decompositions beside LAPACK's gesdd, in one run: least times of many alternating rounds.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "tenferro/linalg/cpu/trg_matrices.h"

#define TENFERRO_DECLARE_GESDD(name, T, R, ...)                                                                     \
  extern "C" void name(const char*, const int*, const int*, T*, const int*, R*, T*, const int*, T*, const int*, T*, \
                       const int*, __VA_ARGS__ int*, int*)
TENFERRO_DECLARE_GESDD(sgesdd_, float, float, );
TENFERRO_DECLARE_GESDD(dgesdd_, double, double, );
TENFERRO_DECLARE_GESDD(cgesdd_, std::complex<float>, float, float*, );
TENFERRO_DECLARE_GESDD(zgesdd_, std::complex<double>, double, double*, );

namespace tenferro::linalg {
namespace {

using testing::Dense;

template <class T>
class Gesdd {
 public:
  Gesdd(const Dense<T>& a, const char* job) : a_(a), job_(job) {
    const int m = static_cast<int>(a.rows), n = static_cast<int>(a.columns), k = std::min(m, n);
    u_.resize(m * k);
    vt_.resize(k * n);
    s_.resize(k);
    integers_.resize(8 * k);
    reals_.resize(5 * k * k + 7 * k + 2 * k * (m + n) + k);
    work_.resize(1);
    length_ = -1;
    Call();
    length_ = static_cast<int>(std::real(work_[0]));
    work_.resize(length_);
  }

  void Call() {
    copy_ = a_.data;
    const int m = static_cast<int>(a_.rows), n = static_cast<int>(a_.columns), k = std::min(m, n);
    int info;
    if constexpr (std::is_same_v<T, float>) {
      sgesdd_(job_, &m, &n, copy_.data(), &m, s_.data(), u_.data(), &m, vt_.data(), &k, work_.data(), &length_,
              integers_.data(), &info);
    } else if constexpr (std::is_same_v<T, double>) {
      dgesdd_(job_, &m, &n, copy_.data(), &m, s_.data(), u_.data(), &m, vt_.data(), &k, work_.data(), &length_,
              integers_.data(), &info);
    } else if constexpr (std::is_same_v<T, std::complex<float>>) {
      cgesdd_(job_, &m, &n, copy_.data(), &m, s_.data(), u_.data(), &m, vt_.data(), &k, work_.data(), &length_,
              reals_.data(), integers_.data(), &info);
    } else {
      zgesdd_(job_, &m, &n, copy_.data(), &m, s_.data(), u_.data(), &m, vt_.data(), &k, work_.data(), &length_,
              reals_.data(), integers_.data(), &info);
    }
  }

 private:
  const Dense<T>& a_;
  const char* job_;
  std::vector<T> copy_, u_, vt_, work_;
  std::vector<RealOf<T>> s_, reals_;
  std::vector<int> integers_;
  int length_;
};

template <class F>
double Microseconds(int rounds, const F& f) {
  double least = 1e300;
  for (int i = 0; i < rounds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    f();
    least =
        std::min(least, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  return least;
}

// Alternates, so that both meet the same disturbances.
template <class F, class G>
void Compare(const char* name, int64_t m, int64_t n, const F& ours, const G& theirs) {
  const double size = static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(std::min(m, n));
  const int rounds = static_cast<int>(std::clamp(2e8 / (size + 1e4), 3.0, 400.0));
  double a = 1e300, b = 1e300;
  for (int i = 0; i < 6; ++i) {
    a = std::min(a, Microseconds(rounds, ours));
    b = std::min(b, Microseconds(rounds, theirs));
  }
  std::printf("| %s | %lld × %lld | %.1f | %.1f | %.2f |\n", name, static_cast<long long>(m), static_cast<long long>(n),
              a, b, a / b);
  std::fflush(stdout);
}

template <class T>
void CompareDense(const char* dtype, int64_t m, int64_t n) {
  const auto a = testing::Gaussian<T>(m, n, 3);
  const int64_t k = std::min(m, n);
  Dense<T> u(m, k), vt(k, n);
  std::vector<RealOf<T>> s(k);
  Gesdd<T> vectors(a, "S"), values(a, "N");
  const Loan loan({}, SvdBytes<T>(m, n));  // as the engine lends it
  const Memory lent = loan.memory();
  Compare((std::string("svd ") + dtype).c_str(), m, n,
          [&] { Svd(BestIsa(), m, n, a.data.data(), u.data.data(), s.data(), vt.data.data(), lent); },
          [&] { vectors.Call(); });
  Compare((std::string("svdvals ") + dtype).c_str(), m, n,
          [&] { SvdValues(BestIsa(), m, n, a.data.data(), s.data(), lent); }, [&] { values.Call(); });
}

// The largest matrix that the tensor renormalisation group decomposes, late in the run, and the same without its exact
// zeros: a rotation of its rows hides the symmetry.
void CompareTruncated() {
  const testing::TrgRun run = testing::RunTrg(BestIsa(), 0.44, 12);
  const Dense<double> blocks = run.matrices.back();
  const Dense<double> dense = testing::RandomIsometry<double>(256, 256, 9) * blocks;
  const int64_t n = 256, k = 16, extra = 16;
  for (const auto& [name, a] :
       {std::pair<const char*, const Dense<double>*>{"two blocks", &blocks}, {"dense", &dense}}) {
    Dense<double> u(n, k + extra), v(n, k + extra), x(n, k), y(n, k);
    std::vector<double> s(k + extra);
    const auto p = testing::Gaussian<double>(n, k, 1), q = testing::Gaussian<double>(n, k, 2);
    Gesdd<double> full(*a, "S");
    const auto truncate = [&, a = a] {
      SvdTruncated(BestIsa(), n, n, a->data.data(), k, extra, u.data.data(), s.data(), v.data.data());
    };
    Compare((std::string("truncated to 16, TRG, ") + name).c_str(), n, n, truncate, [&] { full.Call(); });
    Compare((std::string("and its complement, TRG, ") + name).c_str(), n, n,
            [&, a = a] {
              truncate();
              TruncatedComplement(BestIsa(), n, n, a->data.data(), k, extra, u.data.data(), s.data(), v.data.data(),
                                  p.data.data(), q.data.data(), x.data.data(), y.data.data());
            },
            [&] { full.Call(); });
  }
}

}  // namespace
}  // namespace tenferro::linalg

int main() {
  using namespace tenferro::linalg;
  std::printf("| what | size | here, µs | gesdd, µs | ratio |\n|---|---|---|---|---|\n");
  for (int64_t n : {4, 8, 16, 32, 64, 128, 256, 512}) CompareDense<double>("f64", n, n);
  for (const auto& [m, n] : {std::pair<int64_t, int64_t>{512, 64}, {64, 512}, {2048, 32}}) {
    CompareDense<double>("f64", m, n);
  }
  for (int64_t n : {16, 64, 256}) {
    CompareDense<float>("f32", n, n);
    CompareDense<std::complex<float>>("c64", n, n);
    CompareDense<std::complex<double>>("c128", n, n);
  }
  CompareTruncated();
}
