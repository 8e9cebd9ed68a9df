// For programs that use no C++ streams and put no payloads into an absl::Status. libstdc++ and Abseil, linked
// statically, bring 700 KB for what such a program refers to and never calls: the streams std::cout and so on, made
// before main, and with them every facet of the locale; absl::Cord, which payloads are, with its sampling, mutexes,
// time zones and a stack tracer; a demangler for the message of an exception that nobody caught. The definitions here
// are found first, so that those of the libraries, and all that only they need, stay out. Using them after all ends the
// program.
//
// Functions are named by their symbols: where a library has another version of one, its own is linked as ever.

#include <cstdlib>

namespace __gnu_cxx {

void __verbose_terminate_handler() { std::abort(); }

}  // namespace __gnu_cxx

#define TENFERRO_EMPTY(name, symbol)      \
  extern "C" void name() __asm__(symbol); \
  extern "C" void name() {}
#define TENFERRO_NEVER_CALLED(name, symbol) \
  extern "C" void name() __asm__(symbol);   \
  extern "C" void name() { std::abort(); }

TENFERRO_EMPTY(MakeStreams, "_ZNSt8ios_base4InitC1Ev")
TENFERRO_EMPTY(FlushStreams, "_ZNSt8ios_base4InitD1Ev")
TENFERRO_NEVER_CALLED(MakeLocale, "_ZNSt6localeC1Ev")
TENFERRO_NEVER_CALLED(ClassicLocale, "_ZNSt6locale7classicEv")

#define TENFERRO_CORD "4absl7debian34Cord"
TENFERRO_NEVER_CALLED(DestroyCord, "_ZN" TENFERRO_CORD "15DestroyCordSlowEv")
TENFERRO_NEVER_CALLED(UnrefCord, "_ZN" TENFERRO_CORD "9InlineRep9UnrefTreeEv")
TENFERRO_NEVER_CALLED(CompareCords, "_ZNK" TENFERRO_CORD "10EqualsImplERKS1_m")
TENFERRO_NEVER_CALLED(CordAsString, "_ZNK" TENFERRO_CORD "cvNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEEv")
TENFERRO_NEVER_CALLED(TrackCord,
                      "_ZN4absl7debian313cord_internal9CordzInfo18MaybeTrackCordImplERNS1_10InlineDataERKS3_NS1_"
                      "18CordzUpdateTracker16MethodIdentifierE")
