#include "tls_context.hpp"

#include <boost/asio/ssl/verify_mode.hpp>

namespace millrace::client {

namespace ssl = boost::asio::ssl;

Result<std::shared_ptr<TlsContext>> TlsContext::make(const ClientOptions& options) {
    auto made = std::make_shared<TlsContext>();
    ssl::context& context = made->context_;
    boost::system::error_code error;
    context.set_options(ssl::context::default_workarounds | ssl::context::no_sslv3 |
                            ssl::context::no_tlsv1 | ssl::context::no_tlsv1_1,
                        error);
    context.set_verify_mode(options.verifies_server ? ssl::verify_peer : ssl::verify_none, error);
    if (options.ca_file.empty()) {
        context.set_default_verify_paths(error);
    } else {
        context.load_verify_file(options.ca_file, error);
    }
    if (!error) return made;
    return Error{
        .code = "invalid-ca-file",
        .message = "The certificates of " +
                   (options.ca_file.empty() ? std::string("this system") : options.ca_file) +
                   " cannot be used: " + error.message() + "."};
}

}  // namespace millrace::client
