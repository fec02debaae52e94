#include "transport.hpp"

#include <exception>

#include "base/json/parse.hpp"
#include "error_reply.hpp"

namespace millrace::client {
namespace {

Deadline after(Duration duration) {
    return std::chrono::steady_clock::now() + duration;
}

}  // namespace

Transport::Transport(ClientOptions options)
    : options_(std::move(options)), url_(parse_url(options_.server)), pool_(options_) {}

Result<json::Value> Transport::call(const Request& request) {
    const Result<Response> response = exchange(request);
    if (!response) return response.error();
    if (response->status >= 300) return error_of(*response);
    if (response->body.empty()) return json::Value{};
    millrace::Result<json::Value> body = json::parse(response->body);
    if (!body) {
        return Error{.status = response->status,
                     .code = "bad-reply",
                     .message = "The answer is no JSON: " + body.error().detail};
    }
    return std::move(*body);
}

Status Transport::command(const Request& request) {
    const Result<Response> response = exchange(request);
    if (!response) return response.error();
    if (response->status >= 300) return error_of(*response);
    return std::monostate{};
}

Result<Response> Transport::exchange(const Request& request) try {
    if (!url_) return url_.error();
    std::unique_ptr<Connection> connection = pool_.borrow();
    const bool is_kept = connection->is_idle();
    Result<Response> response = exchange_on(*connection, is_kept, request);
    const bool is_dead = is_kept && !response && connection->heard_nothing() &&
                         response.error().code == "connection-lost";
    pool_.give_back(std::move(connection));
    if (!is_dead || !request.repeatable) return response;

    // The server had closed the connection, and we learned it only by using it.
    connection = pool_.borrow_fresh();
    response = exchange_on(*connection, false, request);
    pool_.give_back(std::move(connection));
    return response;
} catch (const std::exception& exception) {
    return Error{.code = "unreachable", .message = exception.what()};
}

Result<Response> Transport::exchange_on(Connection& connection, bool is_kept,
                                        const Request& request) {
    if (!is_kept) {
        const Status status = connection.connect(*url_, after(options_.connect_duration_max));
        if (!status) return status.error();
    }
    const Duration duration = options_.request_duration_max + request.extra_duration;
    return connection.exchange(*url_, request, after(duration));
}

}  // namespace millrace::client
