#pragma once

#include <vector>

#include "base/json/value.hpp"
#include "millrace/client/documents.hpp"

namespace millrace::client {

// The elements of an array as documents; nothing when it is no array.
template <class Item>
std::vector<Item> items_of(json::Value& list) {
    std::vector<Item> items;
    json::Array* values = list.if_array();
    if (values == nullptr) return items;
    items.reserve(values->size());
    for (json::Value& value : *values) items.emplace_back(std::move(value));
    return items;
}

// The same for a member, which is moved out of `reply`.
template <class Item>
std::vector<Item> items_of(json::Value& reply, std::string_view member) {
    json::Object* members = reply.if_object();
    if (members == nullptr) return {};
    for (json::Member& candidate : *members) {
        if (candidate.key == member) return items_of<Item>(candidate.value);
    }
    return {};
}

template <class Item>
Page<Item> page_of(json::Value reply) {
    Page<Item> page;
    if (const json::Value* total = reply.find("total"); total && total->if_integer()) {
        page.total = *total->if_integer();
    }
    if (const json::Value* capped = reply.find("totalCapped"); capped && capped->if_boolean()) {
        page.total_capped = *capped->if_boolean();
    }
    if (const json::Value* cursor = reply.find("nextCursor"); cursor && cursor->if_string()) {
        page.next_cursor = *cursor->if_string();
    }
    page.items = items_of<Item>(reply, "items");
    return page;
}

}  // namespace millrace::client
