#include "api/rest/item_list.hpp"

#include "api/rest/answer.hpp"
#include "base/json/write.hpp"
#include "core/limits.hpp"

namespace millrace::rest {

Result<const json::Array*> item_array(BodyReader& body, std::string_view name) {
    const json::Array* items = body.array(name);
    if (body.has_error()) return body.error();
    if (items == nullptr || items->size() <= limits::kBatchItemsMax) return items;
    return Error{ErrorCode::too_large, std::string(name) + " must have at most " +
                                           std::to_string(limits::kBatchItemsMax) + " items"};
}

std::string item_path(std::string_view name, std::size_t index) {
    return std::string(name) + "[" + std::to_string(index) + "]";
}

std::optional<Error> item_error(const json::Value& item, const std::string& path) {
    if (item.is_object()) return std::nullopt;
    const std::string reason = path + " must be an object";
    return Error{ErrorCode::invalid_argument, reason, {{path, reason}}};
}

ResultList::ResultList(http::Responder respond, std::size_t count)
    : respond_(std::move(respond)), items_(count), missing_(count) {}

void ResultList::set(std::size_t index, std::string item) {
    items_[index] = std::move(item);
    if (missing_.fetch_sub(1) == 1) finish();
}

bool ResultList::take_room(std::size_t bytes) {
    return bytes_taken_.fetch_add(static_cast<std::int64_t>(bytes)) < limits::kPageBytesMax;
}

std::string ResultList::error_members(const Error& error) const {
    const http::WireError wire = http::wire_error(error.code);
    std::string out = R"("status":)";
    json::append_integer(out, wire.status);
    out += R"(,"error":)";
    http::append_error(out, wire.code, error, respond_.request_id());
    return out;
}

void ResultList::finish_if_empty() {
    if (items_.empty()) finish();
}

void ResultList::finish() {
    std::string body = R"({"results":[)";
    for (const std::string& item : items_) {
        if (body.back() != '[') body += ',';
        body += item;
    }
    body += "]}";
    respond_(json_response(200, std::move(body)));
}

}  // namespace millrace::rest
