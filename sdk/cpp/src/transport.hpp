#pragma once

#include <condition_variable>
#include <memory>
#include <optional>

#include "base/json/value.hpp"
#include "connection_pool.hpp"
#include "millrace/client/error.hpp"
#include "millrace/client/options.hpp"
#include "retry_budget.hpp"

namespace millrace::client {

// Requests in, JSON or errors out; used by all routes of the client.
class Transport {
public:
    explicit Transport(ClientOptions options);

    // The parsed body of a successful answer; null when it has none.
    Result<json::Value> call(const Request& request);

    // For answers whose body does not matter.
    Status command(const Request& request);

    void interrupt();

private:
    std::shared_ptr<TlsContext> make_tls();
    // With repetitions, each of them intercepted.
    Result<Response> exchange(const Request& request);
    Result<Response> repeat(const Request& request, Result<Response> response);
    Result<Response> exchange_intercepted(const Request& request);
    // Lets the call through the interceptors from this one on.
    CallEnd intercept(std::size_t index, Call& call, const std::function<CallEnd()>& send);
    Result<Response> exchange_once(const Request& request);
    Result<Response> exchange_on(Connection& connection, bool is_kept, const Request& request);
    // False when interrupted.
    bool pause(Duration duration);

    const ClientOptions options_;
    const Result<Url> url_;
    // What cannot be used of the options; every call fails with it.
    std::optional<Error> misuse_{};
    const std::shared_ptr<TlsContext> tls_;
    ConnectionPool pool_;
    RetryBudget budget_;
    Mutex mutex_;
    std::condition_variable_any changed_;
    bool interrupted_ MILLRACE_GUARDED_BY(mutex_) = false;
};

}  // namespace millrace::client
