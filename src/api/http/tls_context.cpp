#include "api/http/tls_context.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <new>
#include <string_view>
#include <system_error>

namespace millrace::http {

namespace {

// In the form of the wire: each name with its length in front.
constexpr std::string_view kHttp11 = "\x08http/1.1";
constexpr std::string_view kHttp2 = "\x02h2";

// All with forward secrecy; TLS 1.3 has no others.
constexpr const char* kTls12Ciphers = "ECDHE+AESGCM:ECDHE+CHACHA20";

constexpr std::uint64_t kOptions = SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA |
                                   SSL_OP_NO_COMPRESSION | SSL_OP_NO_RENEGOTIATION |
                                   // HTTP says itself where a message ends.
                                   SSL_OP_IGNORE_UNEXPECTED_EOF;

// A client that offers protocols, but not ours, hears of it; one that offers none speaks ours.
int choose_protocol(ssl_st*, const unsigned char** out, unsigned char* out_bytes,
                    const unsigned char* offered, unsigned int offered_bytes, void* protocol) {
    unsigned char* chosen = nullptr;
    const auto& name = *static_cast<const std::string_view*>(protocol);
    const auto* ours = reinterpret_cast<const unsigned char*>(name.data());
    const int outcome = SSL_select_next_proto(
        &chosen, out_bytes, ours, static_cast<unsigned>(name.size()), offered, offered_bytes);
    *out = chosen;
    return outcome == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

// Without it OpenSSL would ask at the terminal.
int no_password(char*, int, int, void*) {
    return 0;
}

// The last reason is the one nearest to what was asked for; but where the system refuses a file,
// the first says why, and the others only that it did.
std::string why() {
    const unsigned long first = ERR_peek_error();
    if (ERR_SYSTEM_ERROR(first)) {
        ERR_clear_error();
        return "it cannot be read: " + std::system_category().message(ERR_GET_REASON(first));
    }
    const char* reason = ERR_reason_error_string(ERR_peek_last_error());
    ERR_clear_error();
    return reason == nullptr ? "it does not hold what is expected" : reason;
}

Error file_error(std::string_view what, const std::string& file) {
    return {ErrorCode::invalid_argument,
            "Cannot use the " + std::string(what) + " of TLS in " + file + ": " + why() + "."};
}

// Clients show a certificate, which has to be signed by one of these; those that have none may
// still have an API key, unless a certificate is required.
Status ask_for_certificates(SSL_CTX* context, const TlsConfig& config) {
    const char* file = config.client_ca_file.c_str();
    STACK_OF(X509_NAME)* names = SSL_load_client_CA_file(file);
    if (names == nullptr || SSL_CTX_load_verify_locations(context, file, nullptr) != 1) {
        sk_X509_NAME_pop_free(names, X509_NAME_free);
        return file_error("clients' certificate authority", config.client_ca_file);
    }
    SSL_CTX_set_client_CA_list(context, names);
    const int required =
        config.is_client_certificate_required ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0;
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | required, nullptr);
    // Every connection shows its certificate: a ticket would be good for longer than that is.
    SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    SSL_CTX_set_num_tickets(context, 0);
    return ok();
}

void set_up(SSL_CTX* context, const std::string_view& protocol) {
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_cipher_list(context, kTls12Ciphers);
    SSL_CTX_set_options(context, kOptions);
    // A write goes on from wherever its bytes are by then, and an idle connection needs no buffers.
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                  SSL_MODE_RELEASE_BUFFERS);
    // Who comes back shows a ticket; nothing is kept here.
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_alpn_select_cb(context, choose_protocol, const_cast<std::string_view*>(&protocol));
    SSL_CTX_set_default_passwd_cb(context, no_password);
}

}  // namespace

Result<std::shared_ptr<const TlsContext>> TlsContext::load(const TlsConfig& config) {
    SSL_CTX* context = SSL_CTX_new(TLS_server_method());
    if (context == nullptr) throw std::bad_alloc();
    const std::shared_ptr<const TlsContext> made(new TlsContext(context));
    set_up(context, config.is_http2 ? kHttp2 : kHttp11);

    ERR_clear_error();
    if (SSL_CTX_use_certificate_chain_file(context, config.certificate_file.c_str()) != 1) {
        return file_error("certificate", config.certificate_file);
    }
    if (SSL_CTX_use_PrivateKey_file(context, config.key_file.c_str(), SSL_FILETYPE_PEM) != 1 ||
        SSL_CTX_check_private_key(context) != 1) {
        return file_error("key", config.key_file);
    }
    if (!config.client_ca_file.empty()) {
        if (const Status asked = ask_for_certificates(context, config); !asked) {
            return asked.error();
        }
    }
    return made;
}

TlsContext::~TlsContext() {
    SSL_CTX_free(context_);
}

ssl_st* TlsContext::new_connection() const {
    SSL* connection = SSL_new(context_);
    if (connection == nullptr) throw std::bad_alloc();
    SSL_set_accept_state(connection);
    return connection;
}

}  // namespace millrace::http
