#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "api/http/tls_connection.hpp"
#include "api/http/transfer.hpp"

namespace millrace::http {

// The bytes of one connection, encrypted or not: reads and writes that never block, and waiting
// until they would not.
class TcpStream {
public:
    // Encrypted when there is a `tls`.
    explicit TcpStream(Socket socket, const TlsContext* tls = nullptr);

    // After `refused` the rest is read as it is on the wire, for whoever waits for its end.
    Transfer read_some(std::span<char> buffer);
    Transfer write_some(std::string_view bytes);

    // Whether requests can come: encryption has been agreed upon, or there is none.
    bool is_established() const { return tls_ == nullptr || tls_->is_handshake_done(); }
    // Why it was refused: the client speaks HTTP without encryption.
    bool is_plain_http() const { return is_plain_http_; }

    // The handler is called with an error_code; one that is set means that the stream was closed.
    template <class WaitHandler>
    void wait_readable(WaitHandler handler) {
        const bool is_crossed = tls_ != nullptr && tls_->read_waits_to_write();
        socket_.async_wait(is_crossed ? Socket::wait_write : Socket::wait_read, std::move(handler));
    }
    template <class WaitHandler>
    void wait_writable(WaitHandler handler) {
        const bool is_crossed = tls_ != nullptr && tls_->write_waits_to_read();
        socket_.async_wait(is_crossed ? Socket::wait_read : Socket::wait_write, std::move(handler));
    }

    // Whether the other side has ended already, and nobody has read so far as to know.
    bool is_other_side_gone();

    // The IP address of the other side; empty when it is gone already.
    std::string remote_address() const;

    // Of the client's certificate; null when it has shown none.
    std::shared_ptr<const CertificateNames> client_names() const {
        return tls_ == nullptr ? nullptr : tls_->client_names();
    }

    // Tells the other side that nothing more comes.
    void shut_down_sending();
    void close();

private:
    Socket socket_;
    std::unique_ptr<TlsConnection> tls_;
    bool is_plain_http_ = false;
};

}  // namespace millrace::http
