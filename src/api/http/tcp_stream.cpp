#include "api/http/tcp_stream.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>

namespace millrace::http {

namespace {

namespace asio = boost::asio;

TcpStream::Transfer outcome(const boost::system::error_code& error, std::size_t bytes) {
    if (!error) return {.state = TcpStream::State::ok, .bytes = bytes};
    if (error == asio::error::would_block || error == asio::error::try_again) {
        return {.state = TcpStream::State::would_block};
    }
    return {.state =
                error == asio::error::eof ? TcpStream::State::ended : TcpStream::State::failed};
}

}  // namespace

TcpStream::TcpStream(Socket socket) : socket_(std::move(socket)) {
    boost::system::error_code
        error;  // A connection that is broken already fails at the first read.
    socket_.non_blocking(true, error);
    socket_.set_option(asio::ip::tcp::no_delay(true), error);
}

TcpStream::Transfer TcpStream::read_some(std::span<char> buffer) {
    boost::system::error_code error;
    const std::size_t bytes = socket_.read_some(asio::buffer(buffer.data(), buffer.size()), error);
    return outcome(error, bytes);
}

TcpStream::Transfer TcpStream::write_some(std::string_view bytes) {
    boost::system::error_code error;
    const std::size_t written = socket_.write_some(asio::buffer(bytes.data(), bytes.size()), error);
    return outcome(error, written);
}

void TcpStream::shut_down_sending() {
    boost::system::error_code error;
    socket_.shutdown(Socket::shutdown_send, error);
}

void TcpStream::close() {
    boost::system::error_code error;
    socket_.close(error);
}

}  // namespace millrace::http
