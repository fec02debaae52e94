#pragma once

#include <algorithm>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "core/limits.hpp"
#include "store/due.hpp"
#include "store/listing.hpp"

namespace millrace {

// Collects the items of one page and counts on to the limit.
template <class Item>
class Pager {
public:
    explicit Pager(const Page& page)
        : skip_(std::int64_t{page.number} * page.size),
          size_(page.size),
          bytes_max_(page.bytes_max) {}

    // An item before the place where the page begins is only counted. `bytes` is what a large one
    // takes of the page.
    void add(const Item& item, bool is_in_range = true, std::int64_t bytes = 0) {
        count_ += 1;
        if (!is_in_range) return;
        const std::int64_t place = place_++;
        if (place < skip_) return;
        if (place >= skip_ + size_ || bytes_ >= bytes_max_) {
            listing_.has_more = true;
            return;
        }
        listing_.items.push_back(item);
        bytes_ += bytes;
    }

    Listing<Item> take() {
        listing_.total = std::min(count_, limits::kTotalExactMax);
        listing_.total_capped = count_ > limits::kTotalExactMax;
        return std::move(listing_);
    }

private:
    std::int64_t skip_;
    std::int64_t size_;
    std::int64_t bytes_max_;
    std::int64_t bytes_ = 0;  // Of the items.
    std::int64_t count_ = 0;
    std::int64_t place_ = 0;
    Listing<Item> listing_;
};

// Keys with the time that each is due, the earliest first.
template <class Key>
std::vector<Key> first_due(std::vector<std::pair<Instant, Key>> due, std::int32_t count_max) {
    std::ranges::sort(due);
    std::vector<Key> keys;
    for (const auto& entry : due | std::views::take(count_max)) keys.push_back(entry.second);
    return keys;
}

// The same of those after one, with their times.
template <class Key>
std::vector<Due<Key>> first_due_after(std::vector<std::pair<Instant, Key>> due,
                                      const std::optional<Due<Key>>& after,
                                      std::int32_t count_max) {
    const Due<Key> place = place_before_next(after);
    std::erase_if(due, [&](const auto& entry) { return entry <= std::pair(place.at, place.key); });
    std::ranges::sort(due);
    std::vector<Due<Key>> rows;
    for (const auto& [at, key] : due | std::views::take(count_max)) rows.push_back({key, at});
    return rows;
}

}  // namespace millrace
