#include "error_reply.hpp"

#include <algorithm>

#include "base/json/parse.hpp"
#include "millrace/client/documents.hpp"

namespace millrace::client {
namespace {

constexpr std::size_t kForeignTextMax = 200;

Error error_from(int status, const json::Value& body) {
    const Document document(body);
    Error error{.status = status,
                .code = std::string(document.text("error")),
                .message = std::string(document.text("message")),
                .request_id = std::string(document.text("requestId"))};
    if (error.message.empty()) error.message = document.text("reason");
    if (const json::Array* details = document.value("details").if_array()) {
        for (const json::Value& value : *details) {
            const Document detail(value);
            error.details.push_back({.path = std::string(detail.text("path")),
                                     .message = std::string(detail.text("message"))});
        }
    }
    return error;
}

// What somebody says who does not speak our protocol, as one might quote it.
std::string foreign_text(std::string_view body) {
    const std::size_t end = body.find_last_not_of(" \r\n");
    if (end == std::string_view::npos) return "The server gave no reason.";
    return std::string(body.substr(0, std::min(end + 1, kForeignTextMax)));
}

}  // namespace

bool is_transient(const Error& error) {
    if (error.status == 0) {
        return error.code != "interrupted" && error.code != "untrusted" &&
               !error.code.starts_with("invalid-");
    }
    return error.status == 429 || error.status == 502 || error.status == 503 || error.status == 504;
}

Error error_of(const Response& response) {
    const millrace::Result<json::Value> body = json::parse(response.body);
    if (body && body->is_object()) {
        Error error = error_from(response.status, *body);
        error.retry_after = response.retry_after;
        return error;
    }
    return {.status = response.status,
            .code = "http-" + std::to_string(response.status),
            .message = foreign_text(response.body),
            .retry_after = response.retry_after};
}

Error error_of_item(const json::Value& item) {
    const Document document(item);
    return error_from(static_cast<int>(document.integer("status")), document.value("error"));
}

}  // namespace millrace::client
