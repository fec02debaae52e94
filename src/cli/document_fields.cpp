#include "cli/document_fields.hpp"

namespace millrace::cli {

std::string text_of(const json::Value& document, std::string_view key) {
    const json::Value* member = document.find(key);
    const std::string* text = member == nullptr ? nullptr : member->if_string();
    return text == nullptr ? "" : *text;
}

std::int64_t integer_of(const json::Value& document, std::string_view key) {
    const json::Value* member = document.find(key);
    const std::int64_t* number = member == nullptr ? nullptr : member->if_integer();
    return number == nullptr ? 0 : *number;
}

json::Array items_of(const json::Value& document, std::string_view key) {
    const json::Value* member = document.find(key);
    const json::Array* items = member == nullptr ? nullptr : member->if_array();
    return items == nullptr ? json::Array{} : *items;
}

}  // namespace millrace::cli
