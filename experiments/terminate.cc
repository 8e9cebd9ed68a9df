// What libstdc++ calls when an exception ends the program. Its own version names the exception's type, with a demangler
// of 46 KB that every program linked statically carries.

#include <cstdlib>

namespace __gnu_cxx {

void __verbose_terminate_handler() { std::abort(); }

}  // namespace __gnu_cxx
