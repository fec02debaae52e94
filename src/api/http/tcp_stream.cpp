#include "api/http/tcp_stream.hpp"

namespace millrace::http {

TcpStream::TcpStream(Socket socket, const TlsContext* tls)
    : socket_(std::move(socket)),
      tls_(tls == nullptr ? nullptr : std::make_unique<TlsConnection>(*tls)) {
    // A connection that is broken already fails at the first read.
    boost::system::error_code error;
    socket_.non_blocking(true, error);
    socket_.set_option(boost::asio::ip::tcp::no_delay(true), error);
}

Transfer TcpStream::read_some(std::span<char> buffer) {
    if (!tls_) return read_wire(socket_, buffer);
    const Transfer transfer = tls_->read_some(socket_, buffer);
    if (transfer.state == Transfer::State::refused) {
        is_plain_http_ = tls_->is_plain_http();
        tls_.reset();
    }
    return transfer;
}

Transfer TcpStream::write_some(std::string_view bytes) {
    return tls_ ? tls_->write_some(socket_, bytes) : write_wire(socket_, bytes);
}

bool TcpStream::is_other_side_gone() {
    char byte = 0;
    boost::system::error_code error;
    socket_.receive(boost::asio::buffer(&byte, 1), Socket::message_peek, error);
    return error && error != boost::asio::error::would_block &&
           error != boost::asio::error::interrupted;
}

std::string TcpStream::remote_address() const {
    boost::system::error_code error;
    const auto endpoint = socket_.remote_endpoint(error);
    return error ? std::string() : endpoint.address().to_string();
}

void TcpStream::shut_down_sending() {
    if (tls_) tls_->say_goodbye(socket_);
    boost::system::error_code error;
    socket_.shutdown(Socket::shutdown_send, error);
}

void TcpStream::close() {
    boost::system::error_code error;
    socket_.close(error);
}

}  // namespace millrace::http
