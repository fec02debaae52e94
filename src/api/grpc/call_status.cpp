#include "api/grpc/call_status.hpp"

#include <google/rpc/error_details.pb.h>
#include <google/rpc/status.pb.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "api/http/error_response.hpp"
#include "base/json/parse.hpp"

namespace millrace::rpc {

namespace {

constexpr std::string_view kDomain = "millrace";
// A detail that names why a lease is not extended, for programs: nothing is wrong with the request.
constexpr std::string_view kCausePath = "cause";
constexpr std::string_view kTypePrefix = "type.googleapis.com";
// Statuses travel as header fields, of which many clients take 8 KiB at most.
constexpr std::size_t kStatusMessageBytesMax = 1'024;
constexpr std::size_t kViolationsMax = 16;
constexpr std::size_t kViolationBytesMax = 256;

Code code_of(const http::HttpResponse& response, Conflict conflict) {
    if (response.error == ErrorCode::key_reused) return Code::failed_precondition;
    if (response.error == ErrorCode::commit_unknown) return Code::unknown;
    switch (response.status) {
        case 400:
        case 415:
        case 422: return Code::invalid_argument;
        case 401: return Code::unauthenticated;
        case 403: return Code::permission_denied;
        case 404: return Code::not_found;
        case 409:
            return conflict == Conflict::is_aborted ? Code::aborted : Code::failed_precondition;
        case 410: return Code::failed_precondition;
        case 413:
        case 429: return Code::resource_exhausted;
        case 405:
        case 501: return Code::unimplemented;
        case 503: return Code::unavailable;
        default: return Code::internal;
    }
}

// Cut where a character of UTF-8 begins.
std::string bounded_text(std::string_view text, std::size_t bytes_max) {
    if (text.size() <= bytes_max) return std::string(text);
    std::size_t end = bytes_max;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return std::string(text.substr(0, end)) + "…";
}

std::string_view text_in(const json::Value& object, std::string_view key) {
    const json::Value* member = object.find(key);
    const std::string* text = member != nullptr ? member->if_string() : nullptr;
    return text != nullptr ? std::string_view(*text) : std::string_view{};
}

std::optional<std::int64_t> retry_after(const http::HttpResponse& response) {
    const auto field = std::ranges::find(response.headers, "Retry-After",
                                         &std::pair<std::string_view, std::string>::first);
    if (field == response.headers.end()) return std::nullopt;
    const std::string& text = field->second;
    std::int64_t seconds = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return seconds;
}

google::rpc::BadRequest violations_in(const json::Value& body) {
    google::rpc::BadRequest bad_request;
    const json::Value* details = body.find("details");
    const json::Array* array = details != nullptr ? details->if_array() : nullptr;
    if (array == nullptr) return bad_request;
    for (const json::Value& each : *array) {
        if (text_in(each, "path") == kCausePath) continue;
        if (bad_request.field_violations().size() == kViolationsMax) break;
        google::rpc::BadRequest::FieldViolation& violation = *bad_request.add_field_violations();
        violation.set_field(bounded_text(text_in(each, "path"), kViolationBytesMax));
        violation.set_description(bounded_text(text_in(each, "message"), kViolationBytesMax));
    }
    return bad_request;
}

std::string_view cause_in(const json::Value& body) {
    const json::Value* details = body.find("details");
    const json::Array* array = details != nullptr ? details->if_array() : nullptr;
    if (array == nullptr) return {};
    for (const json::Value& each : *array) {
        if (text_in(each, "path") == kCausePath) return text_in(each, "message");
    }
    return {};
}

void add_detail(google::rpc::Status& status, const google::protobuf::Message& detail) {
    status.add_details()->PackFrom(detail, std::string(kTypePrefix));
}

}  // namespace

CallStatus status_of(const http::HttpResponse& response, std::string_view request_id,
                     Conflict conflict) {
    const Result<json::Value> parsed = json::parse(response.body);
    const json::Value body = parsed ? *parsed : json::Value{};
    const std::string_view reason = text_in(body, "reason");

    CallStatus result{.code = code_of(response, conflict)};
    result.message =
        bounded_text(reason.empty() ? "There is nothing here that answers this." : reason,
                     kStatusMessageBytesMax);

    google::rpc::Status status;
    status.set_code(static_cast<int>(result.code));
    status.set_message(result.message);
    google::rpc::ErrorInfo info;
    const std::string_view code = text_in(body, "error");
    info.set_reason(std::string(code.empty() ? "not-found" : code));
    info.set_domain(std::string(kDomain));
    (*info.mutable_metadata())["requestId"] = std::string(request_id);
    if (const std::string_view cause = cause_in(body); !cause.empty()) {
        (*info.mutable_metadata())["cause"] = std::string(cause);
    }
    add_detail(status, info);
    const google::rpc::BadRequest violations = violations_in(body);
    if (!violations.field_violations().empty()) add_detail(status, violations);
    if (const auto seconds = retry_after(response)) {
        google::rpc::RetryInfo retry;
        retry.mutable_retry_delay()->set_seconds(*seconds);
        add_detail(status, retry);
    }
    result.details = status.SerializeAsString();
    return result;
}

CallStatus status_of(const Error& error, std::string_view request_id) {
    return status_of(http::error_response(error, request_id), request_id, Conflict::is_aborted);
}

}  // namespace millrace::rpc
