#include "api/http/error_response.hpp"

#include <cstdlib>

#include "base/json/write.hpp"

namespace millrace::http {

namespace {

void append_details(std::string& out, const std::vector<ErrorDetail>& details) {
    out += '[';
    for (const ErrorDetail& detail : details) {
        if (out.back() != '[') out += ',';
        out += R"({"path":)";
        json::append_string(out, detail.path);
        out += R"(,"message":)";
        json::append_string(out, detail.message);
        out += '}';
    }
    out += ']';
}

HttpResponse response_of(WireError wire, const Error& error, std::string_view request_id) {
    HttpResponse response{.status = wire.status};
    append_error(response.body, wire.code, error, request_id);
    response.body += '\n';
    return response;
}

}  // namespace

WireError wire_error(ErrorCode code) {
    switch (code) {
        case ErrorCode::invalid_argument: return {400, "bad-request"};
        case ErrorCode::unauthenticated: return {401, "unauthorized"};
        case ErrorCode::permission_denied: return {403, "forbidden"};
        case ErrorCode::not_found: return {404, "not-found"};
        case ErrorCode::conflict: return {409, "conflict"};
        case ErrorCode::lease_lost: return {409, "conflict"};
        case ErrorCode::too_large: return {413, "too-large"};
        case ErrorCode::unsupported_format: return {415, "unsupported-format"};
        case ErrorCode::data_refused: return {422, "unprocessable"};
        case ErrorCode::key_reused: return {422, "unprocessable"};
        case ErrorCode::limit_exceeded: return {429, "too-many-requests"};
        case ErrorCode::unavailable: return {503, "unavailable"};
        case ErrorCode::commit_unknown: return {503, "commit-unknown"};
        case ErrorCode::internal: return {500, "internal-error"};
    }
    std::abort();  // Unreachable: -Wswitch keeps the table complete.
}

void append_error(std::string& out, std::string_view code, const Error& error,
                  std::string_view request_id) {
    out += R"({"error":)";
    json::append_string(out, code);
    out += R"(,"reason":)";
    json::append_string(out, error.detail);
    out += R"(,"message":)";
    json::append_string(out, error.detail);
    out += R"(,"requestId":)";
    json::append_string(out, request_id);
    out += R"(,"details":)";
    append_details(out, error.details);
    out += '}';
}

HttpResponse error_response(const Error& error, std::string_view request_id) {
    HttpResponse response = response_of(wire_error(error.code), error, request_id);
    response.error = error.code;
    return response;
}

HttpResponse error_response(WireError wire, std::string_view reason, std::string_view request_id) {
    const Error error{.detail = std::string(reason)};
    return response_of(wire, error, request_id);
}

}  // namespace millrace::http
