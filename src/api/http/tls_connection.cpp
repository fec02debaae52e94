#include "api/http/tls_connection.hpp"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <limits>
#include <new>

namespace millrace::http {

namespace {

// OpenSSL's own way to a socket raises SIGPIPE when the client is gone; ours does not.
Socket& socket_of(BIO* bio) {
    return *static_cast<Socket*>(BIO_get_data(bio));
}

int finish(const Transfer& transfer, std::size_t* bytes) {
    *bytes = transfer.bytes;
    return transfer.state == Transfer::State::ok ? 1 : 0;
}

int read_bio(BIO* bio, char* buffer, std::size_t size, std::size_t* bytes) {
    BIO_clear_retry_flags(bio);
    const Transfer transfer = read_wire(socket_of(bio), {buffer, size});
    if (transfer.state == Transfer::State::would_block) BIO_set_retry_read(bio);
    if (transfer.state == Transfer::State::ended) BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
    return finish(transfer, bytes);
}

int write_bio(BIO* bio, const char* data, std::size_t size, std::size_t* bytes) {
    BIO_clear_retry_flags(bio);
    const Transfer transfer = write_wire(socket_of(bio), {data, size});
    if (transfer.state == Transfer::State::would_block) BIO_set_retry_write(bio);
    return finish(transfer, bytes);
}

long control_bio(BIO* bio, int command, long, void*) {
    switch (command) {
        case BIO_CTRL_FLUSH: return 1;
        case BIO_CTRL_EOF: return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0 ? 1 : 0;
        default: return 0;
    }
}

const BIO_METHOD* socket_method() {
    static const BIO_METHOD* const kMethod = [] {
        BIO_METHOD* method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket");
        if (method == nullptr) throw std::bad_alloc();
        BIO_meth_set_read_ex(method, read_bio);
        BIO_meth_set_write_ex(method, write_bio);
        BIO_meth_set_ctrl(method, control_bio);
        return method;
    }();
    return kMethod;
}

void point_to(const SSL* connection, Socket& socket) {
    BIO_set_data(SSL_get_rbio(connection), &socket);
    ERR_clear_error();  // An old one would be taken for the outcome of the next call.
}

}  // namespace

TlsConnection::TlsConnection(const TlsContext& context) : connection_(context.new_connection()) {
    BIO* bio = BIO_new(socket_method());
    if (bio == nullptr) throw std::bad_alloc();
    BIO_set_init(bio, 1);
    SSL_set_bio(connection_, bio, bio);
}

TlsConnection::~TlsConnection() {
    SSL_free(connection_);
}

Transfer TlsConnection::read_some(Socket& socket, std::span<char> buffer) {
    if (is_broken_) return {.state = Transfer::State::failed};
    point_to(connection_, socket);
    read_waits_to_write_ = false;
    std::size_t bytes = 0;
    const int returned = SSL_read_ex(connection_, buffer.data(), buffer.size(), &bytes);
    if (returned == 1) return {.bytes = bytes};
    const int error = SSL_get_error(connection_, returned);
    read_waits_to_write_ = error == SSL_ERROR_WANT_WRITE;
    return failure(error);
}

Transfer TlsConnection::write_some(Socket& socket, std::string_view bytes) {
    if (is_broken_) return {.state = Transfer::State::failed};
    point_to(connection_, socket);
    write_waits_to_read_ = false;
    std::size_t written = 0;
    const int returned = SSL_write_ex(connection_, bytes.data(), bytes.size(), &written);
    if (returned == 1) return {.bytes = written};
    const int error = SSL_get_error(connection_, returned);
    write_waits_to_read_ = error == SSL_ERROR_WANT_READ;
    return failure(error);
}

bool TlsConnection::is_handshake_done() const {
    return SSL_is_init_finished(connection_) != 0;
}

void TlsConnection::say_goodbye(Socket& socket) {
    if (is_broken_ || !is_handshake_done()) return;
    point_to(connection_, socket);
    (void)SSL_shutdown(connection_);  // Whoever does not get it sees the end of the connection.
}

Transfer TlsConnection::failure(int error) {
    if (error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE) {
        return {.state = Transfer::State::would_block};
    }
    if (error == SSL_ERROR_ZERO_RETURN) return {.state = Transfer::State::ended};
    is_broken_ = true;
    if (error != SSL_ERROR_SSL || is_handshake_done()) return {.state = Transfer::State::failed};
    const int reason = ERR_GET_REASON(ERR_peek_error());
    is_plain_http_ = reason == SSL_R_HTTP_REQUEST || reason == SSL_R_HTTPS_PROXY_REQUEST;
    return {.state = Transfer::State::refused};
}

}  // namespace millrace::http
