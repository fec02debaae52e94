#pragma once

#include <boost/asio/ssl/context.hpp>

#include <memory>

#include "millrace/client/error.hpp"
#include "millrace/client/options.hpp"

namespace millrace::client {

// Whom we trust, shared by all connections of a client: reading the certificates takes long.
class TlsContext {
public:
    // invalid-ca-file names the file that cannot be used.
    static Result<std::shared_ptr<TlsContext>> make(const ClientOptions& options);

    boost::asio::ssl::context& native() { return context_; }

private:
    boost::asio::ssl::context context_{boost::asio::ssl::context::tls_client};
};

}  // namespace millrace::client
