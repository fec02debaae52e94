#pragma once

#include <string>
#include <string_view>

#include "api/rest/answer.hpp"
#include "api/rest/cursor.hpp"
#include "base/json/write.hpp"
#include "engine/list_instances.hpp"

namespace millrace::rest {

// `page` counts from 0; `pageSize` is at most kPageSizeMax. What is no number, or below the least
// one, counts as not given. `cursor` goes on after the last item of another page of the same list,
// which has a name for that.
Result<Page> page_of(std::string_view list, std::string_view query);

// The refusal of any other cursor.
Error foreign_cursor();

// The whole number a parameter is; empty when it is none.
std::optional<std::int32_t> whole_number(std::string_view text);

// Where a list goes on after an item: as text, its place in the order of the list.
inline std::string place_of(const DefinitionSummary& item) {
    return item.id;
}
template <class Item>
std::string place_of(const Item& item) {
    return to_string(item.key.id.value);
}

// {"items":[…],"total","totalCapped","page","pageSize","nextCursor"}, and `more_members` of the
// list itself, each with a comma before it.
template <class Item, class AppendItem, class PlaceOf>
http::HttpResponse listing_response(std::string_view list, const Listing<Item>& listing,
                                    const Page& page, AppendItem append_item, PlaceOf place,
                                    std::string_view more_members = {}) {
    std::string body = R"({"items":[)";
    bool is_first = true;
    for (const Item& item : listing.items) {
        if (!std::exchange(is_first, false)) body += ',';
        append_item(body, item);
    }
    body += R"(],"total":)";
    json::append_integer(body, listing.total);
    body += R"(,"totalCapped":)";
    body += listing.total_capped ? "true" : "false";
    body += R"(,"page":)";
    json::append_integer(body, page.number);
    body += R"(,"pageSize":)";
    json::append_integer(body, page.size);
    if (listing.has_more) {
        body += R"(,"nextCursor":)";
        json::append_string(body, to_cursor(list, place(listing.items.back())));
    }
    body += more_members;
    body += '}';
    return json_response(200, std::move(body));
}

template <class Item, class AppendItem>
http::HttpResponse listing_response(std::string_view list, const Listing<Item>& listing,
                                    const Page& page, AppendItem append_item) {
    return listing_response(list, listing, page, append_item,
                            [](const Item& item) { return place_of(item); });
}

}  // namespace millrace::rest
