#include "tenferro/tensor/storage.h"

#include <cstring>
#include <limits>

#include "gtest/gtest.h"

namespace tenferro {
namespace {

TEST(DeviceTest, KindsAreComparedByTheirText) {
  const char host[] = {'c', 'p', 'u', '\0'};
  EXPECT_TRUE((Device{host, 3}.is_host()));
  EXPECT_TRUE((Device{host, 0} == Device()));
  EXPECT_FALSE((Device{"cpux", 0}.is_host()));
  EXPECT_FALSE((Device{"cuda", 0} == Device()));
  EXPECT_FALSE((Device{"cuda", 0} == Device{"cuda", 1}));
  EXPECT_EQ((Device{"cuda", 1}.ToString()), "cuda:1");
}

TEST(StorageTest, HostMemoryIsAlignedAndReadableBeyondItsEnd) {
  for (int64_t bytes : {0, 1, 8, 63, 64, 65, 1000, 4096, 1 << 20}) {
    const absl::StatusOr<std::shared_ptr<Storage>> storage = Storage::AllocateHost(bytes);
    ASSERT_TRUE(storage.ok()) << storage.status();
    EXPECT_EQ((*storage)->bytes(), bytes);
    EXPECT_TRUE((*storage)->device().is_host());
    EXPECT_EQ(reinterpret_cast<uintptr_t>((*storage)->data()) % 64, 0u);
    char* const data = static_cast<char*>((*storage)->data());
    std::memset(data, 1, bytes + 64);
    EXPECT_EQ(data[bytes + 63], 1);
  }
}

TEST(StorageTest, SizesThatNoMachineHasAreErrors) {
  const absl::Status too_large = Storage::AllocateHost(std::numeric_limits<int64_t>::max()).status();
  EXPECT_EQ(too_large.code(), absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(too_large.message(), "out of memory: cannot allocate 9223372036854775807 bytes");
  EXPECT_EQ(Storage::AllocateHost(-1).status().message(), "out of memory: cannot allocate -1 bytes");
}

TEST(StorageTest, AdoptedBytesAreGivenBackOnceTheLastOwnerIsGone) {
  struct Record {
    int calls = 0;
    void* data = nullptr;
  } record;
  double value = 3;
  const auto deleter = [](void* data, void* context) {
    static_cast<Record*>(context)->calls++;
    static_cast<Record*>(context)->data = data;
  };
  std::shared_ptr<Storage> first = Storage::Adopt(&value, sizeof(value), Device{"cuda", 2}, deleter, &record);
  EXPECT_EQ(first->data(), &value);
  EXPECT_EQ(first->bytes(), 8);
  EXPECT_EQ(first->device().ToString(), "cuda:2");
  std::shared_ptr<Storage> second = first;
  first.reset();
  EXPECT_EQ(record.calls, 0);
  second.reset();
  EXPECT_EQ(record.calls, 1);
  EXPECT_EQ(record.data, &value);
}

TEST(StorageTest, AdoptedBytesWithoutDeleterAreLeftAlone) {
  double value = 3;
  Storage::Adopt(&value, sizeof(value), Device(), nullptr, nullptr).reset();
  EXPECT_EQ(value, 3);
}

}  // namespace
}  // namespace tenferro
