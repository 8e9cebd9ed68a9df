#include "tenferro/einsum/path.h"

#include <algorithm>

#include "gtest/gtest.h"
#include "tenferro/einsum/plan.h"

namespace tenferro::einsum {
namespace {

Network NetworkOf(absl::string_view subscripts, const std::vector<Shape>& shapes) {
  return einsum::NetworkOf(*ParseSubscripts(subscripts, shapes));
}

// The cheapest of all paths, by trying each.
double Cheapest(const Network& network, Path& path, std::vector<int> left) {
  if (left.size() == 1) return CostOf(network, path).flops;
  double best = 1e300;
  for (size_t i = 0; i < left.size(); ++i) {
    for (size_t j = i + 1; j < left.size(); ++j) {
      std::vector<int> rest = left;
      rest.erase(rest.begin() + j);
      rest.erase(rest.begin() + i);
      rest.push_back(static_cast<int>(network.operands.size() + path.size()));
      path.emplace_back(left[i], left[j]);
      best = std::min(best, Cheapest(network, path, rest));
      path.pop_back();
    }
  }
  return best;
}

uint64_t Next(uint64_t& state) {
  state = state * 6364136223846793005 + 1442695040888963407;
  return state >> 33;
}

// A connected network of random bonds with random extents.
Network RandomNetwork(int operands, uint64_t seed) {
  Network network;
  network.operands.resize(operands);
  const auto bond = [&](int a, int b) {
    const int label = static_cast<int>(network.extents.size());
    network.extents.push_back(static_cast<double>(2 + Next(seed) % 5));
    network.operands[a].Insert(label);
    if (b < 0) {
      network.output.Insert(label);
    } else {
      network.operands[b].Insert(label);
    }
  };
  for (int i = 1; i < operands; ++i) bond(i, static_cast<int>(Next(seed) % i));
  for (int i = 0; i < operands; ++i) {
    const int other = static_cast<int>(Next(seed) % operands);
    if (other != i) bond(i, other);
  }
  bond(0, -1);
  bond(operands - 1, -1);
  return network;
}

TEST(Path, GreedyContractsAChainFromItsThinEnd) {
  const Network network = NetworkOf("ab,bc,cd->ad", {{100, 100}, {100, 100}, {100, 1}});
  EXPECT_EQ(GreedyPath(network), (Path{{1, 2}, {0, 3}}));
}

TEST(Path, OptimalIsTheCheapestOfAll) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const Network network = RandomNetwork(5, seed);
    Path path;
    EXPECT_EQ(CostOf(network, OptimalPath(network)).flops, Cheapest(network, path, {0, 1, 2, 3, 4})) << seed;
  }
  EXPECT_EQ(OptimalPath(RandomNetwork(1, 1)), Path());
}

TEST(Path, OptimalFindsAnOuterProduct) {
  // Joining the two vectors first makes one pass over the big tensor.
  const Network network = NetworkOf("a,b,abcd->cd", {{2}, {2}, {2, 2, 50, 50}});
  EXPECT_EQ(OptimalPath(network), (Path{{0, 1}, {2, 3}}));
}

TEST(Path, AnnealingIsNeverWorseAndRepeats) {
  double better = 0;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const Network network = RandomNetwork(24, seed);
    const AnnealOptions options{.seed = seed, .moves = 5000};
    const Path path = AnnealedPath(network, options);
    EXPECT_EQ(path.size(), 23u);
    EXPECT_EQ(path, AnnealedPath(network, options));
    const double greedy = CostOf(network, GreedyPath(network)).flops, annealed = CostOf(network, path).flops;
    EXPECT_LE(annealed, greedy);
    better += annealed < greedy;
  }
  EXPECT_GE(better, 5);
}

TEST(Path, AnnealingComesNearTheOptimum) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    const Network network = RandomNetwork(10, seed);
    const double best = CostOf(network, OptimalPath(network)).flops;
    EXPECT_LE(CostOf(network, AnnealedPath(network, {.seed = 1})).flops, 1.5 * best) << seed;
  }
}

TEST(Plan, IsPrinted) {
  const Plan plan = *MakePlan(*ParseSubscripts("ij,jk,kl->il", {Shape{2, 3}, Shape{3, 4}, Shape{4, 5}}), {}, 8);
  EXPECT_EQ(plan.ToString(),
            "0 (ij), 1 (jk) -> 3 (ik)\n2 (kl), 3 (ik) -> 4 (il)\nflops 128, largest intermediate 10 elements\n");
}

TEST(Plan, ParenthesesComeFirst) {
  const auto path = [](absl::string_view subscripts) {
    return MakePlan(*ParseSubscripts(subscripts, {Shape{2, 3}, Shape{3, 4}, Shape{4, 1}}), {}, 8)->path;
  };
  EXPECT_EQ(path("ij,jk,kl->il"), (Path{{1, 2}, {0, 3}}));
  EXPECT_EQ(path("(ij,jk),kl->il"), (Path{{0, 1}, {3, 2}}));
}

TEST(Plan, Mistakes) {
  const std::vector<Shape> many(17, Shape{2});
  std::string subscripts = "a";
  for (int i = 1; i < 17; ++i) subscripts += ",a";
  const auto message = [&](const EinsumOptions& options) {
    return std::string(MakePlan(*ParseSubscripts(subscripts, many), options, 8).status().message());
  };
  EXPECT_EQ(message({.method = PathMethod::kOptimal}),
            "the optimal path is searched for up to 16 operands, there are 17");
  EXPECT_EQ(message({.method = PathMethod::kAnneal, .moves = -1}), "moves is -1");
  EXPECT_EQ(message({.memory_limit = -8}), "the memory limit is -8");
  EXPECT_EQ(message({.memory_limit = 1}), "no slicing meets the memory limit of 1 bytes");
}

}  // namespace
}  // namespace tenferro::einsum
