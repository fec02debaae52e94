#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "core/limits.hpp"
#include "store/listing.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/trouble_note.hpp"

// How readers turn the rows of a statement into items and pages.
namespace millrace::sqlite {

// The rows of a statement, each read by `from(Row) -> Result<Item>`.
template <class Item, class From, class... Values>
Result<std::vector<Item>> read_all(Connection& connection, const sql::Statement& statement,
                                   From from, const Values&... values) {
    std::vector<Item> items;
    const auto add = [&](const Row& row) -> Status {
        Result<Item> item = from(row);
        if (!item) return item.error();
        items.push_back(std::move(*item));
        return ok();
    };
    Status status = connection.for_each(statement, add, values...);
    if (!status) return status.error();
    return items;
}

// What a statement has given for a list.
template <class Item>
struct ListedRows {
    std::vector<Item> items{};
    std::int64_t count = 0;  // Of all rows, those that cannot be read included.
    bool is_last_read = false;
};

// The same for a list: a row that cannot be read is left out, and told of.
template <class Item, class From, class... Values>
Result<ListedRows<Item>> read_listed(const TroubleNote& note, Connection& connection,
                                     const sql::Statement& statement, From from,
                                     const Values&... values) {
    ListedRows<Item> rows;
    const auto add = [&](const Row& row) -> Status {
        Result<Item> item = from(row);
        rows.count += 1;
        rows.is_last_read = static_cast<bool>(item);
        if (item) {
            rows.items.push_back(std::move(*item));
        } else {
            note_trouble(note, item.error());
        }
        return ok();
    };
    Status status = connection.for_each(statement, add, values...);
    if (!status) return status.error();
    return rows;
}

template <class Item, class From, class... Values>
Result<std::optional<Item>> read_first(Connection& connection, const sql::Statement& statement,
                                       From from, const Values&... values) {
    Result<std::vector<Item>> items = read_all<Item>(connection, statement, from, values...);
    if (!items) return items.error();
    if (items->empty()) return std::optional<Item>{};
    return std::optional<Item>(std::move(items->front()));
}

inline Result<std::int64_t> integer_from(const Row& row) {
    return row.integer(0);
}

inline Result<Instant> instant_from(const Row& row) {
    return row.instant(0);
}

inline constexpr std::int64_t kCountMax = limits::kTotalExactMax + 1;

inline std::int64_t skipped(Page page) {
    return std::int64_t{page.number} * page.size;
}

// One item more than the page shows tells whether there are further ones.
inline std::int64_t fetched(Page page) {
    return std::int64_t{page.size} + 1;
}

template <class Item>
Result<Listing<Item>> listing(Result<ListedRows<Item>> rows,
                              const Result<std::optional<std::int64_t>>& count, Page page) {
    if (!rows) return rows.error();
    if (!count) return count.error();
    const std::int64_t total = count->value_or(0);
    Listing<Item> out{
        .items = std::move(rows->items),
        .total = std::min(total, limits::kTotalExactMax),
        .total_capped = total > limits::kTotalExactMax,
        .has_more = rows->count > page.size,
    };
    if (out.has_more && rows->is_last_read) out.items.pop_back();
    return out;
}

// A page whose items can be large: it is read no further than they fill it by number or by what
// `size_of` says of them. A row that cannot be read is left out, and told of.
template <class Item, class From, class SizeOf, class... Values>
Result<Listing<Item>> read_page(const TroubleNote& note, Connection& connection,
                                const sql::Statement& statement, From from, SizeOf size_of,
                                const Page& page, const Values&... values) {
    Listing<Item> out;
    std::int64_t count = 0;
    std::int64_t bytes = 0;
    const auto add = [&](const Row& row) -> Result<bool> {
        out.has_more = count == page.size || bytes >= page.bytes_max;
        if (out.has_more) return false;
        count += 1;
        bytes += size_of(row);
        Result<Item> item = from(row);
        if (item) {
            out.items.push_back(std::move(*item));
        } else {
            note_trouble(note, item.error());
        }
        return true;
    };
    const Status status = connection.for_some(statement, add, values...);
    if (!status) return status.error();
    return out;
}

template <class Item>
Result<Listing<Item>> with_total(Result<Listing<Item>> page,
                                 const Result<std::optional<std::int64_t>>& count) {
    if (!page) return page;
    if (!count) return count.error();
    const std::int64_t total = count->value_or(0);
    page->total = std::min(total, limits::kTotalExactMax);
    page->total_capped = total > limits::kTotalExactMax;
    return page;
}

}  // namespace millrace::sqlite
