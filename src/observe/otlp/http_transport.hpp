#pragma once

#include <memory>

#include "observe/otlp/endpoint.hpp"
#include "observe/otlp/transport.hpp"

namespace millrace::observe::otlp {

struct HttpTransportConfig {
    Endpoint endpoint{};
    Headers headers{};
    std::string ca_file{};  // PEM: who may sign the collector's certificate. Empty: the system's.
};

// OTLP/HTTP with protobuf, on one connection that is kept as long as the collector keeps it.
class HttpTransport final : public Transport {
public:
    // invalid_argument: the file of certificates cannot be used.
    static Result<std::unique_ptr<HttpTransport>> make(HttpTransportConfig config);

    ~HttpTransport() override;

    Result<Reply> post(const std::string& body, const std::function<bool()>& gives_up) override;

private:
    class Connection;

    explicit HttpTransport(HttpTransportConfig config);

    const HttpTransportConfig config_;
    std::unique_ptr<Connection> connection_;
};

}  // namespace millrace::observe::otlp
