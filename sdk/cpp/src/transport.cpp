#include "transport.hpp"

#include <algorithm>
#include <exception>

#include "backoff.hpp"
#include "base/json/reader.hpp"
#include "error_reply.hpp"
#include "tls_context.hpp"

namespace millrace::client {
namespace {

// What would end a header and begin another one.
bool breaks_headers(const std::string& text) {
    return std::ranges::any_of(text, [](char c) { return c == '\r' || c == '\n' || c == '\0'; });
}

bool may_pass(const Result<Response>& response) {
    if (response) return is_transient(Error{.status = response->status});
    return is_transient(response.error()) && response.error().code != "bad-reply" &&
           response.error().code != "intercepted";
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
    json::Reader reader(response->body, options_.reply_values_max);
    json::Value body;
    if (reader.read_value(body) && reader.at_end()) return body;
    return Error{.status = response->status,
                 .code = "bad-reply",
                 .message = "The answer cannot be read: " + reader.error()};
}

Status Transport::command(const Request& request) {
    const Result<Response> response = exchange(request);
    if (!response) return response.error();
    if (response->status >= 300) return error_of(*response);
    return std::monostate{};
}

void Transport::interrupt() {
    {
        const MutexLock lock(mutex_);
        interrupted_ = true;
    }
    changed_.notify_all();
    pool_.interrupt();
}

Result<Response> Transport::exchange(const Request& request) {
    Result<Response> response = exchange_intercepted(request);
    const bool may_repeat = request.repeatable && !request.sink && options_.tries_max > 1;
    if (may_repeat && may_pass(response)) response = repeat(request, std::move(response));
    if (response && response->status < 500) budget_.succeeded();
    return response;
}

Result<Response> Transport::repeat(const Request& request, Result<Response> response) {
    Backoff backoff = seeded_backoff();
    for (int tries = 1; tries < options_.tries_max; ++tries) {
        if (!may_pass(response) || !budget_.take()) break;
        const Duration asked = response ? response->retry_after.value_or(Duration{}) : Duration{};
        if (!pause(std::max(backoff.next(), asked))) break;
        response = exchange_intercepted(request);
    }
    return response;
}

bool Transport::pause(Duration duration) {
    const Deadline end = deadline_after(duration);
    const MutexLock lock(mutex_);
    while (!interrupted_ && std::chrono::steady_clock::now() < end) {
        changed_.wait_until(mutex_, end);
    }
    return !interrupted_;
}

Result<Response> Transport::exchange_intercepted(const Request& request) try {
    if (options_.interceptors.empty()) return exchange_once(request);
    Request sent = request;
    Call call{.method = request.method, .target = request.target, .headers = sent.headers};
    Result<Response> response =
        Error{.code = "intercepted", .message = "An interceptor did not let the call go on."};
    intercept(0, call, [&]() -> CallEnd {
        response = exchange_once(sent);
        if (!response) return {.error = &response.error()};
        return {.status = response->status};
    });
    return response;
} catch (const std::exception& exception) {
    return Error{.code = "intercepted", .message = exception.what()};
} catch (...) {
    return Error{.code = "intercepted", .message = "An interceptor threw no exception."};
}

CallEnd Transport::intercept(std::size_t index, Call& call, const std::function<CallEnd()>& send) {
    if (index == options_.interceptors.size()) return send();
    CallEnd end;
    options_.interceptors[index](call, [&] { return end = intercept(index + 1, call, send); });
    return end;
}

Result<Response> Transport::exchange_once(const Request& request) try {
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
    if (is_kept && !response && response.error().code == "timeout") pool_.forget_idle();
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
    const bool is_bounded = request.duration_max > Duration{};
    const Deadline end = deadline_after(request.duration_max);
    if (!is_kept) {
        const Deadline connected_by = deadline_after(options_.connect_duration_max);
        const Status status =
            connection.connect(*url_, is_bounded ? std::min(end, connected_by) : connected_by);
        if (!status) return status.error();
    }
    const Duration duration =
        is_bounded ? std::chrono::ceil<Duration>(end - std::chrono::steady_clock::now())
                   : options_.request_duration_max + request.extra_duration;
    return connection.exchange(*url_, request, duration);
}

}  // namespace millrace::client
