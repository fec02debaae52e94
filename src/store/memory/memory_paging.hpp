#pragma once

#include <algorithm>
#include <ranges>
#include <utility>
#include <vector>

#include "base/time.hpp"
#include "core/limits.hpp"
#include "store/listing.hpp"

namespace millrace {

// Collects the items of one page and counts on to the limit.
template <class Item>
class Pager {
public:
    explicit Pager(Page page) : skip_(std::int64_t{page.number} * page.size), size_(page.size) {}

    // An item before the place where the page begins is only counted.
    void add(const Item& item, bool is_in_range = true) {
        count_ += 1;
        if (!is_in_range) return;
        const std::int64_t place = place_++;
        if (place >= skip_ && place < skip_ + size_) listing_.items.push_back(item);
        if (place >= skip_ + size_) listing_.has_more = true;
    }

    Listing<Item> take() {
        listing_.total = std::min(count_, limits::kTotalExactMax);
        listing_.total_capped = count_ > limits::kTotalExactMax;
        return std::move(listing_);
    }

private:
    std::int64_t skip_;
    std::int64_t size_;
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

}  // namespace millrace
