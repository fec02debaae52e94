#include "millrace/client/documents.hpp"

namespace millrace::client {
namespace {

const json::Value& absent() {
    static const json::Value null;
    return null;
}

}  // namespace

std::string_view Document::text(std::string_view member) const {
    const std::string* text = value(member).if_string();
    return text == nullptr ? std::string_view{} : *text;
}

std::int64_t Document::integer(std::string_view member) const {
    const std::int64_t* integer = value(member).if_integer();
    return integer == nullptr ? 0 : *integer;
}

bool Document::boolean(std::string_view member) const {
    const bool* boolean = value(member).if_boolean();
    return boolean != nullptr && *boolean;
}

const json::Value& Document::value(std::string_view member) const {
    const json::Value* value = json_.find(member);
    return value == nullptr ? absent() : *value;
}

std::vector<std::string> Document::texts(std::string_view member) const {
    std::vector<std::string> texts;
    const json::Array* values = value(member).if_array();
    if (values == nullptr) return texts;
    for (const json::Value& each : *values) {
        if (const std::string* text = each.if_string()) texts.push_back(*text);
    }
    return texts;
}

bool Instance::is_over() const {
    return status() == "COMPLETED" || status() == "FAILED" || status() == "CANCELLED";
}

std::vector<Document> CancelReport::failed() const {
    std::vector<Document> failed;
    const json::Array* values = value("failed").if_array();
    if (values == nullptr) return failed;
    for (const json::Value& each : *values) failed.emplace_back(each);
    return failed;
}

}  // namespace millrace::client
