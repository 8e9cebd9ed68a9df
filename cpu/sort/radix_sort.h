#ifndef TENFERRO_CPU_SORT_RADIX_SORT_H_
#define TENFERRO_CPU_SORT_RADIX_SORT_H_

#include <cstdint>
#include <cstring>
#include <utility>

namespace tenferro {

// A key with its place.
template <class Key>
struct Placed {
  Key key;
  int64_t place;
};
template <class Key>
inline bool operator<(const Placed<Key>& a, const Placed<Key>& b) {
  return a.key != b.key ? a.key < b.key : a.place < b.place;
}

// A record's key, an unsigned number.
inline uint8_t KeyOf(uint8_t key) { return key; }
inline uint32_t KeyOf(uint32_t key) { return key; }
inline uint64_t KeyOf(uint64_t key) { return key; }
template <class Key>
inline Key KeyOf(const Placed<Key>& placed) {
  return placed.key;
}

// Sorts n records by the bytes first … last − 1 of their keys, the least significant first, keeping the order of equal
// ones. `other` is memory for n records. Returns where the result is, `records` or `other`. A byte that is the same in
// all keys costs no pass.
template <class Record>
Record* RadixSort(Record* records, Record* other, int64_t n, int first, int last) {
  constexpr int kMostBytes = 8;
  int64_t counts[kMostBytes][256];
  std::memset(counts[first], 0, static_cast<size_t>(last - first) * sizeof counts[0]);
  for (int64_t i = 0; i < n; ++i) {
    const auto key = KeyOf(records[i]);
    for (int byte = first; byte < last; ++byte) ++counts[byte][key >> (8 * byte) & 255];
  }
  for (int byte = first; byte < last; ++byte) {
    int64_t* const count = counts[byte];
    if (count[KeyOf(records[0]) >> (8 * byte) & 255] == n) continue;
    int64_t sum = 0;
    for (int digit = 0; digit < 256; ++digit) sum += std::exchange(count[digit], sum);
    for (int64_t i = 0; i < n; ++i) {
      const Record record = records[i];
      other[count[KeyOf(record) >> (8 * byte) & 255]++] = record;
    }
    std::swap(records, other);
  }
  return records;
}

}  // namespace tenferro

#endif  // TENFERRO_CPU_SORT_RADIX_SORT_H_
