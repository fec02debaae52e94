#pragma once

#include <string>
#include <string_view>

#include "api/http/message.hpp"
#include "base/time.hpp"

namespace millrace::http {

// What the connection knows about an answer and its handler does not.
struct ResponseFrame {
    std::string_view request_id{};
    std::string_view allowed_origin{};  // Empty when no page of another origin asked.
    Instant now{};
    bool keep_alive = true;
    bool is_http10 = false;
    bool is_head = false;
};

// The bytes of an answer behind those of earlier ones.
void append_response(std::string& out, const HttpResponse& response, const ResponseFrame& frame);

// `Sun, 06 Nov 1994 08:49:37 GMT`
std::string http_date(Instant at);

}  // namespace millrace::http
