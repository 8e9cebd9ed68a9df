#ifndef TENFERRO_RUNTIME_LOCATION_H_
#define TENFERRO_RUNTIME_LOCATION_H_

#include <source_location>
#include <string>

namespace tenferro {

// Where the user called an operation.
using Location = std::source_location;

// "model.cc:17".
std::string ToString(const Location& location);

// While one lives, operations of this thread are recorded under its location, so that an error inside a composite or a
// derivative rule names the user's line. The outermost scope wins.
class LocationScope {
 public:
  explicit LocationScope(const Location& location) : here_(location), outer_(current_) {
    if (current_ == nullptr) current_ = &here_;
  }
  ~LocationScope() { current_ = outer_; }
  LocationScope(const LocationScope&) = delete;
  LocationScope& operator=(const LocationScope&) = delete;

  static Location Resolve(const Location& location) { return current_ == nullptr ? location : *current_; }

 private:
  Location here_;
  const Location* outer_;
  static constinit thread_local const Location* current_;
};

}  // namespace tenferro

#endif  // TENFERRO_RUNTIME_LOCATION_H_
