#ifndef TENFERRO_FFT_SLOTS_H_
#define TENFERRO_FFT_SLOTS_H_

#include "tenferro/runtime/op.h"

namespace tenferro::fft {

// Filled by "//fft:cpu" and "//fft:autodiff".
extern constinit FamilySlots fft_slots;

}  // namespace tenferro::fft

#endif  // TENFERRO_FFT_SLOTS_H_
