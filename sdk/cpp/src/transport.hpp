#pragma once

#include <memory>
#include <optional>

#include "base/json/value.hpp"
#include "connection_pool.hpp"
#include "millrace/client/error.hpp"
#include "millrace/client/options.hpp"

namespace millrace::client {

// Requests in, JSON or errors out; used by all routes of the client.
class Transport {
public:
    explicit Transport(ClientOptions options);

    // The parsed body of a successful answer; null when it has none.
    Result<json::Value> call(const Request& request);

    // For answers whose body does not matter.
    Status command(const Request& request);

    void interrupt() { pool_.interrupt(); }

private:
    std::shared_ptr<TlsContext> make_tls();
    Result<Response> exchange(const Request& request);
    Result<Response> exchange_on(Connection& connection, bool is_kept, const Request& request);

    const ClientOptions options_;
    const Result<Url> url_;
    // What cannot be used of the options; every call fails with it.
    std::optional<Error> misuse_{};
    const std::shared_ptr<TlsContext> tls_;
    ConnectionPool pool_;
};

}  // namespace millrace::client
