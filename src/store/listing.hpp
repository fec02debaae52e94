#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/limits.hpp"

namespace millrace {

// Which part of a list: the n-th page, or what comes after an item.
struct Page {
    std::int32_t number = 0;  // From 0.
    std::int32_t size = 20;
    std::string after{};  // The id of the last item seen, as text; empty for none. `number` is 0.
    // Of lists whose items can be large, which say so: the item that reaches it is the last.
    std::int64_t bytes_max = limits::kPageBytesMax;
};

// `total` is exact up to kTotalExactMax and that number beyond it.
template <class Item>
struct Listing {
    std::vector<Item> items{};
    std::int64_t total = 0;
    bool total_capped = false;
    bool has_more = false;  // There are items after these.
};

}  // namespace millrace
