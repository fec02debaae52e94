#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "load/event_loop.hpp"

namespace millrace::bench {

// One kept-alive HTTP/1.1 connection to loopback, one call at a time. Any answer but a success
// throws: a benchmark that counts errors measures nothing.
class HttpConnection {
public:
    using OnBody = std::function<void(std::string_view body)>;

    HttpConnection(EventLoop& loop, std::uint16_t port);
    ~HttpConnection();
    HttpConnection(const HttpConnection&) = delete;
    HttpConnection& operator=(const HttpConnection&) = delete;

    // `on_body` may make the next call.
    void post(std::string_view path, std::string_view body, OnBody on_body);
    // The same, and waits for the answer.
    std::string post_and_wait(std::string_view path, std::string_view body);

private:
    void on_readable();
    void take_reply();

    EventLoop& loop_;
    int socket_ = -1;
    EventLoop::OnReadable readable_;
    std::string received_;
    OnBody on_body_;
};

}  // namespace millrace::bench
