#pragma once

#include <string_view>

#include "api/http/message.hpp"
#include "base/result.hpp"

namespace millrace::http {

struct WireError {
    int status = 500;
    std::string_view code{};
};

// The one table of error codes on HTTP.
WireError wire_error(ErrorCode code);

// {"error","reason","message","requestId","details":[{"path","message"}]}, without a line end.
void append_error(std::string& out, std::string_view code, const Error& error,
                  std::string_view request_id);

HttpResponse error_response(const Error& error, std::string_view request_id);

// For what only HTTP knows: 405, 408, 431 and the like.
HttpResponse error_response(WireError wire, std::string_view reason, std::string_view request_id);

}  // namespace millrace::http
