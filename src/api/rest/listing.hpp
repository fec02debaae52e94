#pragma once

#include <string>
#include <string_view>

#include "api/rest/answer.hpp"
#include "base/json/write.hpp"
#include "engine/list_instances.hpp"

namespace millrace::rest {

// `page` counts from 0; `pageSize` is at most kPageSizeMax. What is no number, or below the least
// one, counts as not given.
Page page_of(std::string_view query);

// The whole number a parameter is; empty when it is none.
std::optional<std::int32_t> whole_number(std::string_view text);

// {"items":[…],"total","totalCapped","page","pageSize","nextCursor"}, the last one only when there
// is more.
template <class Item, class AppendItem>
http::HttpResponse listing_response(const Listing<Item>& listing, Page page, AppendItem append_item,
                                    std::string_view next_cursor = {}) {
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
    if (!next_cursor.empty()) {
        body += R"(,"nextCursor":)";
        json::append_string(body, next_cursor);
    }
    body += '}';
    return json_response(200, std::move(body));
}

}  // namespace millrace::rest
