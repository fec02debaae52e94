#include "transport.hpp"

#include <algorithm>
#include <exception>

#include "base/json/parse.hpp"
#include "error_reply.hpp"
#include "tls_context.hpp"

namespace millrace::client {
namespace {

// What would end a header and begin another one.
bool breaks_headers(const std::string& text) {
    return std::ranges::any_of(text, [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

}  // namespace

Transport::Transport(ClientOptions options)
    : options_(std::move(options)),
      url_(parse_url(options_.server)),
      tls_(make_tls()),
      pool_(options_, tls_.get()) {
    if (!url_) {
        misuse_ = url_.error();
    } else if (breaks_headers(options_.api_key) || breaks_headers(options_.workspace)) {
        misuse_ = Error{.code = "invalid-option",
                        .message = "The API key or the workspace contains a line end."};
    }
}

std::shared_ptr<TlsContext> Transport::make_tls() {
    if (!url_ || !url_->is_tls) return nullptr;
    Result<std::shared_ptr<TlsContext>> made = TlsContext::make(options_);
    if (made) return *made;
    misuse_ = made.error();
    return nullptr;
}

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
    if (misuse_) return *misuse_;
    for (const Header& header : request.headers) {
        if (!breaks_headers(header.value)) continue;
        return Error{.code = "invalid-option",
                     .message = header.name + " contains a line end, which no header can have."};
    }
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
        const Status status =
            connection.connect(*url_, deadline_after(options_.connect_duration_max));
        if (!status) return status.error();
    }
    const Duration duration = options_.request_duration_max + request.extra_duration;
    return connection.exchange(*url_, request, duration);
}

}  // namespace millrace::client
