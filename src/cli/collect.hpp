#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <ostream>
#include <vector>

#include "cli/context.hpp"
#include "millrace/client/error.hpp"
#include "millrace/client/requests.hpp"

namespace millrace::cli {

// The most that a server gives at once.
inline constexpr std::int32_t kPageSizeMax = 500;
inline constexpr std::int32_t kListLimit = 100;

template <class Item>
struct Collected {
    std::vector<Item> items{};
    std::int64_t total = 0;
};

// Asks for page after page until there are `limit` items or no more; 0 wants all. When some are
// left out, people are told so.
template <class Item>
client::Result<Collected<Item>> collect(
    const Context& context, std::int32_t limit,
    const std::function<client::Result<client::Page<Item>>(const client::Paging&)>& fetch) {
    Collected<Item> all;
    client::Paging paging{.page_size = limit == 0 ? kPageSizeMax : std::min(limit, kPageSizeMax)};
    const auto wanted = static_cast<std::size_t>(limit);
    while (true) {
        client::Result<client::Page<Item>> page = fetch(paging);
        if (!page) return page.error();
        all.total = std::max(all.total, page->total);
        const std::size_t count = page->items.size();
        for (Item& item : page->items) {
            if (limit == 0 || all.items.size() < wanted) all.items.push_back(std::move(item));
        }
        const bool is_last = page->next_cursor.empty() &&
                             (count < static_cast<std::size_t>(paging.page_size) ||
                              static_cast<std::int64_t>(all.items.size()) >= page->total);
        if (count == 0 || is_last || (limit != 0 && all.items.size() >= wanted)) break;
        paging.cursor = page->next_cursor;
        paging.page += 1;
    }
    const auto shown = static_cast<std::int64_t>(all.items.size());
    all.total = std::max(all.total, shown);
    if (context.output == OutputFormat::table && shown < all.total) {
        context.console.err << shown << " of " << all.total
                            << " are shown; --limit 0 shows all of them.\n";
    }
    return all;
}

}  // namespace millrace::cli
