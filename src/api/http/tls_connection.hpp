#pragma once

#include <span>
#include <string_view>

#include "api/http/certificate_names.hpp"
#include "api/http/tls_context.hpp"
#include "api/http/transfer.hpp"

namespace millrace::http {

// The encryption of one connection. Its handshake happens inside the first reads. Each call says
// where the socket is, because a connection moves in memory.
class TlsConnection {
public:
    explicit TlsConnection(const TlsContext& context);
    ~TlsConnection();

    TlsConnection(const TlsConnection&) = delete;
    TlsConnection& operator=(const TlsConnection&) = delete;

    // `refused` when the handshake fails; an alert that says why is on its way. `buffer` has room
    // for a record, so that nothing is left behind which the socket does not tell of.
    Transfer read_some(Socket& socket, std::span<char> buffer);
    // After would_block the same bytes come again, with or without more behind them.
    Transfer write_some(Socket& socket, std::string_view bytes);

    bool is_handshake_done() const;
    // Of the client, once the handshake is done; null when it has shown none.
    std::shared_ptr<const CertificateNames> client_names() const {
        return certificate_names(connection_);
    }
    // Encryption has messages of its own: a read may have to write first, and the other way round.
    bool read_waits_to_write() const { return read_waits_to_write_; }
    bool write_waits_to_read() const { return write_waits_to_read_; }
    // Why it was refused: the client speaks HTTP without encryption.
    bool is_plain_http() const { return is_plain_http_; }

    // Tells the client that nothing more comes, as far as that goes without waiting.
    void say_goodbye(Socket& socket);

private:
    Transfer failure(int error);

    ssl_st* connection_;
    bool read_waits_to_write_ = false;
    bool write_waits_to_read_ = false;
    bool is_plain_http_ = false;
    bool is_broken_ = false;  // OpenSSL wants to hear no more of it.
};

}  // namespace millrace::http
