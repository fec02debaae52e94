#include "api/http/trouble.hpp"

#include "api/http/error_response.hpp"
#include "base/json/parse.hpp"

namespace millrace::http {

namespace {

constexpr std::string_view kInternalReason = "Something went wrong here; the log says more.";

std::string reason_in(const std::string& body) {
    const Result<json::Value> document = json::parse(body);
    const json::Value* reason = document ? document->find("reason") : nullptr;
    const std::string* text = reason != nullptr ? reason->if_string() : nullptr;
    return text != nullptr ? *text : "";
}

}  // namespace

std::string take_trouble(HttpResponse& response, std::string_view request_id) {
    if (response.status < 500) return "";
    std::string trouble = reason_in(response.body);
    const WireError internal = wire_error(ErrorCode::internal);
    if (response.status == internal.status && !trouble.empty()) {
        response.body = error_response(internal, kInternalReason, request_id).body;
    }
    return trouble;
}

}  // namespace millrace::http
