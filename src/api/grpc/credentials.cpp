#include "api/grpc/credentials.hpp"

#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>

#include <algorithm>
#include <chrono>

namespace millrace::rpc {

namespace {

grpc_ssl_client_certificate_request_type request_type_of(const http::TlsConfig& tls) {
    if (tls.client_ca_file.empty()) return GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE;
    return tls.is_client_certificate_required
               ? GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY
               : GRPC_SSL_REQUEST_CLIENT_CERTIFICATE_AND_VERIFY;
}

}  // namespace

Result<std::shared_ptr<grpc::ServerCredentials>> credentials_of(
    const std::optional<http::TlsConfig>& tls) {
    if (!tls) return grpc::InsecureServerCredentials();
    // gRPC would only fail handshakes; better say now what is wrong with a file, as REST does.
    const auto loaded = http::TlsContext::load(*tls);
    if (!loaded) return loaded.error();

    using grpc::experimental::FileWatcherCertificateProvider;
    const auto interval = std::chrono::ceil<std::chrono::seconds>(tls->check_interval).count();
    const auto seconds = static_cast<unsigned int>(std::max<std::int64_t>(interval, 1));
    // Without clients' authorities the path is empty, and none are watched.
    grpc::experimental::TlsServerCredentialsOptions options(
        std::make_shared<FileWatcherCertificateProvider>(tls->key_file, tls->certificate_file,
                                                         tls->client_ca_file, seconds));
    options.watch_identity_key_cert_pairs();
    if (!tls->client_ca_file.empty()) options.watch_root_certs();
    options.set_cert_request_type(request_type_of(*tls));
    return grpc::experimental::TlsServerCredentials(options);
}

}  // namespace millrace::rpc
