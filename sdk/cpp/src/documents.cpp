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

const json::Value& Document::value(std::string_view member) const {
    const json::Value* value = json_.find(member);
    return value == nullptr ? absent() : *value;
}

std::vector<std::string> Instance::current_step_ids() const {
    std::vector<std::string> ids;
    const json::Array* values = value("currentStepIds").if_array();
    if (values == nullptr) return ids;
    for (const json::Value& id : *values) {
        if (const std::string* text = id.if_string()) ids.push_back(*text);
    }
    return ids;
}

}  // namespace millrace::client
