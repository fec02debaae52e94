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

// The beginning of an answer whose body follows in chunks; in HTTP/1.0 as it is, until the
// connection ends.
void append_stream_head(std::string& out, const HttpResponse& head, const ResponseFrame& frame);
// Nothing for no bytes: an empty chunk is the end.
void append_chunk(std::string& out, std::string_view bytes, const ResponseFrame& frame);
void append_stream_end(std::string& out, const ResponseFrame& frame);

// `Sun, 06 Nov 1994 08:49:37 GMT`
std::string http_date(Instant at);

}  // namespace millrace::http
