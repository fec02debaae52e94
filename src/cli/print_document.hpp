#pragma once

#include "base/json/value.hpp"
#include "cli/context.hpp"
#include "millrace/client/documents.hpp"

namespace millrace::cli {

// Prints a document for programs: one line of JSON, or a YAML document that begins with ---. False
// when the output is for people, and nothing was printed.
bool print_document(const Context& context, const json::Value& document);

// The same for a list: {"items": […], "total": N}.
template <class Item>
bool print_list(const Context& context, const std::vector<Item>& list, std::int64_t total) {
    if (context.output == OutputFormat::table) return false;
    json::Array items;
    for (const Item& item : list) items.push_back(item.json());
    json::Value document = json::Object{};
    document.set("items", std::move(items));
    document.set("total", total);
    return print_document(context, document);
}

}  // namespace millrace::cli
