#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "store/postgres/row_parameters.hpp"
#include "store/reading_bound.hpp"

namespace millrace::postgres {

// How large one of so many rows may be to be read at once: together they stay within the bound. Of
// a larger one a statement tells the length.
inline std::int64_t bytes_each_max(const ReadingBound& bound, std::size_t rows) {
    return rows == 0 ? bound.bytes_max : bound.bytes_max / static_cast<std::int64_t>(rows);
}

// The parameters of such a statement.
template <class Key>
Parameters measured_columns(const std::vector<Key>& keys, std::int64_t each_max) {
    Parameters parameters = key_columns(keys);
    parameters.add(each_max);
    return parameters;
}

inline constexpr std::int64_t kAnyLength = std::numeric_limits<std::int64_t>::max();

// Rows that are locked and not read yet, because not all of them may fit.
template <class Key>
class LargeRows {
public:
    void add(const Key& key, std::int64_t bytes) { rows_.emplace_back(key, bytes); }
    bool empty() const { return rows_.empty(); }
    bool contains(const Key& key) const {
        return std::ranges::any_of(rows_, [&](const auto& row) { return row.first == key; });
    }

    struct Parts {
        std::vector<Key> fitting{};  // In the order of their keys, as they were added.
        std::vector<Key> left{};
    };

    // Those that come first and as many of the others as there is room for.
    Parts parts(const ReadingBound& bound) const {
        ReadingRoom room(bound);
        for (const auto& [key, bytes] : rows_) {
            if (comes_first(bound, key)) room.take(static_cast<std::size_t>(bytes));
        }
        Parts parts;
        for (const auto& [key, bytes] : rows_) {
            const bool is_first = comes_first(bound, key);
            const bool fits = is_first || room.is_left();
            if (fits && !is_first) room.take(static_cast<std::size_t>(bytes));
            (fits ? parts.fitting : parts.left).push_back(key);
        }
        return parts;
    }

private:
    std::vector<std::pair<Key, std::int64_t>> rows_;  // With their lengths.
};

}  // namespace millrace::postgres
