#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "api/http/message.hpp"
#include "core/limits.hpp"

namespace millrace::http {

struct RequestLimits {
    std::size_t header_bytes_max = limits::kHeaderBytesMax;
    std::size_t body_bytes_max = limits::kBodyBytesMax;
};

// Why the bytes are no request that is served here. The connection cannot go on after it: nobody
// knows where the next request would begin.
struct Rejection {
    int status = 400;
    std::string_view code{};
    std::string reason{};
};

// Reads one request out of a stream of bytes that comes in pieces of any size.
class RequestReader {
public:
    explicit RequestReader(const RequestLimits& limits);
    ~RequestReader();

    RequestReader(const RequestReader&) = delete;
    RequestReader& operator=(const RequestReader&) = delete;

    // Takes what belongs to this request and returns how much that was. What it has not taken must
    // stand at the front of the next call, with more behind it, unless the request is done.
    std::size_t feed(std::string_view bytes);

    bool is_done() const;
    const std::optional<Rejection>& rejection() const;

    // The header is complete and the rest of the body is large enough, or of an unknown length, or
    // waits for a `100 Continue`: whoever sends it should be asked first who he is.
    bool is_body_to_be_admitted() const;
    // What is known of the request before its body.
    HttpRequest head() const;
    // The body may come: makes room for as much as was declared.
    void admit_body();
    bool is_body_admitted() const { return is_body_admitted_; }
    // How large the body is by its header; empty when it comes in chunks.
    std::optional<std::size_t> body_bytes_declared() const;
    std::size_t body_bytes() const;  // That have come.

    // Whether the client waits for a `100 Continue` before it sends the body. True only once.
    bool take_wants_continue();

    bool keep_alive() const;
    bool is_http10() const;

    // The request, once it is done.
    HttpRequest take();

private:
    class Parser;

    std::unique_ptr<Parser> parser_;
    std::size_t taken_bytes_ = 0;
    bool is_body_admitted_ = false;
};

}  // namespace millrace::http
