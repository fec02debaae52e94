#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "base/time.hpp"

// Of OpenSSL, whose headers stay in .cpp files.
struct ssl_ctx_st;
struct ssl_st;

namespace millrace::http {

struct TlsConfig {
    std::string certificate_file{};  // PEM: the server's certificate, then those that signed it.
    std::string key_file{};          // PEM, without a password.
    // PEM: who may sign the certificates of clients, which are asked for then. Empty: nobody is.
    std::string client_ca_file{};
    bool is_client_certificate_required = false;
    bool is_http2 = false;                              // Offered instead of HTTP/1.1.
    Duration check_interval = std::chrono::seconds(1);  // Between looks whether they changed.
};

// One certificate with its key, and what is offered with it: TLS 1.2 and 1.3, one version of HTTP.
// Never changes, so that connections of several threads share it.
class TlsContext {
public:
    // invalid_argument: a file cannot be read or does not hold what it should; the sentence names
    // it.
    static Result<std::shared_ptr<const TlsContext>> load(const TlsConfig& config);

    ~TlsContext();
    TlsContext(const TlsContext&) = delete;
    TlsContext& operator=(const TlsContext&) = delete;

    // A connection of the server's side, which the caller frees.
    ssl_st* new_connection() const;

private:
    explicit TlsContext(ssl_ctx_st* context) : context_(context) {}

    ssl_ctx_st* context_;
};

}  // namespace millrace::http
