#include "tenferro/experiments/flags.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace tenferro {
namespace {

struct Variables {
  int64_t steps = 20;
  double tolerance = 1e-14;
  std::string out;
  std::string schedule = "rank";
  std::vector<int64_t> widths = {1, 2};
  std::vector<double> betas = {0.2, 0.44};
  std::string reference;
  double bound = 0.5;

  absl::StatusOr<Flags::Outcome> Parse(std::vector<const char*> arguments) {
    Flags flags = MakeFlags();
    return flags.Parse(arguments);
  }

  Flags MakeFlags() {
    Flags flags("A program.");
    flags.Add("steps", &steps, "number of steps");
    flags.Add("tolerance", &tolerance, "largest difference");
    flags.Add("out", &out, "a file");
    flags.Add("schedule", &schedule, {"rank", "full"}, "how it grows");
    flags.Add("widths", &widths, "thread counts");
    flags.Add("betas", &betas, "inverse temperatures");
    flags.AddPositional("REF", &reference, "the reference");
    flags.AddOptionalPositional("BOUND", &bound, "the bound");
    return flags;
  }
};

TEST(Flags, KeepsDefaults) {
  Variables v;
  const auto outcome = v.Parse({"a.npy"});
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(*outcome, Flags::Outcome::kRun);
  EXPECT_EQ(v.steps, 20);
  EXPECT_EQ(v.schedule, "rank");
  EXPECT_EQ(v.reference, "a.npy");
  EXPECT_EQ(v.bound, 0.5);
}

TEST(Flags, ReadsEveryType) {
  Variables v;
  const auto outcome = v.Parse({"--steps=7", "a.npy", "--tolerance=-2.5e-3", "--out=b=c", "--schedule=full",
                                "--widths=3", "--betas=1,2.5,1e-3", "1e-9"});
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(v.steps, 7);
  EXPECT_EQ(v.tolerance, -2.5e-3);
  EXPECT_EQ(v.out, "b=c");
  EXPECT_EQ(v.schedule, "full");
  EXPECT_EQ(v.widths, std::vector<int64_t>({3}));
  EXPECT_EQ(v.betas, std::vector<double>({1, 2.5, 1e-3}));
  EXPECT_EQ(v.bound, 1e-9);
}

TEST(Flags, HelpWinsOverErrors) {
  Variables v;
  const auto outcome = v.Parse({"--nonsense", "--help"});
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(*outcome, Flags::Outcome::kHelp);
}

TEST(Flags, HelpListsNamesDefaultsAndChoices) {
  Variables v;
  const std::string help = v.MakeFlags().Help("program");
  for (const char* part : {"A program.", "program [--flag=value …] REF [BOUND=0.5]", "--steps=20", "--tolerance=1e-14",
                           "--betas=0.2,0.44", "--widths=1,2", "how it grows (rank|full)"}) {
    EXPECT_NE(help.find(part), std::string::npos) << part << "\n" << help;
  }
}

struct Bad {
  std::vector<const char*> arguments;
  const char* message;
};

class FlagsErrors : public testing::TestWithParam<Bad> {};

TEST_P(FlagsErrors, SaysWhatIsWrong) {
  Variables v;
  const auto outcome = v.Parse(GetParam().arguments);
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.status().message(), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(All, FlagsErrors,
                         testing::Values(Bad{{"--stepz=3", "r"}, "unknown flag --stepz"},  //
                                         Bad{{"--steps", "3", "r"}, "--steps needs a value: --steps=…"},
                                         Bad{{"--out=", "r"}, "--out needs a value: --out=…"},
                                         Bad{{"--steps=3", "--steps=4", "r"}, "--steps is given twice"},
                                         Bad{{"--steps=3x", "r"}, "--steps=3x: not an integer"},
                                         Bad{{"--steps=1e3", "r"}, "--steps=1e3: not an integer"},
                                         Bad{{"--steps=99999999999999999999", "r"},
                                             "--steps=99999999999999999999: not an integer"},
                                         Bad{{"--steps=0", "r"}, "--steps=0: less than 1"},
                                         Bad{{"--tolerance=nan", "r"}, "--tolerance=nan: not a finite number"},
                                         Bad{{"--tolerance=1.5.2", "r"}, "--tolerance=1.5.2: not a finite number"},
                                         Bad{{"--schedule=both", "r"}, "--schedule=both: not one of rank|full"},
                                         Bad{{"--widths=1,,2", "r"}, "--widths=1,,2: '' is not an integer"},
                                         Bad{{"--betas=0.1,x", "r"}, "--betas=0.1,x: 'x' is not a finite number"},
                                         Bad{{}, "missing argument REF"},                  //
                                         Bad{{"r", "much"}, "much: not a finite number"},  //
                                         Bad{{"r", "1", "more"}, "unexpected argument 'more'"}));

TEST(Flags, EndsTheProgram) {
  Variables v;
  const auto parse = [&](std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "path/to/program");
    v.MakeFlags().ParseOrExit(arguments.size(), const_cast<char**>(arguments.data()));
  };
  EXPECT_EXIT(parse({"--bad=1"}), testing::ExitedWithCode(2), "^program: unknown flag --bad \\(see --help\\)");
  EXPECT_EXIT(parse({"--help"}), testing::ExitedWithCode(0), "^$");
}

}  // namespace
}  // namespace tenferro
