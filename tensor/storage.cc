#include "tenferro/tensor/storage.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tenferro {
namespace {

constexpr size_t kAlignment = 64;
constexpr size_t kReadablePastEnd = 64;
// Room for what std::allocate_shared makes: reference counts, the allocator and the Storage.
constexpr size_t kObjectRoom = 96;
constexpr size_t kHugePage = 2 << 20;

// Large tensors on large pages: a walk along them misses the TLB and faults 512 times less often. They begin at one, and
// the last one is large too where at least half of it is used. A wish: refusing it changes nothing.
void* AllocateOnHugePages(size_t bytes) {
  const size_t large = (bytes + kHugePage / 2) & -kHugePage;
  const size_t whole = (bytes + kAlignment - 1) & -kAlignment;
  void* memory = nullptr;
  if (posix_memalign(&memory, kHugePage, std::max(large, whole)) != 0) return nullptr;
#ifdef MADV_HUGEPAGE
  madvise(memory, large, MADV_HUGEPAGE);
#endif
  return memory;
}

}  // namespace

// Lets std::allocate_shared put the counts and the Storage in front of the bytes, so that a tensor costs one malloc.
// A template because allocate_shared rebinds it to a type of its own.
template <class T>
struct StorageAllocator {
  using value_type = T;
  void* memory;

  explicit StorageAllocator(void* memory) : memory(memory) {}
  template <class U>
  StorageAllocator(const StorageAllocator<U>& other) : memory(other.memory) {}  // NOLINT: rebinding is implicit

  T* allocate(size_t) {
    static_assert(sizeof(T) <= kObjectRoom && alignof(T) <= alignof(std::max_align_t));
    return static_cast<T*>(memory);
  }
  void deallocate(T* pointer, size_t) { std::free(pointer); }
  template <class... Arguments>
  void construct(Storage* storage, Arguments&&... arguments) {
    new (storage) Storage(std::forward<Arguments>(arguments)...);
  }
  friend bool operator==(const StorageAllocator& a, const StorageAllocator& b) { return a.memory == b.memory; }
};

bool Device::is_host() const { return std::strcmp(kind, "cpu") == 0; }

bool operator==(const Device& a, const Device& b) { return a.ordinal == b.ordinal && std::strcmp(a.kind, b.kind) == 0; }

std::string Device::ToString() const { return absl::StrCat(kind, ":", ordinal); }

absl::StatusOr<std::shared_ptr<Storage>> Storage::AllocateHost(int64_t bytes) {
  // Rounded up by hand: malloc is several times faster than aligned_alloc for small sizes.
  constexpr size_t kOverhead = kObjectRoom + kAlignment - 1 + kReadablePastEnd;
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max() - static_cast<int64_t>(kOverhead + kHugePage);
  void* memory = nullptr;
  if (bytes >= 0 && bytes <= kMost) {
    const size_t whole = static_cast<size_t>(bytes) + kOverhead;
    memory = whole < 2 * kHugePage ? std::malloc(whole) : AllocateOnHugePages(whole);
  }
  if (memory == nullptr) {
    return absl::ResourceExhaustedError(absl::StrCat("out of memory: cannot allocate ", bytes, " bytes"));
  }
  const uintptr_t end_of_object = reinterpret_cast<uintptr_t>(memory) + kObjectRoom;
  void* data = static_cast<char*>(memory) + kObjectRoom + (-end_of_object & (kAlignment - 1));
  return std::allocate_shared<Storage>(StorageAllocator<Storage>(memory), data, bytes, Device(), nullptr, nullptr);
}

std::shared_ptr<Storage> Storage::Adopt(void* data, int64_t bytes, Device device, Deleter deleter, void* context) {
  return std::shared_ptr<Storage>(new Storage(data, bytes, device, deleter, context));
}

Storage::~Storage() {
  if (deleter_ != nullptr) deleter_(data_, context_);
}

}  // namespace tenferro
