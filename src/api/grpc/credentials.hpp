#pragma once

#include <grpcpp/security/server_credentials.h>

#include <memory>
#include <optional>

#include "api/http/tls_context.hpp"

namespace millrace::rpc {

// Those of a listener: TLS with the certificate of these files, which are read again when they
// change, or plain text. invalid_argument: a file is not usable.
Result<std::shared_ptr<grpc::ServerCredentials>> credentials_of(
    const std::optional<http::TlsConfig>& tls);

}  // namespace millrace::rpc
