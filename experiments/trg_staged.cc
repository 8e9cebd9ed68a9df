#include "tenferro/experiments/ising/trg_main.h"

int main(int argc, char** argv) { return tenferro::TrgMain(tenferro::TrgForm::kStaged, argc, argv); }
