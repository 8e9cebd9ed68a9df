#ifndef TENFERRO_TENSOR_STORAGE_H_
#define TENFERRO_TENSOR_STORAGE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/statusor.h"

namespace tenferro {

// Where bytes live: "cpu" is host memory; any other kind belongs to the engine of that name.
struct Device {
  const char* kind = "cpu";  // a literal: compared by its text
  int ordinal = 0;
  bool is_host() const;
  std::string ToString() const;  // "cpu:0"
  friend bool operator==(const Device& a, const Device& b);
};

template <class T>
struct StorageAllocator;

// Bytes shared by the tensors that view them.
class Storage {
 public:
  using Deleter = void (*)(void* data, void* context);

  // Uninitialised host memory, aligned to 64 bytes, with at least 64 readable bytes after the last. Errors: out of
  // memory.
  static absl::StatusOr<std::shared_ptr<Storage>> AllocateHost(int64_t bytes);
  // Takes over `data`; `deleter(data, context)` runs when the last tensor dies (nullptr: nothing runs).
  static std::shared_ptr<Storage> Adopt(void* data, int64_t bytes, Device device, Deleter deleter, void* context);

  ~Storage();
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  void* data() const { return data_; }
  int64_t bytes() const { return bytes_; }
  const Device& device() const { return device_; }

 private:
  template <class T>
  friend struct StorageAllocator;

  Storage(void* data, int64_t bytes, Device device, Deleter deleter, void* context)
      : data_(data), bytes_(bytes), device_(device), deleter_(deleter), context_(context) {}

  void* data_;
  int64_t bytes_;
  Device device_;
  Deleter deleter_;
  void* context_;
};

}  // namespace tenferro

#endif  // TENFERRO_TENSOR_STORAGE_H_
