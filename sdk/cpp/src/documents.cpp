#include "millrace/client/documents.hpp"

#include "millrace/client/queue_documents.hpp"

namespace millrace::client {
namespace {

const json::Value& absent() {
    static const json::Value null;
    return null;
}

std::vector<Document> elements_of(const json::Value& list) {
    std::vector<Document> elements;
    const json::Array* values = list.if_array();
    if (values == nullptr) return elements;
    for (const json::Value& each : *values) elements.emplace_back(each);
    return elements;
}

bool is_end(std::string_view status) {
    return status == "COMPLETED" || status == "FAILED" || status == "CANCELLED";
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
    return is_end(status());
}

const json::Value& Job::variable(std::string_view name) const {
    const json::Value* found = variables().find(name);
    return found == nullptr ? absent() : *found;
}

std::vector<Document> CancelReport::failed() const {
    return elements_of(value("failed"));
}

bool Execution::is_over() const {
    return is_end(queue_status());
}

std::vector<Document> DeadLetterReport::executions() const {
    return elements_of(value("executions"));
}

std::vector<Document> DeadLetterReport::failed() const {
    return elements_of(value("failed"));
}

}  // namespace millrace::client
