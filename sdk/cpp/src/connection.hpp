#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"
#include "millrace/client/error.hpp"
#include "millrace/client/options.hpp"
#include "url.hpp"

namespace millrace::client {

class TlsContext;

using Deadline = std::chrono::steady_clock::time_point;

inline Deadline deadline_after(Duration duration) {
    return std::chrono::steady_clock::now() + duration;
}

struct Request {
    std::string method = "GET";
    // Path and query behind the server's prefix.
    std::string target{};
    // JSON; empty means no body.
    std::string body{};
    std::string accept = "application/json";
    // Besides those of every request.
    std::vector<Header> headers{};
    // Sending it twice does no harm.
    bool repeatable = false;
    // Added to the time that the options allow: what a long poll waits for by intention.
    Duration extra_duration{};
    // Instead of what the options allow, for connecting and all else; 0 means as the options say.
    Duration duration_max{};
    // Takes the body of a successful answer as it comes, instead of Response::body. False: enough.
    std::function<bool(std::string_view bytes)> sink{};
};

struct Response {
    int status = 0;
    std::string body{};
    std::optional<Duration> retry_after{};
};

// One HTTP/1.1 connection, used by one thread at a time; only interrupt() may come from others.
// Any failure closes it.
class Connection {
public:
    // May throw what the operating system's refusal of descriptors becomes. `options` and `tls`
    // live longer; `tls` is null for plain connections.
    Connection(const ClientOptions& options, TlsContext* tls);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    Status connect(const Url& url, Deadline deadline);

    // `duration_max` is for all of it; with a sink, for the time between two pieces.
    Result<Response> exchange(const Url& url, const Request& request, Duration duration_max);

    // Whether another request may be sent: open, and the peer has neither closed nor said anything.
    bool is_idle();

    // Whether the latest exchange ended before a single byte of its answer came.
    bool heard_nothing() const;

    // Ends what runs, and all to come, with the code `interrupted`. From any thread.
    void interrupt();

private:
    struct Socket;
    std::unique_ptr<Socket> socket_;
};

}  // namespace millrace::client
