#ifndef TENFERRO_EXPERIMENTS_ISING_TRG_MAIN_H_
#define TENFERRO_EXPERIMENTS_ISING_TRG_MAIN_H_

namespace tenferro {

enum class TrgForm { kStaged, kWhole };

// The command line of trg_staged and trg_whole: evaluates ln Z / N and its derivative at some inverse temperatures,
// prints them beside Onsager's solution with the times, and writes the table and a plot on request. Returns the
// process's exit code.
int TrgMain(TrgForm form, int argc, char** argv);

}  // namespace tenferro

#endif  // TENFERRO_EXPERIMENTS_ISING_TRG_MAIN_H_
