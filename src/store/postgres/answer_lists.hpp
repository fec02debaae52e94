#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "core/limits.hpp"
#include "store/due.hpp"
#include "store/listing.hpp"
#include "store/postgres/connection.hpp"

namespace millrace::postgres {

// How readers ask for lists, keys and single rows, and understand the answers.

// One item more than the page shows tells whether there are further ones.
inline void add_paging(Parameters& parameters, const Page& page) {
    parameters.add(std::int64_t{page.size} + 1);
    parameters.add(std::int64_t{page.number} * page.size);
}

struct ListQuery {
    const sql::Statement& list;
    const sql::Statement& count;
};

// A page of rows and their number, which is counted no further than it is shown.
inline std::vector<Call> listing_calls(ListQuery query, Parameters listed, Parameters counted,
                                       const Page& page) {
    add_paging(listed, page);
    counted.add(limits::kTotalExactMax + 1);
    std::vector<Call> calls;
    calls.push_back(call(query.list, std::move(listed)));
    calls.push_back(call(query.count, std::move(counted)));
    return calls;
}

template <class Item>
void add_total(Listing<Item>& listing, const Rows& count) {
    const std::int64_t total = Fields(count, 0).int64();
    listing.total_capped = total > limits::kTotalExactMax;
    listing.total = listing.total_capped ? limits::kTotalExactMax : total;
}

// Is told of rows that cannot be read; may be empty.
using UnreadableNote = std::function<void(std::string_view reason)>;

// A row that cannot be read is left out of a list: the others are there all the same.
template <class Item>
Result<Listing<Item>> listing_of(const std::vector<Rows>& answers, Result<Item> (*decode)(Fields&),
                                 const Page& page, const UnreadableNote& note) {
    Listing<Item> listing;
    add_total(listing, answers.back());
    for (int i = 0; i < answers.front().size(); ++i) {
        if (i == page.size) {
            listing.has_more = true;
            break;
        }
        Fields fields(answers.front(), i);
        Result<Item> item = decode(fields);
        if (item) {
            listing.items.push_back(std::move(*item));
        } else if (note) {
            note(item.error().detail);
        }
    }
    return listing;
}

inline std::vector<Call> one(Call only) {
    std::vector<Call> calls;
    calls.push_back(std::move(only));
    return calls;
}

inline Call due_call(const sql::Statement& statement, Instant now, std::int32_t count_max) {
    Parameters parameters;
    parameters.add(now);
    parameters.add(std::int64_t{count_max});
    return call(statement, std::move(parameters));
}

template <class Key>
Call due_call(const sql::Statement& statement, Instant now, std::int32_t count_max,
              const std::optional<Due<Key>>& after) {
    const Due<Key> place = place_before_next(after);
    Parameters parameters;
    parameters.add(now);
    parameters.add(std::int64_t{count_max});
    parameters.add(place.at);
    parameters.add(place.key.id.value);
    return call(statement, std::move(parameters));
}

template <class Key>
std::vector<Due<Key>> due_of(const Rows& answer) {
    std::vector<Due<Key>> due;
    due.reserve(static_cast<std::size_t>(answer.size()));
    for (int i = 0; i < answer.size(); ++i) {
        Fields fields(answer, i);
        Due<Key>& row = due.emplace_back();
        row.key.workspace_id.value = fields.text();
        row.key.id.value = fields.id();
        row.at = fields.instant();
    }
    return due;
}

template <class Key>
std::vector<Key> keys_of(const Rows& answer) {
    std::vector<Key> keys;
    keys.reserve(static_cast<std::size_t>(answer.size()));
    for (int i = 0; i < answer.size(); ++i) {
        Fields fields(answer, i);
        Key& key = keys.emplace_back();
        key.workspace_id.value = fields.text();
        key.id.value = fields.id();
    }
    return keys;
}

template <class Row>
Result<std::optional<Row>> first_of(const Rows& answer, Result<Row> (*decode)(Fields&)) {
    if (answer.size() == 0) return std::optional<Row>{};
    Fields fields(answer, 0);
    Result<Row> row = decode(fields);
    if (!row) return row.error();
    return std::optional<Row>(std::move(*row));
}

}  // namespace millrace::postgres
