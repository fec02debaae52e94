#pragma once

#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include "store/footprint.hpp"

namespace millrace {

struct LoadedRows;

// What was asked for and left where it is, because all of it would have been too much at once.
// Sorted.
struct LeftOutRows {
    // Of which the row itself, one of its jobs or its definition was not read.
    std::vector<Id128> instances{};
    std::vector<DefinitionKey> definitions{};

    bool empty() const { return instances.empty() && definitions.empty(); }
    void normalise();

    // Whether a command with these rows has to wait for another load. `holds` are those of the
    // footprint.
    bool concern(const std::vector<Id128>& holds, const Footprint& footprint) const;
};

// Whether a row is read in any case.
bool comes_first(const ReadingBound& bound, const InstanceKey& key);
bool comes_first(const ReadingBound& bound, const JobKey& key);
bool comes_first(const ReadingBound& bound, const DefinitionKey& key);

// The keys of a list in the order in which they are read: first those that are read in any case.
template <class Key>
std::vector<Key> in_order_of_reading(const ReadingBound& bound, const std::vector<Key>& keys) {
    std::vector<Key> ordered;
    ordered.reserve(keys.size());
    for (const bool is_first : {true, false}) {
        for (const Key& key : keys) {
            if (comes_first(bound, key) == is_first) ordered.push_back(key);
        }
    }
    return ordered;
}

// Counts what rows of one kind take.
class ReadingRoom {
public:
    explicit ReadingRoom(const ReadingBound& bound) : bytes_left_(bound.bytes_max) {}

    bool is_left() const { return bytes_left_ > 0; }
    void take(std::size_t bytes) { bytes_left_ -= static_cast<std::int64_t>(bytes); }

private:
    std::int64_t bytes_left_;
};

// The definitions, by row id, that rows which are read in any case need: those of the first command
// and of the first execution that an admission may let in. `rows` has all but definitions.
std::set<std::int64_t> definitions_first(const ReadingBound& bound, const LoadedRows& rows);

// Takes out the rows whose definitions, by row id, were left out. What an admission has read stays
// in its line.
void leave_out(LoadedRows& rows, const std::set<std::int64_t>& definitions);

}  // namespace millrace
