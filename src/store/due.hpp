#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"

namespace millrace {

// A row that is due, and since when. They are read in the order of their times; of several at one
// time in that of their ids.
template <class Key>
struct Due {
    Key key{};
    Instant at{};

    friend bool operator==(const Due&, const Due&) = default;
};

// Where to begin: after that one, or before all.
template <class Key>
Due<Key> place_before_next(const std::optional<Due<Key>>& after) {
    using namespace std::chrono;
    if (after) return *after;
    return {.at = Instant{sys_days{year{1} / January / 1}}};
}

template <class Key>
Result<std::vector<Key>> keys_of_due(const Result<std::vector<Due<Key>>>& due) {
    if (!due) return due.error();
    std::vector<Key> keys;
    for (const Due<Key>& each : *due) keys.push_back(each.key);
    return keys;
}

}  // namespace millrace
